"""Members of records that a query asks for: JSON, YAML."""

import json
import re

from summarizing.extractive.extractive_summary import extract
from summarizing.text.document import NO_SEGMENT
from summarizing.text.parsing import parse
from summarizing.text.tokenizer import Tokenizer

NAMES = [f"part-{chr(97 + number)}" for number in range(20)]
RECORDS = [
    {
        "ref": f"pkg:generic/{name}@{number}.0.1",
        "name": name,
        "version": f"{number}.0.1",
        "scope": "required",
        "author": f"Ada Byron {chr(65 + number)}son <ada{number}@example.org>",
        "description": f"The part number {number} of a machine that has twenty, made by one of the founders.",
        "source": f"https://example.org/{name}/archive/{number}.0.1.tar.gz",
        "licenses": [{"license": {"id": ["MIT", "ISC"][number % 2]}}],
    }
    for number, name in enumerate(NAMES)
]


def _summary(text: str, query: str, share: float, tokenizer: Tokenizer) -> str:
    return extract(text, int(share * tokenizer.count(text)), query, tokenizer).text


def test_members_that_the_query_names_come_together_and_others_do_not(tokenizer: Tokenizer) -> None:
    text = json.dumps(RECORDS, indent=2)
    kept = json.loads(_summary(text, "component names with versions and licenses", 0.2, tokenizer))
    records = [record for record in kept if isinstance(record, dict)]
    assert len(records) >= 12
    assert all({"name", "version", "licenses"} <= record.keys() for record in records)
    assert not {"ref", "author", "description", "source"} & {key for record in records for key in record}


def test_what_names_the_first_record_of_an_array_names_no_other() -> None:
    document = parse(json.dumps(RECORDS))
    names = [segment for at, segment in enumerate(document.segments) if document.of(at).startswith('"name"')]
    assert len(names) == len(NAMES)
    assert all(segment.anchor == NO_SEGMENT for segment in names)


def test_nested_members_of_yaml_come_with_the_key_that_was_asked_for(tokenizer: Tokenizer) -> None:
    text = "plugins:\n" + "".join(
        f"- name: {record['name']}\n  author: {record['author']}\n  license:\n    id: MIT\n    file: L{number}\n"
        f"  checksum: sha256:{number:032x}\n  source: {record['source']}\n  version: {record['version']}\n"
        for number, record in enumerate(RECORDS)
    )
    summary = _summary(text, "plugins with licenses and versions", 0.35, tokenizer)
    assert len(re.findall(r"license:\n    id: MIT\n    file: L\d+\n  version: ", summary)) >= 8
    assert "checksum" not in summary
    assert "author" not in summary


def test_lines_with_a_colon_that_are_no_records_are_judged_as_before(tokenizer: Tokenizer) -> None:
    text = "\n".join(
        f"Error: disk {number} is full\nNote: see the log of disk {number}" for number in range(40)
    )
    assert extract(text, 60, "errors of disk 7", tokenizer).text.count("Error: disk 7 ") == 1
