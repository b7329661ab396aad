"""Listening sockets."""

import errno
import socket
import sys
from contextlib import ExitStack


def bind(host: str, port: int, *, shared: bool = False) -> socket.socket:
    """Bind a socket; `shared`: the kernel distributes connections over all such sockets that listen on the port.

    Raises:
        OSError: the address is in use or not available; the message gives the remedy.
    """
    host = host.strip("[]")
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # asyncio disables Nagle's algorithm only if the protocol is given; otherwise tokens are delayed by 40 ms.
    listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    if shared:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
    try:
        listener.bind((host, port))
    except OSError as error:
        listener.close()
        if error.errno == errno.EADDRINUSE:
            raise OSError(f"port {port} on {host} is in use: select another with KEEPSAKE_PORT or --port") from error
        raise OSError(f"cannot listen on {host}, port {port}: {error.strerror}") from error
    return listener


def address_of(listener: socket.socket) -> str:
    """The URL of a bound socket."""
    host, port = listener.getsockname()[:2]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def bind_group(host: str, port: int, count: int) -> list[socket.socket]:
    """Bind a socket on one port for each of several processes. Outside Linux, they share one.

    Raises:
        OSError: as `bind`, also if a process of the same user listens on the port already.
    """
    with ExitStack() as stack:
        # A socket that is not shared cannot be bound while another listens.
        first = stack.enter_context(bind(host, port))
        if sys.platform != "linux":
            listeners = [first, *(first.dup() for _ in range(count - 1))]
            stack.pop_all()
            return listeners
        port = first.getsockname()[1]
    return [bind(host, port, shared=True) for _ in range(count)]
