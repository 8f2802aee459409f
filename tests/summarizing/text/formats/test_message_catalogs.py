"""Message catalogues of gettext: what is said of a message, in either language, comes together, in its own lines."""

import pytest

from summarizing.extractive.rendering import Rendering
from summarizing.text.document import NO_SEGMENT
from summarizing.text.parsing import parse
from tests.summarizing.text.test_parsing import check_laws, texts_of, tree

HEAD = """\
# Boats in German.
# Ada Ash, 2021

msgid ""
msgstr ""
"Language: de\\n"
"Content-Type: text/plain; charset=UTF-8\\n"
"""
ENTRIES = [
    """\
#, python-format
msgid "Enter the name of a boat (it has %(count)d oars)."
msgstr "Bitte den Namen eines Bootes eingeben (es hat %(count)d Ruder)."
""",
    """\
#: boats/forms.py:12
msgctxt "on the pier"
msgid ""
"The boat cannot be rowed out as long as it has not been paid for. Whoever has "
"paid for it may row."
msgstr ""
"Das Boot kann nicht hinausgerudert werden, solange es nicht bezahlt ist. Wer "
"es bezahlt hat, darf rudern."
""",
    """\
# How many boats are out.
msgid "%(num)d boat"
msgid_plural "%(num)d boats"
msgstr[0] "%(num)d Boot"
msgstr[1] "%(num)d Boote"
""",
    """\
#~ msgid "Date (without time)"
#~ msgstr "Datum (ohne Uhrzeit)"
""",
]


@pytest.mark.parametrize("between", ["\n", ""], ids=["blank lines", "no blank lines"])
def test_an_entry_of_a_catalogue_is_whole_and_in_its_lines(between: str) -> None:
    document = check_laws("\n".join([HEAD, between.join(ENTRIES)]))
    texts = texts_of(document)
    for entry in ENTRIES:
        index = texts.index(" ".join(entry.split()))
        assert Rendering(document).render([index], marks=False) == entry.strip()


def test_what_is_said_of_the_whole_catalogue_is_line_by_line() -> None:
    document = check_laws("\n".join([HEAD, *ENTRIES]))
    assert tree(document)['"Language: de\\n"'] == 'msgstr ""'
    assert document.segments[0].parent == NO_SEGMENT


def test_strings_of_a_long_entry_hang_on_its_message() -> None:
    strings = "\n".join(f'"What stands in line {number} of the notice on the pier. "' for number in range(12))
    above = tree(check_laws(f'msgid "notice"\nmsgstr ""\n{strings}\n\n{ENTRIES[0]}'))
    assert above['"What stands in line 8 of the notice on the pier. "'] == 'msgstr ""'
    assert above['msgstr ""'] == 'msgid "notice"'


def test_a_text_about_catalogues_is_none() -> None:
    text = f"# Catalogues\n\nA catalogue has entries of this form, and each of them is a message:\n\n{ENTRIES[0]}\nNothing else is in it.\n"
    assert any("each of them is a message:" in one for one in texts_of(parse(text)))
