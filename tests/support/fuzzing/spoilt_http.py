"""Real requests with mistakes in their message, their bytes, their headers or their line, and requests without a key. Each is whole HTTP."""

from __future__ import annotations

import base64
import gzip
import zlib
from dataclasses import replace
from random import Random
from typing import Any

from tests.support.fuzzing.inputs import UNKNOWN, Input, Pairs, understood
from tests.support.fuzzing.json_trees import written
from tests.support.fuzzing.real_requests import USUAL, Request, corpus
from tests.support.fuzzing.spoilt_json import garbled, spoilt
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
