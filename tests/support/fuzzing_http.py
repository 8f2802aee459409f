"""Requests as bytes: real ones with mistakes in them, HTTP that is none, and calls without a key.

The messages come from fuzzing.py; everything here is what goes over the wire.
"""

from __future__ import annotations

import base64
import gzip
import zlib
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from random import Random
from typing import Any

from tests.support.fuzzing import (
    PREFLIGHT,
    UNKNOWN,
    USUAL,
    Input,
    Pairs,
    Request,
    corpus,
    garbled,
    spoilt,
    understood,
    written,
)
from tests.support.messages import LEGACY, MODERN

# --- Headers ---------------------------------------------------------------------------------------------------

VALUES = (
    *(b"", b" ", b"x", b"*", b"null", b"0", b"-1", b"\xff\xfe", b"\xc3\xa9", "字".encode(), b"a\tb"),
    *(b"a" * 5_000,),
    *(b"a\x00b", b"a\x01b", b"\x7f", b"a" * 9_000, b",", b", ,", b";", b'"', b"=?base64?", b"=?base64??="),
    *(b"=??=",),
    *(b"=?base64?c3VtbWFyaXpl?=", b"=?base64?c3VtbWFyaXpl", b"=?base64?c3VtbWFyaXplX=?="),
    *(b"=?BASE64?c3VtbWFyaXpl?=",),
    *(b"=?base64?/w==?=", b"=?base64?\xff?=", b"=?base64?!!!!?=", b"=?base64?7aCA?=", b"summarize"),
    *(b"tools/list",),
    *(MODERN.encode(), *(version.encode() for version in LEGACY), b"2026-07-28 ", b"2099-01-01"),
)
KNOWN_VALUES: dict[bytes, tuple[bytes, ...]] = {
    b"Host": (
        *(b"localhost", b"localhost:1", b"[::1]:80", b"evil.example", b"127.0.0.1:x", b"127.0.0.1:", b"["),
        *(b"[::1",),
        *(b"a@127.0.0.1", b"127.0.0.1/x", b"\xff", b"localhost:99999999", b"%00", b"127.0.0.1,127.0.0.1"),
        *(b":80",),
    ),
    b"Origin": (
        b"null",
        b"http://localhost:3000",
        b"http://127.0.0.1",
        b"https://evil.example",
        b"http://[",
        b"file://",
    ),
    b"Content-Type": (
        *(b"text/plain", b"application/json; charset=utf-16", b"application/json;charset"),
        *(b"application/json, text/x",),
        *(b"APPLICATION/JSON", b"multipart/form-data; boundary=x", b"application/x-www-form-urlencoded"),
        *(b"/", b";", b"a"),
        *(b"application/json; charset=\xff", b"application/json; x=" + b"y" * 4_000),
        *(b'application/json;;;="', b"*/*"),
    ),
    b"Accept": (
        *(b"application/json", b"text/event-stream", b"*/*", b"text/html", b"application/*;q=0", b"q=1"),
        *(b";;", b","),
        *(b"application/json;q=\xff", b"a/b," * 1_500, b"Text/Event-Stream, Application/JSON", b"*/json"),
    ),
    b"Authorization": (
        b"Bearer x",
        b"Basic eDp5",
        b"Bearer",
        b"Bearer \xff",
        b"bearer  " + b"k" * 3_000,
        b"Digest a=b",
    ),
    b"Mcp-Session-Id": (b"x", b"\xff", b"../x"),
    b"Last-Event-ID": (b"1", b"\xff"),
    b"Mcp-Param-Region": (b"x", b"=?base64?eA==?="),
    b"Cookie": (b"a=b", b"=;=;", b"\xff=\xff; a", b"a=" + b"b" * 4_000, b'$Version=1; a="\\'),
    b"Content-Encoding": (
        b"identity",
        b"gzip",
        b"deflate",
        b"br",
        b"zstd",
        b"x",
        b"gzip, gzip",
        b"",
        b"\xff",
    ),
    b"Access-Control-Request-Method": (b"POST", b"\xff"),
    b"Access-Control-Request-Headers": (
        b"mcp-param-x, authorization",
        b"mcp-param-\xff",
        b"," * 3_000,
        b"a b",
    ),
    b"Range": (b"bytes=0-1", b"bytes=--", b"x"),
    b"If-Modified-Since": (b"x", b"Sun, 99 Nov 9999 99:99:99 GMT"),
    b"If-None-Match": (b"*", b'"', b"W/"),
    b"Forwarded": (b"for=1.2.3.4;host=evil", b'for="\\', b";,="),
    b"X-Forwarded-Host": (b"evil.example",),
    b"Keep-Alive": (b"timeout=5", b"x"),
    b"TE": (b"trailers", b"x"),
    b"Date": (b"x",),
    b"Accept-Encoding": (b"gzip, deflate", b"br;q=1.0", b"\xff", b"*"),
    b"Accept-Language": (b"de", b"\xff"),
    b"Max-Forwards": (b"0",),
    b"X-HTTP-Method-Override": (b"DELETE",),
    b"Pragma": (b"no-cache",),
}
OTHER_NAMES = tuple(KNOWN_VALUES)


