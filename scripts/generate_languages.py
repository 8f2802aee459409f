"""Makes summarizing/text/language/languages_generated.toml, what the service knows of languages, from published data: `make language-data`.

Months, names of powers of ten, currencies and numbers in words are Unicode CLDR's; abbreviations CLDR's and pySBD's; function words
Snowball's. pinned_packages.toml pins the packages. Holds no word itself: what no source has stands in the lists beside
the modules that use it, which say so.
"""

import ast
import hashlib
import json
import re
import sys
import textwrap
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

from bench.real_texts.archives import archives, read

PINS = Path(__file__).with_name("pinned_packages.toml")
MADE = Path(__file__).parents[1] / "summarizing" / "text" / "language" / "languages_generated.toml"

# The languages that the documentation names, each with the locales of CLDR that are read for it. Where two languages have one word for
# different things ("billion"), it is what the earlier one says.
LOCALES = {
    "en": ("en", "en-GB"),
    "de": ("de", "de-AT"),
    "fr": ("fr",),
    "es": ("es", "es-MX"),
    "zh": ("zh", "zh-Hant"),
    "ja": ("ja",),
}
# Of these languages the months alone are read.
MONTH_LOCALES = {"ru": ("ru",)}
SPACED = ("en", "de", "fr", "es")
PYSBD_MODULES = {"en": "common/standard", "de": "deutsch", "fr": "french", "es": "spanish"}
# A currency's name begins with its noun in Romance languages ("dollar canadien"), and ends with it elsewhere ("Canadian dollar").
NOUN_FIRST = ("fr", "es")

# Numbers that texts spell out. One is left out where it is a function word, as in most languages.
LARGEST_SPELLED = 1_000
LINE_CHARS = 140

Json = Any
Table = Mapping[str, str]


# --- What is read of each source: pure functions of its data -------------------------------------------------


def month_names(calendar: Json) -> list[list[str]]:
    """Return the names of each month: in full, short, and its first three letters where no other month has them."""
    forms = [
        calendar["months"][use][width]
        for use in ("format", "stand-alone")
        for width in ("wide", "abbreviated")
    ]
    names = [[form[str(number)].casefold().rstrip(".") for form in forms] for number in range(1, 13)]
    firsts = Counter(first for month in names for first in {name[:3] for name in month})
    return [
        list(dict.fromkeys([*month, *(name[:3] for name in month if firsts[name[:3]] == 1)]))
        for month in names
    ]


def has_dotted_ordinals(calendar: Json) -> bool:
    """Whether a language writes the day of a date as an ordinal with a full stop: "3. Mai"."""
    return re.match(r"d\. MMMM", calendar["dateFormats"]["long"]) is not None


def scale_words(numbers: Json) -> Iterator[tuple[str, int]]:
    """Yield the words and signs for powers of ten, with the power."""
    for width in ("long", "short"):
        for size, form in numbers["decimalFormats-numberSystem-latn"][width]["decimalFormat"].items():
            pattern = re.fullmatch(r"(0+)([^\d\s]+)", re.sub(r"['.\s]", "", form))
            if pattern and len(form.replace("'", "").split()) <= 2:
                yield pattern[2], len(size.partition("-")[0]) - len(pattern[1])


def spelled_numbers(rules: Json) -> dict[str, int]:
    """Return the words of the numbers that are one word, of compounds only those before a base ("fünfzehn")."""
    numbers: dict[str, int] = {}
    for name, rule in rules.items():
        if re.match(r"%spellout-(?:numbering|cardinal)(?!-year)", name):
            known = [(int(base.partition("/")[0]), form) for base, form in rule if base[0].isdecimal()]
            for (base, form), (following, _) in pairwise([*known, (LARGEST_SPELLED + 1, "")]):
                is_compound = "→" in re.sub(r"\[.*?\]", "", form)
                if is_compound and "←" in form:
                    continue  # a compound of several hundreds ("deux cent un")
                for number in range(base, min(following, base + 10) if is_compound else base + 1):
                    if number and (word := _spelled(number, form, numbers)).isalpha():
                        numbers[word] = min(number, numbers.get(word, number))
    return numbers


