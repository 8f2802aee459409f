"""What programs write, and what they are configured with."""

import json
import string
from base64 import b64encode
from collections.abc import Iterator
from itertools import count
from random import Random

from bench.cost_texts.vocabulary import (
    NAMES,
    PLACES,
    WORDS,
    Lines,
    hex_digits,
    paragraph,
    sentence,
    timestamp,
)

_LEVELS = ("INFO", "INFO", "INFO", "DEBUG", "WARN", "ERROR")


def versions(chance: Random) -> Iterator[str]:
    """Version numbers, one a line."""
    return (f"{chance.randrange(30)}.{chance.randrange(40)}.{chance.randrange(90)}" for _ in count())


def changelog(chance: Random) -> Iterator[str]:
    """Releases with what each changed."""
    for number in count():
        yield f"## v{number // 100}.{number // 10 % 10}.{number % 10} (2026-0{chance.randint(1, 9)}-{chance.randint(10, 28)})\n"
        yield ("\n".join(f"- Fixed {sentence(chance)} (#{chance.randrange(9_999)})" for _ in range(5)) + "\n")


def pinned(chance: Random) -> Iterator[str]:
    """A lock file: packages with versions and hashes."""
    while True:
        yield f"{chance.choice(WORDS)}-{chance.choice(WORDS)}=={chance.randrange(20)}.{chance.randrange(20)}.{chance.randrange(20)} \\"
        yield f"    --hash=sha256:{hex_digits(chance, 64)}"


def log(chance: Random) -> Iterator[str]:
    """Lines with times and levels."""
    while True:
        yield (
            f"{timestamp(chance)}.{chance.randint(100, 999)}Z {chance.choice(_LEVELS)} "
            f"[{chance.choice(WORDS)}-{chance.randrange(9)}] {sentence(chance)} id={hex_digits(chance, 12)}"
        )


def access_log(chance: Random) -> Iterator[str]:
    """A web server's log in the combined format."""
    while True:
        address = ".".join(str(chance.randrange(256)) for _ in range(4))
        yield (
            f'{address} - - [10/Oct/2026:13:55:{chance.randint(10, 59)} +0000] "GET '
            f'/{chance.choice(WORDS)}/{chance.randrange(999)}?q={chance.choice(WORDS)} HTTP/1.1" '
            f"{chance.choice((200, 200, 304, 404, 500))} {chance.randrange(90_000)} "
            f'"https://{chance.choice(PLACES).lower()}.example/" "Mozilla/5.0 (X11; Linux x86_64)"'
        )


def _record(chance: Random, number: int) -> dict[str, object]:
    return {
        "id": number,
        "name": f"{chance.choice(NAMES)} {chance.choice(PLACES)}",
        "active": chance.random() < 0.5,
        "tags": chance.choices(WORDS, k=3),
        "address": {"city": chance.choice(PLACES), "zip": str(chance.randrange(99_999))},
        "note": sentence(chance),
        "created": timestamp(chance),
    }


def json_pretty(chance: Random) -> Iterator[str]:
    """An array of objects, indented."""
    yield "["
    for number in count():
        yield json.dumps(_record(chance, number), indent=2) + ","


def json_lines(chance: Random) -> Iterator[str]:
    """An object a line."""
    return (json.dumps(_record(chance, number)) for number in count())


def json_one_line(chance: Random) -> Iterator[str]:
    """An array of objects without a line end."""
    yield "["
    for number in count():
        yield json.dumps(_record(chance, number)) + ","


def json_deep(chance: Random) -> Iterator[str]:
    """Objects in objects, a hundred deep."""
    while True:
        for depth in range(100):
            yield " " * depth + f'"{chance.choice(WORDS)}": {{'
        for depth in reversed(range(100)):
            yield " " * depth + "},"


def yaml(chance: Random) -> Iterator[str]:
    """Kubernetes manifests."""
    for number in count():
        yield (
            f"---\napiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: {chance.choice(WORDS)}-{number}\n"
            f"  labels:\n    app: {chance.choice(WORDS)}"
        )
        yield (
            f"spec:\n  replicas: {chance.randrange(9)}\n  template:\n    spec:\n      containers:\n"
            f"        - name: {chance.choice(WORDS)}\n          image: "
            f"registry.example/{chance.choice(WORDS)}:{chance.randrange(9)}.{chance.randrange(9)}"
        )
        yield f"          resources:\n            limits:\n              memory: {chance.randrange(900)}Mi"


def settings(chance: Random) -> Iterator[str]:
    """Keys with values, one a line."""
    return (
        f"{chance.choice(WORDS)}_{chance.choice(WORDS)} = {chance.choice((*WORDS, '8007', 'true', '1.5s'))}"
        for _ in count()
    )


def csv_wide(chance: Random) -> Iterator[str]:
    """Rows of 200 columns, under their names."""
    yield ",".join(f"{WORDS[number % len(WORDS)]}_{number}" for number in range(200))
    while True:
        yield ",".join(
            str(chance.randrange(10_000)) if number % 3 else chance.choice(WORDS) for number in range(200)
        )


def csv_narrow(chance: Random) -> Iterator[str]:
    """Rows of five columns, under their names."""
    yield "id,name,place,price,status"
    for number in count():
        yield (
            f"{number},{chance.choice(NAMES)},{chance.choice(PLACES)},{chance.randrange(900)}"
            f".{chance.randint(10, 99)},{chance.choice(('open', 'open', 'closed'))}"
        )


