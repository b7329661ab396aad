"""What schemathesis has to know about the interface: how to encode JSON lines."""

from typing import Any

import schemathesis


@schemathesis.serializer("application/x-ndjson")
def json_lines(_: object, value: Any) -> bytes:  # noqa: ANN401 - any generated value
    """Encode a body of an import."""
    return value.encode("utf-8", "surrogatepass") if isinstance(value, str) else str(value).encode()