def _spelled(number: int, form: str, numbers: Mapping[str, int]) -> str:
    """Return a number as a rule writes it, without what is multiplied with its base; "-" within it is what is not known yet."""
    rest = number % 10 ** (len(str(number)) - 1)
    below = next((word for word, known in numbers.items() if known == rest), "-")
    word = re.sub(r"\[.*?\]|←.*?←|[;\xad]", "", form).strip()
    return re.sub("→.*?→", below, word).casefold()


def ordinal_signs(rules: Json) -> Iterator[str]:
    """Yield the letters behind a number that make it an ordinal."""
    for name, rule in rules.items():
        if name.startswith("%digits-ordinal"):
            for _, form in rule:
                yield from re.findall(r"\w\{(\w+)\}", form)


def percent_words(units: Json) -> Iterator[str]:
    """Yield how a language says percent."""
    for form, name in units["long"]["concentr-percent"].items():
        if form.startswith("unitPattern"):
            yield name.replace("{0}", "").strip().casefold()


def currency_signs(languages: Sequence[Json]) -> dict[str, str]:
    """Return the currency of each sign: the one that a language writes or calls so, else the only one that has it.

    Codes with an X are mostly of metals, funds and unknown currencies.
    """
    signs: dict[str, str] = {}
    for kind in ("symbol", "symbol-alt-narrow", "displayName-count-other"):
        for currencies in languages:
            shared = Counter(names.get(kind) for names in currencies.values())
            for code, names in currencies.items():
                sign = unicodedata.normalize("NFKC", names.get(kind, ""))
                is_sign = len(sign) == 1 and unicodedata.category(sign) in ("Sc", "Lo")
                if is_sign and code[0] != "X" and shared[names[kind]] == 1:
                    signs.setdefault(sign, code.casefold())
    return signs


def currency_nouns(currencies: Json, signs: Table, *, is_first: bool) -> Iterator[tuple[str, str]]:
    """Yield the nouns of currencies that have a sign, with the code; none that is another currency's with another sign ("peso")."""
    of_noun: dict[str, set[str]] = defaultdict(set)
    for code, names in currencies.items():
        for form in names:
            if form.startswith("displayName-count"):
                words = re.split(r"[\s-]", names[form].casefold())
                of_noun[words[0 if is_first else -1]].add(code)
    sign_of = {code.upper(): sign for sign, code in signs.items()}
    for noun, codes in of_noun.items():
        owners = codes & sign_of.keys()
        drawn = {currencies[code].get("symbol-alt-narrow", "") for code in codes}
        drawn = {sign for sign in drawn if len(sign) == 1 and unicodedata.category(sign) == "Sc"}
        if len(owners) == 1 and drawn <= {sign_of[code] for code in owners} and noun.isalpha():
            yield noun, owners.pop().casefold()


def suppressions(segments: Json) -> Iterator[str]:
    """Yield the words after whose full stop no sentence need end."""
    for entry in segments["segmentations"]["SentenceBreak"]["standard"]:
        yield entry["suppression"].rstrip(".")


def listed_abbreviations(module: str) -> Iterator[str]:
    """Yield the abbreviations in the source of a module of pySBD."""
    for node in ast.walk(ast.parse(module)):
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.List):
            name = node.targets[0]
            if isinstance(name, ast.Name) and name.id.endswith("ABBREVIATIONS"):
                yield from (entry.casefold().rstrip(".") for entry in ast.literal_eval(node.value))


