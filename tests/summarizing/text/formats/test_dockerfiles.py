"""Instructions of a Dockerfile stand below the `FROM` of their own stage."""

import pytest

from summarizing.extractive.extractive_summary import extract
from summarizing.extractive.rendering import Rendering
from summarizing.text.document import Document
from summarizing.text.parsing import parse
from summarizing.text.tokenizer import Tokenizer

STAGES = """\
# syntax=docker/dockerfile:1
FROM node:20 AS pages
WORKDIR /pages
# The lock file is copied first.
COPY package.json package-lock.json ./
RUN npm ci
USER node

# The service itself.
FROM golang:1.22 AS harbour
WORKDIR /src
RUN set -e; \\
make tides \\
  # and the pilots
  && make pilots
RUN <<END
go vet ./...
# all of it
run go build -o /harbour
END
USER root
EXPOSE 8080

FROM debian:12
COPY --from=harbour /harbour /harbour
USER nobody
"""
PAGES = "# syntax=docker/dockerfile:1\nFROM node:20 AS pages\n"
HARBOUR = "# The service itself.\nFROM golang:1.22 AS harbour\n"


def _with(document: Document, text: str) -> str:
    """Return what is rendered where what has this text is kept with what it requires, but for blank lines."""
    index = next(at for at in range(len(document.segments)) if text in document.of(at))
    rendered = Rendering(document).render({index, *document.requirements(index)}, marks=False)
    return rendered.replace("\n\n", "\n")


@pytest.mark.parametrize(
    "text, expected",
    [
        ("npm ci", PAGES + "RUN npm ci"),
        ("package-lock", PAGES + "# The lock file is copied first.\nCOPY package.json package-lock.json ./"),
        ("USER root", HARBOUR + "USER root"),
        ("make pilots", HARBOUR + "RUN set -e; \\\nmake tides \\\n  # and the pilots\n  && make pilots"),
        ("go vet", HARBOUR + "RUN <<END\ngo vet ./...\n# all of it\nrun go build -o /harbour\nEND"),
        ("USER nobody", "FROM debian:12\nUSER nobody"),
    ],
)
def test_an_instruction_comes_whole_and_with_its_stage(text: str, expected: str) -> None:
    assert _with(parse(STAGES), text) == expected


def test_a_long_comment_and_a_long_instruction_are_of_their_own_stage() -> None:
    notes = "".join(f"# Line {number} of the licence, which goes on for long.\n" for number in range(20))
    steps = "".join(f"    apt-get install package-{number} && \\\n" for number in range(40))
    text = f"FROM a:1\nUSER ann\n\n{notes}FROM b:1\nRUN \\\n{steps}    true\nUSER bo\n"
    assert _with(parse(text), "USER bo") == "FROM b:1\nUSER bo"
    assert _with(parse(text), "package-7 ").startswith("FROM b:1\nRUN")
    assert "FROM" not in _with(parse(text), "Line 19")


@pytest.mark.parametrize("query", ["", "USER", "EXPOSE", "make pilots"])
@pytest.mark.parametrize("budget", range(20, 150, 10))
def test_no_summary_has_an_instruction_below_the_beginning_of_another_stage(
    budget: int, query: str, tokenizer: Tokenizer
) -> None:
    stage = {}
    name = ""
    for line in STAGES.split("\n"):
        name = line if line.startswith("FROM") else name
        stage[line] = name
    name = ""
    for line in extract(STAGES, budget, query, tokenizer).text.split("\n"):
        if line in stage and line.split(" ")[0] not in ("", "#"):
            name = line if line.startswith("FROM") else name
            assert stage[line] == name


def test_an_instruction_goes_on_behind_a_backslash_and_over_comments_alone() -> None:
    version = "RUN git checkout `cat VERSION`"
    scripts = "RUN make \\\n# all of it\nenv X=1 make install"
    document = parse(f"FROM debian:12 AS build\n{version}\nFROM alpine AS prod\n{scripts}\nEXPOSE 8081\n")
    assert _with(document, "8081") == "FROM alpine AS prod\nEXPOSE 8081"
    assert _with(document, "env X") == f"FROM alpine AS prod\n{scripts}"
