"""Content codings: whatever was packed comes back whole, and what is broken or too large is found out."""

from __future__ import annotations

import contextlib
import gzip
import sys
import tracemalloc
import zlib
from collections.abc import Callable

import brotli  # type: ignore[import-untyped]
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.laws import examples
from tests.support.timing import is_linear
from web_tools.fetching.content_decoding import MAX_CODINGS, MAX_MEMBERS, PART_BYTES, content_codings, unpack
from web_tools.pages import WebError

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

Pack = Callable[[bytes], bytes]


def raw_deflate(data: bytes) -> bytes:
    packer = zlib.compressobj(wbits=-zlib.MAX_WBITS)
    return packer.compress(data) + packer.flush()


PACKERS: dict[str, list[Pack]] = {
    "gzip": [gzip.compress],
    "x-gzip": [gzip.compress],
    "deflate": [zlib.compress, raw_deflate],
    "br": [lambda data: brotli.compress(data, quality=4)],
    "zstd": [zstd.compress],
}
PACKED = [pytest.param(coding, pack, id=coding) for coding, packers in PACKERS.items() for pack in packers]

# Around the size of a part, where a decoder has output left that it was given no room for.
LENGTHS = [1, 2, PART_BYTES - 1, PART_BYTES, PART_BYTES + 1, 2 * PART_BYTES, 5 * PART_BYTES + 7]


@pytest.mark.parametrize("coding, pack", PACKED)
@given(data=st.binary(min_size=1, max_size=500))
def test_what_was_packed_comes_back(coding: str, pack: Pack, data: bytes) -> None:
    assert unpack(pack(data), [coding], len(data)) == data


@pytest.mark.unmeasured
@pytest.mark.parametrize("coding, pack", PACKED)
@pytest.mark.parametrize("length", LENGTHS)
def test_any_length_comes_back_whether_it_packs_well_or_not(coding: str, pack: Pack, length: int) -> None:
    for data in (b"a" * length, bytes(value * value % 251 for value in range(length))):
        assert unpack(pack(data), [coding], length) == data


@pytest.mark.parametrize("coding, pack", PACKED)
def test_a_body_that_was_cut_is_an_error(coding: str, pack: Pack) -> None:
    packed = pack(bytes(range(256)) * 4)
    for length in range(1, len(packed) - 8):
        with pytest.raises(WebError, match=coding.removeprefix("x-")):
            unpack(packed[:length], [coding], 10_000)


@examples(400)
@given(coding=st.sampled_from(list(PACKERS)), body=st.binary(max_size=200))
def test_any_bytes_are_unpacked_or_refused(coding: str, body: bytes) -> None:
    with contextlib.suppress(WebError):
        assert len(unpack(body, [coding], 5000)) <= 5000


@pytest.mark.parametrize("coding, pack", PACKED)
def test_one_byte_more_than_allowed_is_refused(coding: str, pack: Pack) -> None:
    packed = pack(b"a" * 1000)
    assert len(unpack(packed, [coding], 1000)) == 1000
    with pytest.raises(WebError, match="more than 999 bytes when unpacked"):
        unpack(packed, [coding], 999)


@pytest.mark.parametrize("coding, pack", PACKED)
def test_a_bomb_is_never_unpacked_further_than_allowed(coding: str, pack: Pack) -> None:
    bomb = pack(bytes(30_000_000))
    tracemalloc.start()
    with pytest.raises(WebError, match="more than 100000 bytes"):
        unpack(bomb, [coding], 100_000)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 2_000_000


def test_a_bomb_in_a_bomb_is_refused_at_the_first() -> None:
    bomb = gzip.compress(gzip.compress(bytes(30_000_000)) * 20)
    with pytest.raises(WebError, match="more than 50000 bytes"):
        unpack(bomb, ["gzip", "gzip"], 50_000)


def test_codings_are_undone_from_the_last_to_the_first() -> None:
    packed = brotli.compress(gzip.compress(b"hello"))
    assert unpack(packed, ["gzip", "br"], 100) == b"hello"


@pytest.mark.parametrize("coding, pack", [("gzip", gzip.compress), ("zstd", zstd.compress)])
@pytest.mark.parametrize("length", [10, PART_BYTES - 300, PART_BYTES, 3 * PART_BYTES])
def test_several_members_are_one_text(coding: str, pack: Pack, length: int) -> None:
    # Bytes that do not pack well, so that the second member begins anywhere in a slice.
    noise = bytes(value * value * 31 % 251 for value in range(length))
    members = [pack(noise), pack(b"second"), pack(b"third")]
    assert unpack(b"".join(members), [coding], 10**6) == noise + b"secondthird"


@pytest.mark.parametrize("coding, pack", [each for each in PACKED if each.id != "br"])
@pytest.mark.parametrize("padding", [b"\0" * 512, b"\n", b"<!-- served by -->"])
def test_padding_after_the_content_is_no_part_of_it(coding: str, pack: Pack, padding: bytes) -> None:
    assert unpack(pack(b"hello") + padding, [coding], 100) == b"hello"


def test_padding_that_begins_with_a_slice_is_no_part_of_the_content() -> None:
    noise = bytes(value * value * 31 % 251 for value in range(PART_BYTES))
    packed = gzip.compress(noise, compresslevel=0)
    whole = packed + b"\0" * (PART_BYTES - len(packed) % PART_BYTES)
    assert unpack(whole + b"\0" * 100, ["gzip"], 10**6) == noise


@pytest.mark.timed
@pytest.mark.parametrize("coding, pack", [("gzip", gzip.compress), ("zstd", zstd.compress)])
def test_many_members_take_time_as_their_number(coding: str, pack: Pack) -> None:
    assert is_linear(lambda number: unpack(pack(b"a") * number, [coding], number), MAX_MEMBERS // 4)


@pytest.mark.parametrize("coding, pack", [("gzip", gzip.compress), ("zstd", zstd.compress)])
def test_more_members_than_files_have_are_refused(coding: str, pack: Pack) -> None:
    for data in (b"a", b""):
        packed = pack(data) * MAX_MEMBERS
        assert unpack(packed, [coding], MAX_MEMBERS) == data * MAX_MEMBERS
        with pytest.raises(WebError, match="more than 5000 pieces"):
            unpack(packed + pack(data), [coding], 10**6)


def test_a_zstd_window_that_needs_much_memory_is_refused() -> None:
    options: dict[int, int] = {
        zstd.CompressionParameter.window_log: 27,
        zstd.CompressionParameter.content_size_flag: 0,
    }
    packer = zstd.ZstdCompressor(options=options)
    with pytest.raises(WebError, match="not valid zstd"):
        unpack(packer.compress(b"a") + packer.flush(), ["zstd"], 100)


def test_an_empty_body_is_empty_in_any_coding() -> None:
    assert unpack(b"", ["gzip", "br"], 10) == b""


@pytest.mark.parametrize(
    "header, codings",
    [
        ("", []),
        ("identity", []),
        ("GZIP", ["gzip"]),
        (" br , identity,, gzip", ["br", "gzip"]),
        (",".join(["gzip"] * MAX_CODINGS), ["gzip"] * MAX_CODINGS),
    ],
)
def test_codings_are_read_from_their_header(header: str, codings: list[str]) -> None:
    assert content_codings(header) == codings


@pytest.mark.parametrize("header", ["compress", "gzip, aes128gcm", ",".join(["gzip"] * (MAX_CODINGS + 1))])
def test_codings_that_are_unknown_or_too_many_are_refused(header: str) -> None:
    with pytest.raises(WebError, match="expected some of gzip"):
        content_codings(header)