def stop_lists(module: str) -> dict[str, list[str]]:
    """Return the lists in the source of Whoosh's module of stop words, by language."""
    lists: dict[str, list[str]] = {}
    for node in ast.walk(ast.parse(module)):
        if isinstance(node, ast.Dict):
            for key, value in zip(node.keys, node.values, strict=True):
                words = [part.value for part in ast.walk(value) if isinstance(part, ast.Constant)]
                if isinstance(key, ast.Constant) and words and isinstance(words[0], str):
                    lists[str(key.value)] = list(dict.fromkeys(words[0].split()))
    return lists


# --- From the packages to the file ---------------------------------------------------------------------------


class Packages:
    """The pinned packages; read at their first use."""

    def __init__(self) -> None:
        self._archives = archives(PINS)

    def json(self, name: str, path: str) -> Json:
        """Return a JSON file of a package."""
        return json.loads(self.text(name, f"package/{path}"))

    def text(self, name: str, path: str) -> str:
        """Return a file of a package."""
        return read(self._archives[name], [path])[0].decode()

    def cldr(self, name: str, locale: str, file: str) -> Json:
        """Return what a package of CLDR says of a locale."""
        return self.json(name, f"main/{locale}/{file}.json")["main"][locale]

    def calendar(self, locale: str) -> Json:
        """Return what CLDR says of the calendar."""
        return self.cldr("dates", locale, "ca-gregorian")["dates"]["calendars"]["gregorian"]

    def units(self, locale: str) -> Json:
        """Return what CLDR says of units."""
        return self.cldr("units", locale, "units")["units"]

    def rules(self, language: str) -> Json:
        """Return CLDR's rules for numbers in words and ordinals."""
        return self.json("spelled", f"rbnf/{language}.json")["rbnf"]["rbnf"]

    def sources(self) -> Iterator[str]:
        """Yield each package with its version and licence."""
        for archive in self._archives.values():
            yield f"{archive.package} {archive.version} ({archive.licence})"


def made(packages: Packages) -> str:
    """Return the file."""
    body = "\n".join(_tables(packages))
    digest = hashlib.sha256(body.encode()).hexdigest()
    sources = textwrap.fill(
        "From " + ", ".join(packages.sources()) + ".", LINE_CHARS, initial_indent="# ", subsequent_indent="# "
    )
    return (
        "# What is known of languages: English, German, French, Spanish, Chinese, Japanese; of Russian the "
        "months. Made by `make language-data` (scripts/generate_languages.py).\n"
        f"{sources}\n# Not to be edited; what is missing belongs into the lists beside the modules that read this one.\n"
        f"# SHA-256 of all below this line: {digest}\n{body}"
    )


def _tables(packages: Packages) -> Iterator[str]:
    stop_words = stop_lists(packages.text("stop-words", "whoosh/lang/stopwords.py"))
    yield from _abbreviations(packages)
    yield from _signs(packages)
    yield from _months(packages)
    yield from _numbers(packages, stop_words)
    yield from _units(packages)
    yield "# Function words: articles, prepositions, conjunctions, pronouns, auxiliaries."
    yield "[function_words]"
    yield from (_entry(language, stop_words[language]) for language in SPACED)


def _abbreviations(packages: Packages) -> Iterator[str]:
    before_number: set[str] = set()
    for language, module in PYSBD_MODULES.items():
        source = packages.text("abbreviations", f"pysbd/lang/{module}.py")
        segments = packages.json("sentences", f"segments/{language}/suppressions.json")["segments"]
        before_number.update(word.casefold() for word in suppressions(segments))
        before_number.update(listed_abbreviations(source))
    yield "# Words after whose full stop it goes on with a number."
    yield _entry("number_abbreviations", sorted(word for word in before_number if word and " " not in word))


def _signs(packages: Packages) -> Iterator[str]:
    rules = [packages.rules(language).get("OrdinalRules", {}) for language in SPACED]
    yield "# Letters that make a number in digits an ordinal."
    yield _entry("ordinal_signs", dict.fromkeys(sign for each in rules for sign in ordinal_signs(each)))
    yield "# Languages that write an ordinal as a number with a full stop."
    yield _entry("dotted_ordinals", (each for each in SPACED if has_dotted_ordinals(packages.calendar(each))))


