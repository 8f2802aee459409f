"""GET / and GET /readme: what is said to whoever opens the address, and by which names."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import httpx
import pytest

from tests.support.service import ROOT, Run, Service
from tools.definitions import TOOLS

BROWSER = {"Accept": "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"}
VOID = {"meta", "link", "input"}
OF_THE_PAGE = ("page/icon.svg", "page/page.css", "page/main.js")


class Page(HTMLParser):
    """The page as a browser reads it: its text, its links, and whether each element is closed."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.text = ""
        self.links: list[str] = []
        self.loads: list[str] = []
        self.open: list[str] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        if tag not in VOID:
            self.open.append(tag)
        for name, value in attributes:
            if name == "href":
                self.links.append(value or "")
            if name in ("src", "srcset", "data", "action") or (name == "href" and tag != "a"):
                self.loads.append(value or "")

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if "style" not in self.open:
            self.text += data


async def get(service: Service, path: str = "/", **headers: str) -> httpx.Response:
    return await service.http.get(f"{service.origin}{path}", headers=headers)


async def test_a_browser_is_shown_what_this_is_and_where(service: Service) -> None:
    response = await get(service, **BROWSER)
    assert (response.status_code, response.headers["Content-Type"]) == (200, "text/html; charset=utf-8")
    page = Page(response.text)
    assert page.open == []
    assert tuple(page.loads) == OF_THE_PAGE
    assert service.url in page.text
    assert "Authorization" not in page.text
    for tool in TOOLS:
        assert tool["name"] in page.text
        assert tool["title"] in page.text
    linked = [link for link in page.links if not link.startswith("#/")]
    assert linked == ["page/icon.svg", "page/page.css", "health", "metrics", "readme"]
    for link in linked:
        assert (await get(service, f"/{link}")).status_code == 200


@pytest.mark.parametrize("path", ["/", *(f"/{file}" for file in OF_THE_PAGE)])
async def test_the_page_runs_and_loads_its_own_files_alone(service: Service, path: str) -> None:
    response = await get(service, path, **BROWSER)
    policy = dict(rule.split(" ", 1) for rule in response.headers["Content-Security-Policy"].split("; "))
    assert policy["default-src"] == "'none'"
    assert {policy[f"{kind}-src"] for kind in ("script", "style", "img", "connect")} == {"'self'"}
    assert {policy[name] for name in ("base-uri", "form-action", "frame-ancestors")} == {"'none'"}
    assert response.headers["X-Content-Type-Options"] == "nosniff"


async def test_each_module_that_the_page_imports_is_served(service: Service) -> None:
    waiting, seen = ["main.js"], set[str]()
    while waiting:
        seen.add(name := waiting.pop())
        response = await get(service, f"/page/{name}")
        assert (response.status_code, response.headers["Content-Type"]) == (
            200,
            "text/javascript; charset=utf-8",
        )
        waiting += set(re.findall(r'from "\./([a-z_]+\.js)"', response.text)) - seen
    assert "summary_beside_source.js" in seen


@pytest.mark.parametrize("name", ["none.js", "index.html", "..%2Ffront_page.py", "%2e%2e%2fauth.py"])
async def test_nothing_else_is_served_as_a_file_of_the_page(service: Service, name: str) -> None:
    assert (await get(service, f"/page/{name}")).status_code == 404


async def test_a_program_gets_the_same_as_text(service: Service) -> None:
    response = await get(service)
    assert response.headers["Content-Type"] == "text/plain; charset=utf-8"
    assert response.headers["Vary"] == "Accept"
    assert "<" not in response.text
    assert f"MCP endpoint: {service.url}\n" in response.text
    for word in (*(tool["name"] for tool in TOOLS), "/health", "/metrics", "/readme"):
        assert word in response.text


async def test_with_keys_it_needs_none_and_says_that_calls_do(run: Run) -> None:
    async with run(MCP_SUMMARIZER_API_KEYS="a-key-that-nobody-guesses") as service:
        response = await get(service)
    assert response.status_code == 200
    assert "Authorization: Bearer KEY" in response.text
    assert "a-key-that-nobody-guesses" not in response.text


@pytest.mark.parametrize("path", ["/", "/readme"])
async def test_a_name_that_is_not_allowed_gets_neither(service: Service, path: str) -> None:
    response = await get(service, path, Host="evil.example")
    assert response.status_code == 421
    assert response.text.startswith(
        "Host: expected a loopback name or one of ALLOWED_HOSTS, got evil.example"
    )


async def test_a_host_is_text_and_no_markup(run: Run) -> None:
    async with run(MCP_SUMMARIZER_HOST="0.0.0.0") as service:
        response = await get(service, **BROWSER, Host='a"><script>x</script>')
    assert "<script>" not in response.text
    assert "&lt;script&gt;" in response.text


async def test_the_readme_is_that_of_this_version(service: Service) -> None:
    response = await get(service, "/readme")
    assert response.headers["Content-Type"] == "text/plain; charset=utf-8"
    assert response.content == (ROOT / "README.md").read_bytes()


@pytest.mark.parametrize("path", ["/", "/readme", "/health", "/metrics"])
async def test_nothing_can_be_sent_there(service: Service, path: str) -> None:
    assert (await service.http.post(f"{service.origin}{path}", content=b"x")).status_code == 405
    assert (await service.http.head(f"{service.origin}{path}")).status_code == 200


@pytest.mark.parametrize(
    "method, path, status",
    [("POST", "/", 405), ("POST", "/sse", 404), ("GET", "/x", 404), ("PUT", "/health", 405)],
)
async def test_a_request_that_misses_the_endpoint_is_told_where_it_is(
    service: Service, method: str, path: str, status: int
) -> None:
    response = await service.http.request(method, f"{service.origin}{path}", json={"method": "ping"})
    assert response.status_code == status
    assert response.headers.get("Allow") == ("GET, HEAD" if status == 405 else None)
    assert "/mcp" in response.text
    assert path[1:] not in response.text or path == "/"
    if method == "POST":
        error = response.json()
        assert error["id"] is None
        assert "/mcp" in error["error"]["message"]
