"""The parts of a language tag that providers ask for. Knows no provider, and not which languages there are."""

from dataclasses import dataclass

# ISO 15924: where Chinese is written with traditional characters unless its script is named.
_TRADITIONAL = frozenset({"TW", "HK", "MO"})


@dataclass(frozen=True)
class LanguageTag:
    """A language, with its country where that was said; both empty where the tag is."""

    language: str
    country: str = ""
    is_traditional: bool = False
    """Of Chinese alone."""


def parsed(tag: str) -> LanguageTag:
    """Read a tag as BCP 47 has it; an underscore is taken for a hyphen."""
    language, *rest = tag.strip().replace("_", "-").split("-")
    country = next((part.upper() for part in rest if len(part) == 2 and part.isalpha()), "")
    scripts = [part.lower() for part in rest if len(part) == 4]
    is_traditional = "hant" in scripts or ("hans" not in scripts and country in _TRADITIONAL)
    return LanguageTag(language.lower(), country, language.lower() == "zh" and is_traditional)