def _months(packages: Packages) -> Iterator[str]:
    yield "# The months, January first."
    yield "[months]"
    for language in (*SPACED, *MONTH_LOCALES):
        months: list[list[str]] = [[] for _ in range(12)]
        for locale in (LOCALES | MONTH_LOCALES)[language]:
            for known, names in zip(months, month_names(packages.calendar(locale)), strict=True):
                known += [name for name in names if name not in known]
        yield f"{language} = [{', '.join(json.dumps(' '.join(month), ensure_ascii=False) for month in months)}]"


def _numbers(packages: Packages, stop_words: Mapping[str, Sequence[str]]) -> Iterator[str]:
    scales: dict[str, int] = {}
    signs: dict[str, int] = {}
    for locales in LOCALES.values():
        for locale in locales:
            for word, power in scale_words(packages.cldr("numbers", locale, "numbers")["numbers"]):
                is_sign = len(word) == 1 and word.isascii()
                (signs if is_sign else scales).setdefault(word if is_sign else word.casefold(), power)
    yield "# Words for powers of ten, by the power."
    yield "[scales]"
    yield from _by_key(scales)
    yield "# The same as one letter: with a currency, or where nothing else is called so."
    yield "[scale_signs]"
    yield from _by_key(signs)
    for language in SPACED:
        rules = packages.rules(language)
        spelled = spelled_numbers(rules["SpelloutRules"]).items()
        known = {
            word: number
            for word, number in spelled
            if number <= LARGEST_SPELLED and word not in stop_words[language]
        }
        yield f"# Numbers in words.\n[numbers.{language}]"
        yield from _by_key(known)


def _units(packages: Packages) -> Iterator[str]:
    currencies = {
        language: packages.cldr("numbers", language, "currencies")["numbers"]["currencies"]
        for language in LOCALES
    }
    signs = currency_signs(list(currencies.values()))
    names = dict(signs)
    # Names are taken of currencies that English knows by a bare sign, and only cognates of its own: "won", not "nouveau" (shekel).
    known = {
        sign: code for sign, code in signs.items() if currencies["en"][code.upper()].get("symbol") == sign
    }
    initials: dict[str, str] = {}
    for language in SPACED:
        for noun, code in currency_nouns(currencies[language], known, is_first=language in NOUN_FIRST):
            if initials.setdefault(code, noun[0]) == noun[0]:
                names.setdefault(noun, code)
    locales = [locale for language in SPACED for locale in LOCALES[language]]
    percent = [word for locale in locales for word in percent_words(packages.units(locale))]
    yield "# Signs of currencies and their names, by the code of ISO 4217; names of percent."
    yield "[units]"
    yield f'"%" = {json.dumps(list(dict.fromkeys(percent)))}'
    of_code: dict[str, list[str]] = defaultdict(list)
    for name, code in names.items():
        of_code[code].append(name)
    for code in sorted(of_code):
        yield f"{code} = {json.dumps(of_code[code], ensure_ascii=False)}"


def _by_key(of_word: Mapping[str, int]) -> Iterator[str]:
    words: dict[int, list[str]] = defaultdict(list)
    for word, key in of_word.items():
        words[key].append(word)
    for key in sorted(words):
        yield f"{key} = {json.dumps(' '.join(words[key]), ensure_ascii=False)}"


def _entry(key: str, words: Iterable[str]) -> str:
    """Return a key with its words, on lines of their own where they are many."""
    text = " ".join(words)
    if len(text) < LINE_CHARS:
        return f"{key} = {json.dumps(text, ensure_ascii=False)}"
    return (
        f'{key} = """\n{textwrap.fill(text, LINE_CHARS, break_on_hyphens=False, break_long_words=False)}\n"""'
    )


def main() -> int:
    """Write the file."""
    MADE.write_text(made(Packages()), "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
