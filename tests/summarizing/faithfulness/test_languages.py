"""The guard in the languages that docs/how-it-works.md names: what is true passes, values that are invented or moved go."""

from typing import NamedTuple

import pytest

from summarizing.faithfulness.answer_check import Evidence


class _Town(NamedTuple):
    """A text, true lines of an extraction, a line with an invented value, and one with a value that is another's."""

    text: str
    true: tuple[str, ...]
    invented: str
    moved: str


TOWNS = {
    "English": _Town(
        "The harbour of Wick opened on 3 May 1998. The quay is 340 m long.\n\nThe library lends 2,500 books a year. The fee is 12 EUR.\n",
        ("Quay: 340 m long", "The harbour of Wick opened on 3 May 1998.", "The library lends 2,500 books"),
        "The quay is 430 m long.",
        "The library lends 340 books.",
    ),
    "German": _Town(
        (
            "Der Hafen von Wick wurde am 3. Mai 1998 eröffnet. Der Kai ist 340 m lang.\n\n"
            "Die Bücherei verleiht 2.500 Bücher im Jahr. Die Gebühr beträgt 12 EUR.\n"
        ),
        ("Der Kai ist 340 m lang.", "Hafen von Wick: am 3. Mai 1998 eröffnet", "Die Bücherei verleiht 2.500 Bücher"),
        "Der Kai ist 430 m lang.",
        "Die Bücherei verleiht 340 Bücher.",
    ),
    "French": _Town(
        (
            "Le port de Wick a ouvert le 3 mai 1998. Le quai mesure 340 m.\n\n"
            "La bibliothèque prête 2 500 livres par an. La cotisation est de 12 EUR.\n"
        ),
        ("Le quai mesure 340 m.", "Le port de Wick a ouvert le 3 mai 1998.", "La bibliothèque prête 2 500 livres"),
        "Le quai mesure 430 m.",
        "La bibliothèque prête 340 livres.",
    ),
    "Spanish": _Town(
        (
            "El puerto de Wick abrió el 3 de mayo de 1998. El muelle mide 340 m.\n\n"
            "La biblioteca presta 2.500 libros al año. La cuota es de 12 EUR.\n"
        ),
        ("El muelle mide 340 m.", "El puerto de Wick abrió el 3 de mayo de 1998.", "La biblioteca presta 2.500 libros"),
        "El muelle mide 430 m.",
        "La biblioteca presta 340 libros.",
    ),
    "Chinese": _Town(
        "维克港于1998年5月3日开放。码头长340米。\n\n图书馆每年借出2500册图书。会费为12欧元。\n",
        ("码头长340米。", "维克港于1998年5月3日开放。", "图书馆每年借出2500册图书"),
        "码头长430米。",
        "图书馆每年借出340册图书。",
    ),
    "Japanese": _Town(
        "ウィック港は1998年5月3日に開港した。岸壁の長さは340メートルである。\n\n図書館は毎年2500冊の本を貸し出す。会費は12ユーロである。\n",
        ("岸壁の長さは340メートル", "ウィック港は1998年5月3日に開港した。", "図書館は毎年2500冊の本を貸し出す"),
        "岸壁の長さは430メートルである。",
        "図書館は毎年340冊の本を貸し出す。",
    ),
}  # fmt: skip


@pytest.mark.parametrize("language", TOWNS)
def test_what_the_text_says_passes(language: str) -> None:
    town = TOWNS[language]
    answer = "\n".join(f"- {line}" for line in town.true)
    assert Evidence(town.text).check(answer, True).text == answer


@pytest.mark.parametrize("language", TOWNS)
@pytest.mark.parametrize("kind", ["invented", "moved"])
def test_a_value_that_is_invented_or_anothers_goes_with_its_line(language: str, kind: str) -> None:
    town = TOWNS[language]
    wrong = town.invented if kind == "invented" else town.moved
    checked = Evidence(town.text).check(f"- {town.true[0]}\n- {wrong}", True)
    assert checked.text == f"- {town.true[0]}"
    assert checked.dropped == 1


@pytest.mark.parametrize("language", TOWNS)
def test_a_general_summary_names_an_invented_value(language: str) -> None:
    town = TOWNS[language]
    checked = Evidence(town.text).check(f"{town.true[1]} {town.invented}", False)
    assert any("430" in name for name in checked.unsupported)


@pytest.mark.parametrize(
    "told, is_so",
    [
        ("東京の参加者は40人だった。", True),
        ("大阪の参加者は70人だった。", True),
        ("大阪の参加者は40人だった。", False),
    ],
)
def test_japanese_endings_do_not_give_a_value_to_something_else(told: str, *, is_so: bool) -> None:
    text = "東京で会議が開かれ、参加者は40人だった。\n\n大阪でも会議が開かれ、参加者は70人だった。"
    assert (Evidence(text).check(f"- {told}", True).dropped == 0) is is_so


ROADS = "山道は冬に閉じる。\n\n橋の料金は12ユーロである。\n\n灯台は夏に開く。\n\n北の門は夜に閉まる。\n\n"


@pytest.mark.parametrize(
    "text, told, is_so",
    [
        # Another ending; another word in a sentence that is otherwise the text's.
        (ROADS + "門番は MSG_WAITALL をサポートしていない。", "門番は MSG_WAITALL をサポートしません。", True),
        (ROADS + "港では魚を売っている。\n\n図書館は本を貸し出します。", "図書館は本を貸し出している。", True),
        (ROADS + "南の門は朝に開く。", "南の門は夜に開く。", False),
        # Letters left out; one letter for another.
        ("最后一类目录存放了索引文件，它们位于 binary。\n\n文件位于山中。", "目录存放了索引文件，位于 binary。", True),
        ("每个目录树中有三种类型的文件。\n\n有五种山。", "每个目录树中有五种类型的文件。", False),
    ],
)  # fmt: skip
def test_what_is_no_word_in_scripts_without_spaces_changes_no_sentence(
    text: str, told: str, *, is_so: bool
) -> None:
    assert (Evidence(text).check(f"- {told}", True).dropped == 0) is is_so


def test_in_wrapped_and_indented_german_a_noun_is_no_name() -> None:
    words = (
        "Das Programm liest die Datei mit der Kennung, prüft den Schlüssel und gibt der Gruppe den Zugriff."
    )
    lines = "\n".join(f"                    {word}" for word in words.split())
    assert Evidence(lines).check("- Das Programm prüft den Schlüssel im Verfahren", True).dropped == 0
