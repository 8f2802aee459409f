"""Bytes that are hardly HTTP: wrong lengths, chunks, lines, fields, and requests that end in the middle."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from random import Random

from tests.support.fuzzing.inputs import Input, understood
from tests.support.fuzzing.json_trees import written
from tests.support.fuzzing.real_requests import PREFLIGHT, Request, corpus
from tests.support.fuzzing.spoilt_http import body_of, framed, request_bytes
from tests.support.fuzzing.spoilt_json import garbled

LENGTHS = (
    *(b"-1", b"+5", b"0x10", b"1e3", b"", b" ", b"5, 5", b"5;5", b"1_0", b"\xd9\xa1"),
    *(b"99999999999999999999", b"0"),
    *(b"00005", b"5 5", b"9" * 5_000, b"1.0"),
)
CODINGS = (
    *(b"chunked, chunked", b"gzip, chunked", b"chunked, gzip", b"identity", b"x", b"", b"Chunked"),
    *(b"\x0bchunked", b"gzip"),
)
CONNECTIONS = (
    *((b"Connection", b"close"), (b"Connection", b"Upgrade"), (b"Upgrade", b"websocket")),
    *((b"Upgrade", b"h2c"),),
    *((b"Expect", b"100-continue"), (b"Expect", b"x"), (b"Connection", b"keep-alive, \xff")),
    *((b"Trailer", b"x"),),
    *((b"Sec-WebSocket-Version", b"13"), (b"Sec-WebSocket-Key", b"x"), (b"HTTP2-Settings", b"AAMAAABkAAQ")),
)
VERSIONS = (
    b"HTTP/1.0",
    b"HTTP/2.0",
    b"HTTP/0.9",
    b"HTTP/1.9",
    b"HTTP/1",
    b"http/1.1",
    b"HTTP/1.1 x",
    b"",
    b"XTTP/1.1",
)
ODD_LINES = (
    *(b"POST", b"POST /mcp", b"/mcp HTTP/1.1", b"POST  /mcp HTTP/1.1", b"POST\t/mcp\tHTTP/1.1"),
    *(b"PO\xffST /mcp HTTP/1.1",),
    *(b"CONNECT 127.0.0.1:80 HTTP/1.1", b"OPTIONS * HTTP/1.1", b"PRI * HTTP/2.0\r\n\r\nSM"),
    *(b"POST mcp HTTP/1.1",),
    *(b"POST /\xff\xfe HTTP/1.1", b"POST http://[ HTTP/1.1", b"POST http://a:b/ HTTP/1.1"),
    *(b"POST /mcp\x00 HTTP/1.1",),
    *(b"CONNECT /mcp HTTP/1.1", b"GET http:///mcp HTTP/1.1", b"POST /" + b"a" * 20_000 + b" HTTP/1.1"),
    *(b"GET / HTTP/1.1\n",),
)
ODD_FIELDS = (
    *(b"X", b": x", b"X : y", b" X: y", b"X: y\r\n folded", b"X: y\rZ: z", b"X: y\nZ: z", b"X\x00: y"),
    *(b"X\xff: y",),
    *(b"X: " + b"y" * 20_000, b"X" * 20_000 + b": y", b"X: y\x00", b"(x): y"),
    *(b"X: y\r\n\r\nGET / HTTP/1.1\r\nHost: x",),
)
GREETINGS = (
    *(b"\r\n\r\n", b"\n", b" ", b"\x00", b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", b"SSH-2.0-x\r\n"),
    *(b"\xff" * 100,),
    *(b"{}\r\n", b"PROXY TCP4 1.2.3.4 5.6.7.8 1 2\r\n", b"*1\r\n$4\r\nPING\r\n", b"HTTP/1.1 200 OK\r\n\r\n"),
    *(b"a" * 30_000,),
)
CHUNK_MISTAKES = (
    *(b"-1\r\nx\r\n0\r\n\r\n", b"fffffffffffffffffff\r\nx\r\n", b"zz\r\n\r\n", b"5\r\nabc"),
    *(b"5\r\nabcdefgh\r\n0\r\n\r\n",),
    *(b"0x5\r\nabcde\r\n0\r\n\r\n", b"5;" + b"e" * 20_000 + b"\r\nabcde\r\n0\r\n\r\n", b"5\nabcde\n0\n\n"),
    *(b"\r\n", b"5 \r\nabcde"),
    *(b"0\r\nX: y\r\n\r\n", b"0\r\n" + b"T: t\r\n" * 2_000 + b"\r\n", b"0\r\nX\r\n\r\n", b"1\r\n{\r\n"),
    *(b"+1\r\n{\r\n0\r\n\r\n",),
)


def chunked(body: bytes, random: Random) -> bytes:
    pieces, at = [], 0
    while at < len(body):
        size = random.randint(1, max(2, len(body) // 3))
        piece = body[at : at + size]
        pieces.append(b"%x\r\n%s\r\n" % (len(piece), piece))
        at += size
    return b"".join(pieces) + b"0\r\n\r\n"


@cache
def _finite() -> tuple[Request, ...]:
    posted = [request for request in corpus() if request is not PREFLIGHT]
    return tuple(request for request in posted if "subscriptions/listen" not in written(request.message))


def _any(random: Random) -> Request:
    """Return a request with a body that is answered and done: no listening, which has no end."""
    return random.choice(_finite())


def _with_length(random: Random) -> Input:
    request = _any(random)
    body = body_of(request.message, random)
    lengths = [(b"Content-Length", random.choice(LENGTHS)) for _ in range(random.choice((1, 1, 2)))]
    if random.random() < 0.3:
        lengths = [(b"Content-Length", b"%d" % (len(body) + random.choice((-5, -1, 1, 5, 10_000, 10**9))))]
    if random.random() < 0.2:
        lengths.append((b"Content-Length", b"%d" % len(body)))
    return Input(request_bytes(request, body, (*request.headers, *lengths)), framed=False, due=None)


def _with_chunks(random: Random) -> Input:
    request = _any(random)
    body = body_of(request.message, random)
    request = replace(request, headers=(*request.headers, (b"Transfer-Encoding", b"chunked")))
    good = request_bytes(request, chunked(body, random))
    if random.random() < 0.3:
        return Input(good, "POST", request.headers, body, understood(body))
    bad = random.choice((garbled(chunked(body, random), random), random.choice(CHUNK_MISTAKES)))
    return Input(request_bytes(request, bad), framed=False, due=None)


def _cut_off(random: Random) -> Input:
    request = _any(random)
    body = body_of(request.message, random)
    if random.random() < 0.5:
        length = b"Content-Length: %d" % len(body)
    else:
        length, body = b"Transfer-Encoding: chunked", chunked(body, random)
    head = request_bytes(request, b"")[:-2] + length + b"\r\n\r\n"
    if random.random() < 0.5:
        return Input(head[: random.randrange(len(head))], framed=False, due=0)
    # What is missing of the body never comes: the service must say so.
    return Input(head + body[: random.randrange(len(body))], framed=False, due=1)


def _with_coding(random: Random) -> Input:
    request = _any(random)
    body = chunked(body_of(request.message, random), random)
    headers = [*request.headers, (b"Transfer-Encoding", random.choice(CODINGS))]
    if random.random() < 0.4:
        headers.append((b"Content-Length", b"%d" % len(body)))
    if random.random() < 0.3:
        headers.append((b"Transfer-Encoding", b"chunked"))
    random.shuffle(headers)
    return Input(request_bytes(request, body, tuple(headers)), framed=False, due=None)


def _with_connection(random: Random) -> Input:
    request = _any(random)
    body = body_of(request.message, random)
    extra = tuple(random.choice(CONNECTIONS) for _ in range(random.choice((1, 2, 3))))
    headers = (*request.headers, *extra, (b"Content-Length", b"%d" % len(body)))
    return Input(request_bytes(request, body, headers), framed=False, due=None)


def _with_line(random: Random) -> Input:
    request = _any(random)
    body = body_of(request.message, random)
    headers = (*request.headers, (b"Content-Length", b"%d" % len(body)))
    if random.random() < 0.3:
        wire = request_bytes(replace(request, http=random.choice(VERSIONS)), body, headers)
    else:
        wire = request_bytes(request, body, headers)
        wire = random.choice(ODD_LINES) + wire[wire.index(b"\r\n") :]
    return Input(wire, framed=False, due=None)


def _with_field(random: Random) -> Input:
    request = _any(random)
    body = body_of(request.message, random)
    length = b"Content-Length: %d\r\n\r\n" % len(body)
    wire = request_bytes(request, b"")[:-2] + random.choice(ODD_FIELDS) + b"\r\n" + length + body
    return Input(wire, framed=False, due=None)


def _garbage(random: Random) -> Input:
    request = _any(random)
    body = body_of(request.message, random)
    whole = framed(request, body).wire
    wire = random.choice(
        (
            random.choice(GREETINGS) + whole,
            random.choice(GREETINGS),
            random.randbytes(random.randint(1, 3_000)),
            random.randbytes(random.randint(1, 30)) + whole,
            garbled(whole, random),
            whole.replace(b"\r\n", b"\n"),
            whole.replace(b"\r\n", b"\r"),
            garbled(whole[: whole.index(b"\r\n\r\n")], random) + b"\r\n\r\n" + body,
        )
    )
    return Input(wire, framed=False, due=None)


def _pipelined(random: Random) -> Input:
    """Several requests at once, most of them good: each is answered, in their order."""
    inputs = [
        framed(request := _any(random), body_of(request.message, random)) for _ in range(random.randint(2, 6))
    ]
    wire = b"".join(each.wire for each in inputs)
    if random.random() < 0.3:
        return Input(wire + random.choice((*GREETINGS, b"POST /mcp HT", wire[:50])), framed=False, due=None)
    return Input(wire, framed=False, due=len(inputs))


SHAPES: tuple[Callable[[Random], Input], ...] = (
    *(_with_length, _with_chunks, _cut_off, _with_coding, _with_connection, _with_line, _with_field),
    *(_garbage, _garbage, _pipelined),
)


def misframed(random: Random) -> Input:
    """Return bytes that are hardly HTTP: wrong lengths, chunks, lines, fields, and requests that end in the middle."""
    return random.choice(SHAPES)(random)
