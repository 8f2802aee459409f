"""What agents hand over every day: Dockerfiles, errors of Node.js, threads of comments: each line stands under what it belongs to."""

from summarizing.extractive.rendering import render
from summarizing.text.document import Document, SegmentKind
from summarizing.text.left_out_sections import sections_left_out
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


LONG_DOCKERFILE = """\
from debian:12
workdir /app
# Bytecode is made here, because nothing can be written later: of our files by their hash, so that their times do not
# matter, and of what they import too, since the slim image comes without that of the standard library. It also proves
# that both programs can be imported and that the vocabulary is in the image.
run python -m compileall -q .
# Every other setting keeps its default or comes from outside.
env PYTHONUNBUFFERED=1 \\
    HARBOUR_PORT=8007
user 10001:10001
expose 8007
cmd ["python", "app.py"]
"""

HERE_DOCUMENTS = (
    "FROM debian:12\nRUN <<EOF\n"
    + "".join(f"apt-get install -y package-{number}\n" for number in range(30))
    + 'EOF\nCOPY <<-"CONF" /etc/harbour.conf\n\tport = 8080\nCONF\nUSER 1000\nCMD ["harbour"]\n'
)

SHELL = "#!/bin/sh\nset -e\n\n" + "\n".join(
    f"{name}()\n{{\n" + "".join(f'    {name}-it --step {step} "$DIR"\n' for step in range(30)) + "}\n"
    for name in ("pack", "shred", "verify")
)

DOCSTRING = (
    'class Client:\n    """\n    A client of the harbour.\n\n'
    + "".join(
        f"    It has the {word} berth of the pier, and keeps it open.\n\n"
        for word in ("first", "second", "third")
    )
    + '    """\n\n    def moor(self):\n        return self.pier\n'
    + "".join(
        f"\n    def moor_{number}(self):\n        return self.pier + {number}\n" for number in range(20)
    )
)


DEBIAN = """\
Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Source: https://example.org/harbour/

Files: *
Copyright: 2005-2022, Ann Lee and others.
License: GPL-2

Files: crane/*
Copyright: 2021 Bob Ray
License: MIT

Files: pier/*
Copyright: 2020 Cem Oz
License: BSD-3-clause
 Redistribution and use in source and binary forms, with or without
 modification, are permitted provided that the following conditions are met:
 .
 1. Redistributions of source code must retain the above copyright notice, this
    list of conditions and the following disclaimer.
 2. Redistributions in binary form must reproduce the above copyright notice.
 .
 This software is provided by the copyright holders as it is, and any warranties
 are disclaimed. In no event shall they be liable for damages.
"""

MANIFESTS = "---\n".join(
    f"apiVersion: v1\nkind: {kind}\nmetadata:\n  name: harbour\nspec:\n  size: {size}\n  zone: north\n"
    for size, kind in enumerate(["Deployment", "Service", "Autoscaler", "Budget"])
)


def lines_of(document: Document) -> list[str]:
    return [document.of(number) for number in range(len(document.segments))]


def test_instructions_of_a_dockerfile_are_statements_and_no_titles() -> None:
    document = parse(DOCKERFILE)
    assert {one.kind for one in document.segments} == {SegmentKind.CODE}
    assert {"USER 10001:10001", "EXPOSE 8007", 'CMD ["python", "app.py"]'} <= set(lines_of(document))


def test_instructions_of_a_dockerfile_may_be_small_and_stand_below_long_comments() -> None:
    document = parse(LONG_DOCKERFILE)
    assert {one.kind for one in document.segments} == {SegmentKind.CODE}
    lines = lines_of(document)
    assert {"user 10001:10001", "expose 8007", 'cmd ["python", "app.py"]'} <= set(lines)
    assert any("from outside.\nenv PYTHONUNBUFFERED=1 \\\n    HARBOUR" in line for line in lines)


def test_a_line_of_a_here_document_comes_with_its_statement_and_the_word_that_ends_it() -> None:
    document = parse(HERE_DOCUMENTS)
    line = lines_of(document).index("apt-get install -y package-7")
    rendered = render(document, {line, *document.requirements(line)})
    assert rendered.split("\n")[:6] == [
        "FROM debian:12",
        "RUN <<EOF",
        "[...]",
        "apt-get install -y package-7",
        "[...]",
        "EOF",
    ]
    assert 'COPY <<-"CONF" /etc/harbour.conf\n\tport = 8080\nCONF' in lines_of(document)


def test_a_line_of_a_function_comes_with_its_name_where_the_bracket_stands_below_it() -> None:
    document = parse(SHELL)
    line = lines_of(document).index('shred-it --step 7 "$DIR"')
    rendered = render(document, {line, *document.requirements(line)})
    assert rendered.split("\n")[:6] == ["shred()", "{", "[...]", '    shred-it --step 7 "$DIR"', "[...]", "}"]


def test_a_docstring_that_is_kept_in_part_is_closed() -> None:
    document = parse(DOCSTRING)
    line = next(number for number, text in enumerate(lines_of(document)) if "the second berth" in text)
    rendered = render(document, {line, *document.requirements(line)})
    assert rendered.count('"""') == 2
    assert rendered.index("second berth") < rendered.rindex('"""')


def test_a_full_stop_alone_parts_the_paragraphs_of_a_field() -> None:
    document = parse(DEBIAN)
    rendered = render(document, set(range(len(document.segments))))
    assert "conditions are met:\n\n 1. Redistributions of source" in rendered
    assert not any(" ." in text or text.startswith(".") for text in lines_of(document))
    line = lines_of(document).index("License: BSD-3-clause")
    assert render(document, {line, *document.requirements(line)}).startswith("Files: pier/*\n")


def test_a_document_of_several_in_yaml_is_counted_where_it_is_left_out() -> None:
    document = parse(MANIFESTS)
    lines = lines_of(document)
    kept = {
        part
        for line in (lines.index("kind: Service"), lines.index("kind: Budget"))
        for part in (line, *document.requirements(line))
    }
    assert lines.count("---") == 3
    assert sections_left_out(document, sorted(kept)).total() == 1
    rendered = render(document, kept)
    assert [line for line in rendered.split("\n") if line == "---" or line.startswith("kind")] == [
        "---",
        "kind: Service",
        "---",
        "kind: Budget",
    ]


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
