"""HTTPS: the connection goes to the checked address, the certificate is held to the name."""

from __future__ import annotations

import asyncio
import ssl
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from tests.support.manual_time import LetPass, until
from tests.support.web_site import WebSite, redirects, says
from tests.web_tools.fetching.fetching import Names, fetching
from web_tools.fetching.page_fetcher import open_tls
from web_tools.pages import WebError

NAME = "secure.example"


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file with a key and a certificate of its own for secure.example."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, NAME)])
    now = datetime.now(UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(NAME)]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .sign(key, hashes.SHA256())
    )
    file = tmp_path_factory.mktemp("tls") / "certificate.pem"
    key_text = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    file.write_bytes(key_text + made.public_bytes(serialization.Encoding.PEM))
    return file


@pytest.fixture
def server_side(certificate: Path) -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)
    return context


NAMES = {NAME: [["127.0.0.1"]], "other.example": [["127.0.0.1"]]}


async def test_a_page_is_read_over_tls_by_its_name(certificate: Path, server_side: ssl.SSLContext) -> None:
    def trusting_it() -> ssl.SSLContext:
        return ssl.create_default_context(cafile=str(certificate))

    async with (
        WebSite({"/": redirects("/a"), "/a": says("hello")}, tls=server_side) as site,
        fetching(resolve=Names(NAMES), make_tls=trusting_it) as fetcher,
    ):
        assert (await fetcher.fetch(site.url(host=NAME))).body == b"hello"
        assert site.asked[0].headers["host"] == f"{NAME}:{site.port}"
        for host in ("other.example", "127.0.0.1"):
            with pytest.raises(WebError, match="no secure connection"):
                await fetcher.fetch(site.url(host=host))
        assert site.paths == ["/", "/a"]


async def test_a_certificate_that_nobody_trusts_is_an_error(server_side: ssl.SSLContext) -> None:
    async with (
        WebSite({"/": says("hello")}, tls=server_side) as site,
        fetching(resolve=Names(NAMES)) as fetcher,
    ):
        with pytest.raises(WebError, match=r"no secure connection .*certificate"):
            await fetcher.fetch(site.url(host=NAME))
        assert site.asked == []


async def test_a_server_that_does_not_speak_tls_is_an_error() -> None:
    async def speaks_plainly(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 400 Bad Request\r\n\r\n")
        await writer.drain()
        writer.close()

    server = await asyncio.start_server(speaks_plainly, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    async with server, fetching(make_tls=ssl.create_default_context) as fetcher:
        with pytest.raises(WebError, match="no secure connection"):
            await fetcher.fetch(f"https://127.0.0.1:{port}/")


async def test_a_handshake_that_never_ends_is_no_connection(let_only_this_pass: LetPass) -> None:
    connected = list[asyncio.StreamWriter]()

    async def silent(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        connected.append(writer)
        await reader.read()
        writer.close()

    server = await asyncio.start_server(silent, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    async with server, fetching(make_tls=ssl.create_default_context) as fetcher:
        task = asyncio.create_task(fetcher.fetch(f"https://127.0.0.1:{port}/"))
        await until(lambda: bool(connected), "the connection")
        let_only_this_pass(11)
        with pytest.raises(WebError, match="no connection within 10000 ms"):
            await task


def test_certificates_are_checked() -> None:
    context = open_tls()
    assert context.verify_mode == ssl.CERT_REQUIRED
    assert context.check_hostname