def odd_header(random: Random) -> tuple[bytes, bytes]:
    name = random.choice(OTHER_NAMES)
    return name, random.choice(KNOWN_VALUES[name] if random.random() < 0.8 else VALUES)


def headers_spoilt(headers: Pairs, random: Random) -> Pairs:
    """Return headers with one of them missing, twice, different, or one that does not belong there."""
    at = random.randrange(len(headers))
    name, value = headers[at]
    other = random.choice(KNOWN_VALUES.get(name, VALUES) if random.random() < 0.6 else VALUES)
    before, after = headers[:at], headers[at + 1 :]
    return random.choice(
        (
            before + after,
            (*headers, (name, value)),
            (*before, (name, other), *after),
            (*before, (name, other), *after),
            (*headers, (name, other)),
            ((name.lower(), other), *headers),
            (*before, (name.swapcase(), b" \t" + value + b" \t "), *after),
            (*before, (name + b"-x", value), *after),
            (*headers, odd_header(random)),
            (*headers, odd_header(random), odd_header(random)),
            (*headers, *((b"X-%d" % number, b"y") for number in range(random.choice((5, 90, 200))))),
        )
    )


# --- One whole request -----------------------------------------------------------------------------------------

HTTP_METHODS = (
    *(b"GET", b"HEAD", b"DELETE", b"PUT", b"PATCH", b"OPTIONS", b"TRACE", b"PROPFIND", b"post", b"SEARCH"),
    *(b"M-SEARCH",),
    *(b"X" * 300, b"QUERY"),
)
TARGETS = (
    *(b"/mcp/", b"/mcp?x=1&x=2", b"/mcp?api_key=k", b"/mcp#f", b"/mcp//", b"/MCP", b"/%6dcp", b"/mcp%00"),
    *(b"/mcp%2f",),
    *(b"/mcp/../mcp", b"//evil.example/mcp", b"/", b"/sse", b"/messages", b"/" + b"a" * 7_000),
    *(b"/mcp?" + b"a" * 7_000,),
    *(b"/%", b"/%ff", b"/mcp;x", b"/.well-known/oauth-protected-resource/mcp", b"/mcp?%", b"/favicon.ico"),
    *(b"/mcp.py",),
    *(b"http://127.0.0.1/mcp", b"/../../etc/passwd", b"/static/../app.py", b"/mcp/x"),
)


def request_bytes(request: Request, body: bytes, headers: Pairs | None = None) -> bytes:
    lines = b"".join(name + b": " + value + b"\r\n" for name, value in headers or request.headers)
    return b" ".join((request.method, request.target, request.http)) + b"\r\n" + lines + b"\r\n" + body


def body_of(message: Any, random: Random) -> bytes:
    return written(message, ascii_only=random.random() < 0.7).encode("utf-8", "surrogatepass")


def framed(request: Request, body: bytes, plain: bytes | None = None) -> Input:
    """Return an input that is one request with its length; `plain` is what is in the body, where it is compressed."""
    headers = (*request.headers, (b"Content-Length", b"%d" % len(body)))
    encoded = any(name.lower() == b"content-encoding" for name, _ in headers)
    message = UNKNOWN if encoded and plain is None else understood(body if plain is None else plain)
    wire = request_bytes(request, body, headers)
    return Input(wire, request.method.decode(), headers, body if plain is None else plain, message)


