"""Local sign-in on a machine that others use, too: only the holder of the sign-in link gets a token."""

import os
import stat
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx
import pytest
from click.testing import CliRunner

from agent import SetupError
from conftest import Databases, make_settings
from gateway.auth.principal import user_label
from gateway.auth.sign_in_link import SECRET_FILE, load_secret, sign_in_link
from gateway.cli import keepsake
from gateway.settings import GatewaySettings
from support.gateway import RunningGateway
from support.processes import Process

ADA = {"user": "ada"}


@pytest.fixture(scope="module")
def data_dir(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("data") / "new"


@pytest.fixture(scope="module")
def gateway(databases: Databases, data_dir: Path) -> Iterator[RunningGateway]:
    settings = GatewaySettings(_env_file=None, data_dir=data_dir)
    with RunningGateway(make_settings(databases.create("minilm")), settings) as gateway:
        yield gateway


async def test_the_secret_of_the_installation_is_required(gateway: RunningGateway, data_dir: Path) -> None:
    secret = load_secret(data_dir)
    wrong = ["", secret[:-1], secret + "a", secret.upper(), secret[::-1], "é", "x" * 10_000]
    async with httpx.AsyncClient(base_url=gateway.url) as http:
        for given in [[], *([(b"X-Keepsake-Secret", each.encode())] for each in wrong)]:
            refused = await http.post("/dev/token", json=ADA, headers=given)
            assert (refused.status_code, refused.json()["code"]) == (403, "sign_in_secret")
            assert secret not in refused.text
        assert (await http.post(f"/dev/token?X-Keepsake-Secret={secret}", json=ADA)).status_code == 403
        cookie = {"Cookie": f"X-Keepsake-Secret={secret}"}
        assert (await http.post("/dev/token", json=ADA, headers=cookie)).status_code == 403

        signed_in = await http.post("/dev/token", json=ADA, headers={"X-Keepsake-Secret": secret})
        token = signed_in.raise_for_status().json()["access_token"]
        me = await http.get("/me", headers={"Authorization": f"Bearer {token}"})
        assert me.json()["user_id"] == user_label("keepsake-local", "ada")
        assert (await http.get("/config")).json()["local_sign_in"] == "link"


def test_only_the_user_of_the_installation_can_read_the_secret(gateway: RunningGateway, data_dir: Path) -> None:
    assert gateway.url
    mode = (data_dir / SECRET_FILE).stat().st_mode
    assert (stat.S_ISREG(mode), stat.S_IMODE(mode)) == (True, 0o600)
    assert [file.name for file in data_dir.iterdir()] == [SECRET_FILE]


def test_only_the_user_of_the_installation_can_connect_to_the_embedded_postgres(postgres: str) -> None:
    [folder] = httpx.URL(postgres.replace("@/", "@localhost/")).params.get_list("host")
    [socket] = [file for file in Path(folder).glob(".s.PGSQL.*") if file.is_socket()]
    assert stat.S_IMODE(socket.stat().st_mode) == 0o700


def test_processes_that_start_together_use_one_secret(tmp_path: Path) -> None:
    with ThreadPoolExecutor(8) as pool:
        secrets = set(pool.map(load_secret, [tmp_path] * 32))
    assert len(secrets) == 1
    assert secrets != {load_secret(tmp_path / "other")}


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o660, 0o602])
def test_a_secret_that_others_can_access_is_not_used(tmp_path: Path, mode: int) -> None:
    load_secret(tmp_path)
    (tmp_path / SECRET_FILE).chmod(mode)
    with pytest.raises(SetupError, match="delete it"):
        load_secret(tmp_path)


@pytest.mark.parametrize("content", [b"", b"short", b"a" * 44, b"a" * 43 + b"\n", b"\xff" * 43])
def test_a_file_with_another_content_is_not_used(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / SECRET_FILE
    file.touch(mode=0o600)
    file.write_bytes(content)
    with pytest.raises(SetupError, match="delete it"):
        load_secret(tmp_path)


@pytest.mark.parametrize("exists", [True, False])
def test_a_symbolic_link_is_not_followed(tmp_path: Path, *, exists: bool) -> None:
    planted = tmp_path / "planted"
    if exists:
        load_secret(planted.parent / "x")
        planted.write_bytes((tmp_path / "x" / SECRET_FILE).read_bytes())
        planted.chmod(0o600)
    (tmp_path / SECRET_FILE).symlink_to(planted)
    with pytest.raises(OSError, match="symbolic"):
        load_secret(tmp_path)


@pytest.mark.skipif(os.geteuid() != 0, reason="changes the owner of a file")
def test_a_secret_of_another_user_is_not_used(tmp_path: Path) -> None:
    load_secret(tmp_path)
    os.chown(tmp_path / SECRET_FILE, 12_345, -1)
    with pytest.raises(SetupError, match="delete it"):
        load_secret(tmp_path)


@pytest.mark.parametrize(
    ("public_url", "mode", "is_allowed"),
    [
        ("http://127.0.0.1:8080", "link", True),
        ("http://localhost", "link", True),
        ("http://127.0.0.1:8080", "open", False),
        ("http://keepsake.example.com", "link", False),
        ("", "link", False),
    ],
)
def test_a_container_published_on_loopback_needs_the_link(public_url: str, mode: str, *, is_allowed: bool) -> None:
    values: dict[str, Any] = {"host": "0.0.0.0", "public_url": public_url, "local_sign_in": mode}
    if is_allowed:
        assert GatewaySettings(_env_file=None, **values)
    else:
        with pytest.raises(ValueError, match="KEEPSAKE_OIDC_ISSUER"):
            GatewaySettings(_env_file=None, **values)


def test_the_command_prints_a_token(gateway: RunningGateway) -> None:
    result = CliRunner(env={"DATABASE_URL": gateway.database}).invoke(keepsake, ["token", "--user", "ada"])
    assert result.exit_code == 0, result.output
    me = httpx.get(f"{gateway.url}/me", headers={"Authorization": f"Bearer {result.output.strip()}"})
    assert me.json()["user_id"] == user_label("keepsake-local", "ada")


async def test_the_link_printed_at_start_up_contains_the_secret(databases: Databases, work_dir: Path) -> None:
    command = ["keepsake", "serve", "--port", "0", "--no-worker"]
    environment = {"DATABASE_URL": databases.create("minilm"), "KEEPSAKE_LOCAL_SIGN_IN": "link"}
    with Process(command, work_dir=work_dir, **environment) as server:
        address = server.wait_for(r"Keepsake is running at (\S+)")[1]
        link, secret = server.wait_for(r"(http\S+#secret=(\S+))").groups()
        server.wait_for("Ctrl-C")
        async with httpx.AsyncClient(base_url=address) as http:
            assert (await http.post("/dev/token", json=ADA)).status_code == 403
            assert (await http.post("/dev/token", json=ADA, headers={"X-Keepsake-Secret": secret})).is_success
    assert link == sign_in_link(address, load_secret(work_dir / ".keepsake"))
    assert "".join(server.output).count(secret) == 1