def numbers(chance: Random) -> Iterator[str]:
    """Rows of numbers, as instruments write them."""
    while True:
        yield ",".join(f"{chance.random() * 100:.3f}" for _ in range(8))


def table(chance: Random) -> Iterator[str]:
    """One Markdown table."""
    yield "| name | place | since | price | note |\n|---|---|---|---:|---|"
    while True:
        yield (
            f"| {chance.choice(NAMES)} {chance.choice(PLACES)}son | {chance.choice(PLACES)} | "
            f"20{chance.randint(10, 26)} | {chance.randrange(900)} | {chance.choice(WORDS)} |"
        )


def table_wide(chance: Random) -> Iterator[str]:
    """One Markdown table of 50 columns."""
    yield "| " + " | ".join(f"{WORDS[number]} {number}" for number in range(50)) + " |\n|" + "---|" * 50
    while True:
        yield "| " + " | ".join(chance.choices(WORDS + NAMES, k=50)) + " |"


def listing(chance: Random) -> Iterator[str]:
    """Columns under a head in capitals, as kubectl prints them."""
    yield "NAME                      READY   STATUS             RESTARTS   AGE"
    while True:
        yield (
            f"{chance.choice(WORDS)}-{hex_digits(chance, 10):<14}  {chance.randrange(2)}/1     "
            f"{chance.choice(('Running', 'Running', 'Pending')):<18} {chance.randrange(30):<10} "
            f"{chance.randrange(90)}d"
        )


def traces(chance: Random) -> Iterator[str]:
    """Tracebacks of Python, and a Java one between them."""
    while True:
        yield "Traceback (most recent call last):"
        for _ in range(6):
            yield (
                f'  File "/srv/app/{chance.choice(WORDS)}/{chance.choice(WORDS)}.py", line {chance.randrange(900)}, '
                f"in {chance.choice(WORDS)}\n    return {chance.choice(WORDS)}({chance.choice(WORDS)})"
            )
        yield f"ValueError: {sentence(chance)}\n"
        yield f"java.lang.IllegalStateException: {sentence(chance)}"
        for _ in range(6):
            yield (
                f"\tat com.example.{chance.choice(WORDS)}.{chance.choice(WORDS).title()}.{chance.choice(WORDS)}"
                f"({chance.choice(WORDS).title()}.java:{chance.randrange(900)})"
            )


def html(chance: Random) -> Iterator[str]:
    """A page."""
    yield "<!doctype html>\n<html><head><title>Page</title><style>p { color: red }</style></head><body>"
    while True:
        yield f'<div class="{chance.choice(WORDS)}" data-id="{chance.randrange(9_999)}"><p>{paragraph(chance)}</p>'
        yield (
            f'<a href="https://{chance.choice(PLACES).lower()}.example/{chance.choice(WORDS)}">{sentence(chance)}'
            f'</a><span style="display:none">{chance.choice(WORDS)}</span></div>'
        )


def tags(chance: Random) -> Iterator[str]:
    """Tags, most never closed."""
    return (
        f"<{chance.choice(('div', 'p', 'b', 'x-y'))} {chance.choice(WORDS)}='{chance.randrange(99)}'>"
        for _ in count()
    )


def urls(chance: Random) -> Iterator[str]:
    """Addresses, one a line."""
    while True:
        yield (
            f"https://{chance.choice(PLACES).lower()}.example/{chance.choice(WORDS)}/{chance.choice(WORDS)}"
            f"?id={chance.randrange(99_999)}#{chance.choice(WORDS)}"
        )


def links(chance: Random) -> Iterator[str]:
    """A list of Markdown links."""
    return (f"* [{sentence(chance)}](https://example.org/{chance.randrange(99_999)})" for _ in count())


def paths(chance: Random) -> Iterator[str]:
    """A listing of files."""
    while True:
        yield (
            "./"
            + "/".join(chance.choices(WORDS, k=6))
            + f"/{chance.choice(WORDS)}.{chance.choice(('py', 'js', 'md'))}"
        )


def base64(chance: Random) -> Iterator[str]:
    """Lines of 76 characters."""
    while True:
        yield b64encode(chance.randbytes(57)).decode()


def hex_dump(chance: Random) -> Iterator[str]:
    """As xxd prints it."""
    for number in count():
        yield (
            f"{16 * number:08x}: " + " ".join(hex_digits(chance, 4) for _ in range(8)) + "  ................"
        )


def minified(chance: Random) -> Iterator[str]:
    """JavaScript without spaces."""
    while True:
        a, b = chance.choices(string.ascii_letters, k=2)
        yield (
            f"function {a}({b}){{return {b}.{chance.choice(WORDS)}?{b}[{chance.randrange(99)}]:null}};var "
            f"{b}={{{chance.choice(WORDS)}:!0,{a}:'{chance.choice(WORDS)}'}};"
        )


def diff(chance: Random) -> Iterator[str]:
    """A patch."""
    while True:
        yield (
            f"diff --git a/{chance.choice(WORDS)}.py b/{chance.choice(WORDS)}.py\n"
            f"@@ -{chance.randrange(900)},7 +{chance.randrange(900)},9 @@"
        )
        for _ in range(9):
            yield f"{chance.choice('+- ')}    {chance.choice(WORDS)} = {chance.choice(WORDS)}({chance.randrange(99)})"


SHAPES: tuple[Lines, ...] = (
    versions, changelog, pinned, log, access_log, json_pretty, json_lines, json_deep,
    yaml, settings, csv_wide, csv_narrow, numbers, table, table_wide, listing, traces,
    html, tags, urls, links, paths, base64, hex_dump, diff,
)  # fmt: skip