def _compressed(request: Request, body: bytes, random: Random) -> Input:
    kind, pack = random.choice(((b"gzip", gzip.compress), (b"deflate", zlib.compress)))
    request = replace(request, headers=(*request.headers, (b"Content-Encoding", kind)))
    if random.random() < 0.5:
        return framed(request, pack(body), body)
    return framed(request, garbled(pack(body), random))


def _in_step(headers: Pairs, message: Any) -> Pairs:
    """Return headers that say what the message says: most mistakes would go no further than to a header that differs."""
    message = understood(written(message).encode())
    params = message.get("params") if isinstance(message, dict) else None
    params = params if isinstance(params, dict) else {}
    named = params.get("name") or params.get("taskId") or params.get("uri")
    method = message.get("method") if isinstance(message, dict) else None
    said = {
        name: text for name, text in ((b"Mcp-Method", method), (b"Mcp-Name", named)) if isinstance(text, str)
    }
    return tuple((name, _as_header(said[name]) if name in said else value) for name, value in headers)


def _as_header(text: str) -> bytes:
    """Write a text as clients do: as base64 where it is not plain."""
    if text.isascii() and text.isprintable() and text == text.strip():
        return text.encode()
    return b"=?base64?" + base64.b64encode(text.encode("utf-8", "surrogatepass")) + b"?="


def mutated(random: Random) -> Input:
    """Return a real request with one to three mistakes in it, in its message, its bytes, its headers or its line."""
    request = random.choice(corpus())
    message, body = request.message, None
    for _ in range(random.choice((1, 1, 1, 2, 3))):
        kind = random.random()
        if kind < 0.6:
            message = spoilt(message, random)
        elif kind < 0.85:
            request = replace(request, headers=headers_spoilt(request.headers, random) or USUAL)
        elif kind < 0.94:
            body = garbled(body_of(message, random), random)
        elif kind < 0.97:
            request = replace(request, method=random.choice(HTTP_METHODS))
        else:
            request = replace(request, target=random.choice(TARGETS))
    if random.random() < 0.5:
        request = replace(request, headers=_in_step(request.headers, message))
    body = body_of(message, random) if body is None else body
    return _compressed(request, body, random) if random.random() < 0.02 else framed(request, body)


# --- HTTP that may be wrong ------------------------------------------------------------------------------------

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


# --- Without a key ---------------------------------------------------------------------------------------------


def _nearly(key: bytes) -> tuple[Pairs, ...]:
    values = (
        *(b"Bearer", b"Bearer ", b"Bearer " + key[:-1], b"Bearer " + key + b"x", b"Bearer " + key.swapcase()),
        *(b"Basic " + key, key, b"Bearer\t" + key, b"Bearer " + key + b"\xff", b'Bearer "' + key + b'"'),
        *(b"Bearer " + key + b", Bearer " + key, b"Bearer  " + key[::-1], b"Bearer " + b"k" * 5_000),
        b"\xffBearer " + key,
    )
    names = (b"X-Authorization", b"Proxy-Authorization", b"Cookie", b"X-Api-Key")
    right = (b"Authorization", b"Bearer " + key)
    return (
        *(((b"Authorization", value),) for value in values),
        *(((name, b"Bearer " + key),) for name in names),
        (),
        (right, right),
        ((b"Authorization", b"Bearer x"), right),
    )


def keyless(random: Random, key: bytes) -> Input:
    """Return a request of any kind, good or spoilt, whose key is missing or nearly right."""
    request = random.choice(corpus())
    request = replace(request, headers=(*request.headers, *random.choice(_nearly(key))))
    message = spoilt(request.message, random) if random.random() < 0.5 else request.message
    body = body_of(message, random)
    chance = random.random()
    if chance < 0.1:
        request = replace(request, method=random.choice(HTTP_METHODS))
    elif chance < 0.2:
        request = replace(request, headers=(*request.headers, odd_header(random)))
    elif chance < 0.25:
        request = replace(request, target=b"/mcp?key=" + key + b"&access_token=" + key)
    elif chance < 0.3:
        body = garbled(body, random)
    return framed(request, body)
