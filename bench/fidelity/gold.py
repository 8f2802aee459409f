"""The words of the evaluation: a fact, and a document that says which facts it has. Nothing else."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Gold:
    """A fact: what must stand together for it to be there, and the text of the document that states it."""

    parts: tuple[str, ...]
    line: str


@dataclass(frozen=True, slots=True)
class Document:
    """What a user would send, what the user asks for, and every fact that answers it."""

    name: str
    kind: str
    language: str
    text: str
    schema_hint: str
    gold: tuple[Gold, ...]
    others: tuple[Gold, ...]
