"""Subtitles are read cue by cue: what is said comes with its time, and a sentence over several cues comes whole."""

from summarizing.extractive.rendering import Rendering
from summarizing.text.parsing import parse

MEETING = """\
WEBVTT

NOTE Recorded on 3 March

1
00:00:04.100 --> 00:00:08.000 position:50%
<v Alice>So I think we should

2
00:00:08.000 --> 00:00:11.250
<v Alice>move the release to Friday.

3
00:00:12.500 --> 00:00:14.000
<v Bob>No. The tests are red.

4
00:00:14.500 --> 00:00:16.000
<v Alice>Since when?
"""

FILM = """\
1
00:00:26,440 --> 00:00:30,150
THE FOLLOWING IS BASED ON
ACTUAL EVENTS.

2
00:00:30,610 --> 00:00:34,102
The names, places and events

3
00:00:34,300 --> 00:00:36,000
- have been changed.

4
00:00:37,000 --> 00:00:39,000
- Really?

- Really.
"""

WITHOUT_SENTENCES = "WEBVTT\n\n" + "\n\n".join(
    f"00:{number // 60:02}:{number % 60:02}.000 --> 00:{number // 60:02}:{number % 60:02}.900\nand then we went on number {number}"
    for number in range(300)
)


def _with(text: str, said: str) -> str:
    document = parse(text)
    index = next(at for at in range(len(document.segments)) if said in document.of(at))
    return Rendering(document).render({index, *document.requirements(index)}, marks=False)


def test_a_sentence_comes_with_all_of_its_cues() -> None:
    whole = MEETING[MEETING.index("1\n00:") : MEETING.index("\n\n3\n")]
    assert _with(MEETING, "I think we should") == whole
    assert _with(MEETING, "release to Friday") == whole


def test_a_cue_comes_with_its_time_alone() -> None:
    assert (
        _with(MEETING, "tests are red") == "3\n00:00:12.500 --> 00:00:14.000\n<v Bob>No. The tests are red."
    )


def test_a_blank_line_within_a_cue_ends_it_not() -> None:
    assert _with(FILM, "- Really.") == FILM[FILM.index("4\n00:") :].rstrip()


def test_no_number_of_a_cue_is_a_title() -> None:
    assert {segment.kind.name for segment in parse(FILM).segments} == {"LINE"}


def test_without_sentences_no_more_comes_than_a_few_cues() -> None:
    assert _with(WITHOUT_SENTENCES, "number 150").count("-->") == 8


def test_a_long_film_of_short_lines_is_read_cue_by_cue() -> None:
    film = "\n\n".join(
        f"{number}\n00:{number // 60:02}:{number % 60:02},000 --> 00:{number // 60:02}:{number % 60:02},900\n- Oui.\n- Ah?"
        for number in range(1, 900)
    )
    assert _with(film, "\n00:08:20,000").startswith("500\n00:08:20,000")
    assert _with(film, "\n00:08:20,000").endswith("- Oui.\n- Ah?")


def test_a_cue_in_which_nothing_is_said_is_no_name_of_the_next() -> None:
    times = [f"00:00:0{second}.000 --> 00:00:0{second}.900" for second in range(1, 4)]
    document = parse("\n".join(times) + "\nThe tests are red.\n")
    assert [document.of(index) for index in range(len(document.segments))] == [
        "\n".join(times) + "\nThe tests are red."
    ]
