"""The log of a process about malformed HTTP."""

import signal
import socket

import pytest

from tests.support.service import process

NOT_GZIP = (
    b"POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    b"Content-Encoding: gzip\r\nContent-Length: 11\r\n\r\nhidden-word"
)


@pytest.mark.parametrize(
    "wire, status",
    [
        (b"POST /mcp HTTP/1.1\r\nHost: localhost\r\nAuthorization : Bearer hidden-word\r\n\r\n", b" 400 "),
        (
            b'POST /mcp HTTP/1.1\nHost: localhost\nContent-Type: application/json\n\n{"x": "hidden-word"}',
            b" 400 ",
        ),
        (NOT_GZIP, b" 415 "),
    ],
    ids=["header", "body", "encoding"],
)
def test_malformed_http_is_refused_and_neither_quoted_nor_logged_as_an_error(
    wire: bytes, status: bytes
) -> None:
    with process() as service:
        with socket.create_connection(service.address, timeout=10) as connection:
            connection.sendall(wire)
            answer = connection.makefile("rb").readline()
        assert status in answer
        service.stop(signal.SIGTERM)
        _, out, err = service.ended()
    assert "hidden-word" not in out + err
    assert '"level": "error"' not in out
