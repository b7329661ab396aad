"""`keepsake chat`: chat with a running gateway in the terminal."""

import re
import signal
import sys
import uuid
from collections.abc import Iterator
from contextlib import suppress

import click
import httpx

from gateway.auth.sign_in_link import load_secret
from gateway.commands.chat_client import ChatClient, Json, RequestFailedError, parse_address, sign_in
from gateway.hosts import is_loopback
from gateway.settings import GatewaySettings

PROMPT = "> "
HELP = """/memories       list what is remembered; "pending": no memory is formed of it yet
/forget TEXT    forget it, or choose from a list; "undo that" restores it
/new            start a new thread
/quit           end (also Ctrl-D)
Ctrl-C stops an answer."""
CHANGES = {
    "memory.added": "remembered",
    "memory.replaced": "changed",
    "memory.restored": "restored",
    "memory.retired": "no longer remembered",
    "memory.forgotten": "forgotten",
}

# Answers and memories may contain sequences that control the terminal.
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")


@click.command()
@click.option("--url", envvar="KEEPSAKE_URL", help="Address of the gateway; by default that of this installation.")
@click.option("--key", envvar="KEEPSAKE_KEY", help="A personal key or an access token; KEEPSAKE_KEY by default.")
@click.option("--user", metavar="NAME", help="Name at sign-in, instead of a key, on the machine of the gateway.")
def chat(url: str | None, key: str | None, user: str | None) -> None:
    """Chat in the terminal. Without a terminal, each line of the input is a message; /help lists the commands."""
    signal.signal(signal.SIGINT, signal.default_int_handler)  # background jobs of a shell script start with it ignored
    settings = GatewaySettings()
    text = (url or settings.public_url or f"http://{settings.host}:{settings.port}").rstrip("/")
    try:
        address = parse_address(text)
        with ChatClient(address, key or _token(address, user, settings)) as client:
            client.check()
            has_failed = ChatSession(client).run(_lines())
    except RequestFailedError as error:
        raise click.ClickException(str(error)) from error
    sys.exit(has_failed and not sys.stdin.isatty())


def _token(address: httpx.URL, user: str | None, settings: GatewaySettings) -> str:
    if user is None:
        raise click.UsageError("give a key with --key or KEEPSAKE_KEY or, on the machine of the gateway, --user NAME")
    if not is_loopback(address.host):
        raise click.UsageError("--user works on the machine of the gateway only: give a key with --key or KEEPSAKE_KEY")
    return sign_in(address, user, load_secret(settings.data_dir))


def _lines() -> Iterator[str]:
    """The lines that the user types, until the end of the input or Ctrl-C."""
    if not sys.stdin.isatty():
        yield from sys.stdin
        return
    with suppress(ImportError):  # not on Windows; it lets the user edit the line
        import readline  # noqa: F401, PLC0415 - imported for its effect on `input`
    while True:
        try:
            yield input(PROMPT)
        except (EOFError, KeyboardInterrupt):
            click.echo()
            return


class ChatSession:
    """A conversation: the current thread, and what was said about changes of memory."""

    def __init__(self, client: ChatClient) -> None:
        self._client = client
        self._thread = str(uuid.uuid4())
        self._known_changes = {change["id"] for change in client.changes()}

    def run(self, lines: Iterator[str]) -> bool:
        """Answer each line; return True if an answer failed."""
        has_failed = False
        for line in lines:
            text = line.strip()
            if text == "/quit":
                break
            try:
                if text:
                    has_failed |= not self._execute(text)
            except RequestFailedError as error:
                _note(str(error), "red")
                has_failed = True
        return has_failed

    def _execute(self, text: str) -> bool:
        command, _, argument = text.partition(" ")
        if not text.startswith("/"):
            return self._send(text)
        if command == "/forget" and argument:
            return self._send(f"Forget: {argument}")
        if command == "/memories":
            for message in reversed(self._client.pending()):
                click.echo(f"{'pending':10}  {_one_line(message)}")
            for memory in self._client.memories():
                click.echo(f"{memory['kind']:10}  {_one_line(memory['text'])}")
        elif command == "/new":
            self._thread = str(uuid.uuid4())
            _note("a new thread")
        else:
            _note(HELP)
        return True

    def _send(self, text: str) -> bool:
        """Send a message and show the answer as it arrives; False if it failed."""
        is_complete = True
        try:
            for name, data in self._client.send(self._thread, text):
                is_complete &= self._show(name, data)
        except KeyboardInterrupt:
            click.echo()
            self._client.cancel(self._thread)
            _note("stopped")
            return True
        self._show_changes()
        return is_complete

    def _show(self, name: str, data: Json) -> bool:
        """Show an event; False if the run has failed."""
        match name:
            case "memory.recalled" if data["memories"]:
                _note(f"{len(data['memories'])} recalled")
            case "memory.recalled" if data["degraded"]:
                _note("memory is not available")
            case "tool.started":
                _note(f"{data['name']} …")
            case "token":
                click.echo(_printable(data["text"]), nl=False)
            case "run.finished":
                click.echo()
            case "run.failed":
                click.echo()
                _note(" ".join(filter(None, [data["problem"]["title"], data["problem"]["detail"]])), "red")
                return False
        return True

    def _show_changes(self) -> None:
        for change in self._client.changes():
            if change["id"] not in self._known_changes and change["type"] in CHANGES:
                text = (change["memory"] or {}).get("text") or "memories"
                _note(f"{CHANGES[change['type']]}: {text}")
            self._known_changes.add(change["id"])


def _note(text: str, colour: str | None = None) -> None:
    """Show something that is not part of an answer."""
    click.secho(_printable(text), fg=colour, dim=colour is None, err=True)


def _one_line(text: str) -> str:
    return _printable(" ".join(text.split()))


def _printable(text: str) -> str:
    return _CONTROL.sub("", text)
