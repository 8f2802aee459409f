"""What agents hand over every day: Dockerfiles, errors of Node.js, threads of comments: each line stands under what it belongs to."""

from summarizing.extractive.rendering import render
from summarizing.text.document import Document, SegmentKind
from summarizing.text.parsing import parse

DOCKERFILE = """\
# syntax=docker/dockerfile:1
FROM python:3.12-slim
WORKDIR /app

COPY requirements.txt ./
RUN python -m pip install --no-cache-dir \\
    --require-hashes -r requirements.txt

# Nothing can be written later.
ENV PYTHONUNBUFFERED=1 \\
    HARBOUR_PORT=8007

USER 10001:10001
EXPOSE 8007

HEALTHCHECK --interval=15s \\
    CMD ["python", "-m", "harbour.health"]

CMD ["python", "app.py"]
"""

NODE = """\
[/etc/harbour.json] failed
Error: ENOENT: no such file or directory, open '/etc/harbour.json'
    at async open (node:internal/fs/promises:637:25)
    at async load (/srv/n.js:1:65) {
  errno: -2,
  code: 'ENOENT'
}
SyntaxError: Unexpected end of JSON input
    at JSON.parse (<anonymous>)
    at async main (/srv/n.js:2:91)
"""

THREAD = """\
# The count is wrong at night #1832

labels: Bug

**ann-lee** commented on 2021-02-04

It counts each ship twice here, since version 3.2 at least.

**bob** commented on 2021-03-26

Set `night=off`, then each is counted once.

**cem** commented on 2021-03-27

That works for me, too.
"""


def lines_of(document: Document) -> list[str]:
    return [document.of(number) for number in range(len(document.segments))]


def test_instructions_of_a_dockerfile_are_statements_and_no_titles() -> None:
    document = parse(DOCKERFILE)
    assert {one.kind for one in document.segments} == {SegmentKind.CODE}
    assert {"USER 10001:10001", "EXPOSE 8007", 'CMD ["python", "app.py"]'} <= set(lines_of(document))


def test_errors_of_node_are_told_line_by_line() -> None:
    document = parse(NODE)
    assert "SyntaxError: Unexpected end of JSON input" in "\n".join(lines_of(document)).split("\n")
    assert SegmentKind.SENTENCE not in {one.kind for one in document.segments}
    line = lines_of(document).index("at async main (/srv/n.js:2:91)")
    assert render(document, {line, *document.requirements(line)}).startswith("SyntaxError: Unexpected end")


def test_a_comment_stands_under_who_wrote_it() -> None:
    document = parse(THREAD)
    line = lines_of(document).index("Set `night=off`, then each is counted once.")
    rendered = render(document, {line, *document.requirements(line)})
    assert rendered.split("\n\n")[-2:] == ["**bob** commented on 2021-03-26", lines_of(document)[line]]
