"""Content codings undone: gzip, deflate, br and zstd, a part at a time, so that what unpacks to too much is found out early.

Blocks: a large body belongs into a worker thread.
"""

import sys
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence

import brotli  # type: ignore[import-untyped]

from web_tools.pages import WebError

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

# What is unpacked at once: neither more input nor, but for a little, more output is held beside the result.
PART_BYTES = 64 * 1024

# As curl: a body that was packed more often is an attack.
MAX_CODINGS = 5

# "decoders [...] SHALL support a Window_Size of at least 8 MB [...] encoders SHALL NOT [...] larger than 8 MB" (RFC 9659): 2 to the 23rd.
MAX_ZSTD_WINDOW_LOG = 23

# BGZF has a member for 65,280 bytes: 4,113 for the largest page there may be. Each takes a decoder, and millions of empty ones fit into a page.
MAX_MEMBERS = 5_000

GZIP_MAGIC = b"\x1f\x8b"
ZSTD_MAGIC = b"\x28\xb5\x2f\xfd"


def content_codings(header: str) -> list[str]:
    """Return the codings that a Content-Encoding header names, in the order they were applied; WebError for one that is unknown."""
    named = [name.strip().lower() for name in header.split(",")]
    codings = [name for name in named if name not in ("", "identity")]
    unknown = [name for name in codings if name not in DECODERS]
    if unknown or len(codings) > MAX_CODINGS:
        raise WebError(f"the content coding {header[:100]!r}: expected some of {', '.join(DECODERS)}")
    return codings


def unpack(body: bytes | bytearray, codings: Sequence[str], max_bytes: int) -> bytes:
    """Undo codings, given in the order they were applied. Raises WebError for broken data, and over `max_bytes` after any of them."""
    for coding in reversed(codings):
        if body:
            body = _unpacked(bytes(body), coding, max_bytes)
    return bytes(body)


def _unpacked(body: bytes, coding: str, max_bytes: int) -> bytes:
    unpacked = bytearray()
    try:
        for part in DECODERS[coding](body):
            unpacked += part
            if len(unpacked) > max_bytes:
                raise WebError(f"more than {max_bytes} bytes when unpacked ({coding})")
    except (zlib.error, brotli.error, zstd.ZstdError, EOFError) as error:
        raise WebError(f"the content is not valid {coding}: {error}") from None
    return bytes(unpacked)


def _slices(body: bytes) -> Iterator[bytes]:
    """Yield the body in slices, since the decoders copy what they have not used yet."""
    for start in range(0, len(body), PART_BYTES):
        yield body[start : start + PART_BYTES]


def _gzip(body: bytes) -> Iterator[bytes]:
    """A gzip file may have several members (RFC 1952, 2.2); whatever else follows one is padding."""
    return _members(body, GZIP_MAGIC, lambda: _Inflater(zlib.MAX_WBITS | 32))


def _deflate(body: bytes) -> Iterator[bytes]:
    """With or without the header of zlib: "some non-conformant implementations send [...] without the zlib wrapper" (RFC 9110)."""
    has_header = body[0] & 0x0F == zlib.DEFLATED and int.from_bytes(body[:2], "big") % 31 == 0
    wbits = zlib.MAX_WBITS if has_header else -zlib.MAX_WBITS
    return _members(body, None, lambda: _Inflater(wbits))


def _zstd(body: bytes) -> Iterator[bytes]:
    return _members(body, ZSTD_MAGIC, _Unzstd)


class _Inflater:
    """zlib's decompressor, with the parts of its state under the names that zstd's has."""

    def __init__(self, wbits: int) -> None:
        self._inner = zlib.decompressobj(wbits)

    @property
    def eof(self) -> bool:
        return self._inner.eof

    @property
    def unused_data(self) -> bytes:
        return self._inner.unused_data

    def parts(self, data: bytes) -> Iterator[bytes]:
        """Yield what comes of more input."""
        part = b""
        while not self.eof and (data or len(part) == PART_BYTES):
            part = self._inner.decompress(data, PART_BYTES)
            data = self._inner.unconsumed_tail
            yield part


class _Unzstd:
    def __init__(self) -> None:
        self._inner = zstd.ZstdDecompressor(
            options={zstd.DecompressionParameter.window_log_max: MAX_ZSTD_WINDOW_LOG}
        )

    @property
    def eof(self) -> bool:
        return self._inner.eof

    @property
    def unused_data(self) -> bytes:
        return self._inner.unused_data

    def parts(self, data: bytes) -> Iterator[bytes]:
        """Yield what comes of more input."""
        yield self._inner.decompress(data, PART_BYTES)
        while not self.eof and not self._inner.needs_input:
            yield self._inner.decompress(b"", PART_BYTES)


def _members(
    body: bytes, magic: bytes | None, open_member: Callable[[], _Inflater | _Unzstd]
) -> Iterator[bytes]:
    """Yield the parts of one member, and of those that follow it and begin with `magic`. Raises WebError for more than MAX_MEMBERS."""
    member: _Inflater | _Unzstd | None = open_member()
    members = 1
    for piece in _slices(body):
        data = piece
        while data:
            if member is None:
                # The magic may be cut by the end of a slice.
                if magic is None or not magic.startswith(data[: len(magic)]):
                    return
                members += 1
                if members > MAX_MEMBERS:
                    raise WebError(f"packed in more than {MAX_MEMBERS} pieces, and not unpacked")
                member = open_member()
            yield from member.parts(data)
            data = member.unused_data if member.eof else b""
            member = None if member.eof else member
    if member:
        raise EOFError("it ends too early")


def _brotli(body: bytes) -> Iterator[bytes]:
    """Nothing may follow the content: the decoder gives out none of it then."""
    decoder = brotli.Decompressor()
    for data in _slices(body):
        part = decoder.process(data, output_buffer_limit=PART_BYTES)
        yield part
        while not decoder.is_finished() and (len(part) >= PART_BYTES or not decoder.can_accept_more_data()):
            part = decoder.process(b"", output_buffer_limit=PART_BYTES)
            yield part
    if not decoder.is_finished():
        raise EOFError("it ends too early")


DECODERS: Mapping[str, Callable[[bytes], Iterator[bytes]]] = {
    "gzip": _gzip,
    "x-gzip": _gzip,  # "A recipient SHOULD consider "x-gzip" to be equivalent" (RFC 9110, 8.4.1.3)
    "deflate": _deflate,
    "br": _brotli,
    "zstd": _zstd,
}
