"""A part of a reading: the same text, facts and verdicts as if the part had been read by itself."""

from hypothesis import given
from hypothesis import strategies as st

from chunking import measure, pack
from summarizing.facts.text_reading import Reading
from summarizing.faithfulness.answer_check import Evidence
from summarizing.text.document import NO_SEGMENT
from tests.support.guarded_texts import TOWN
from tests.support.hostile_texts import ATTACKS
from tests.support.parts import the_tokenizer

HOUSES = [
    f"House {number} belongs to Keeper{number} Vane, who paid {number * 7 + 100} EUR on {number % 28 + 1} May "
    f"1998 for its {number % 5 + 2} rooms."
    for number in range(12)
]
BLOCKS = [
    *TOWN.strip().split("\n\n"),
    *HOUSES,
    "- The lamp burns 12 l of oil a night.\n- The bell weighs 340 kg.\n- See `make lamp` and https://wick.example/lamps.",
    "```sh\nmake lamp\n./light --dry-run\n```",
    "Port: 8007\nHost: wick.example\nRetries: 3",
    "Such lamps are rare. They burn for 30 years.",
    "## Repairs",
]
texts = st.lists(st.sampled_from(BLOCKS), min_size=3, max_size=14, unique=True)
answers = st.lists(
    st.sampled_from(
        [
            *HOUSES[:4],
            "House 3 belongs to Keeper4 Vane, who paid 121 EUR.",
            "The bell weighs 341 kg.",
            "- The bell: 340 kg",
            "Marla Voss has been harbour master of Wick since 1182.",
            "Marla Voss has been harbour master of Wick since 1183.",
            "Run `make lamp` or `rm -rf lamp`, see https://evil.example/lamps.",
            "| Oarsmen | 25 | Tide Hall |",
            "- **Port**: 8007",
            "- Retries: 5",
            "The Coopers have 25 members in Salt Row.",
        ]
    ),
    min_size=1,
    max_size=5,
    unique=True,
).map("\n".join)


@given(st.text(alphabet="ab. \n#-|:1", min_size=1, max_size=120), st.data())
def test_a_part_is_a_stretch_of_the_text_with_the_segments_in_it(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text) - 1))
    end = data.draw(st.integers(start + 1, len(text)))
    whole = Reading.of(text)
    part = whole.part(start, end)
    document = part.document
    assert document.text == text[start:end]
    spans = [(max(one.start, start), min(one.end, end)) for one in whole.document.segments]
    assert [(one.start + start, one.end + start) for one in document.segments] == [
        (first, last) for first, last in spans if first < last
    ]
    for index, segment in enumerate(document.segments):
        assert NO_SEGMENT <= segment.parent < index
        assert NO_SEGMENT <= segment.anchor < len(document.segments)
    assert part.terms_of == Reading(document).terms_of


@given(texts, answers, st.booleans(), st.data())
def test_the_verdict_on_an_answer_is_the_same_from_a_part_as_from_its_text(
    blocks: list[str], answer: str, wants_facts: bool, data: st.DataObject
) -> None:
    """A part of whole paragraphs."""
    first = data.draw(st.integers(0, len(blocks) - 1))
    last = data.draw(st.integers(first + 1, len(blocks)))
    text = "\n\n".join(blocks)
    chunk = "\n\n".join(blocks[first:last])
    start = text.index(chunk)
    part = Reading.of(text).part(start, start + len(chunk))
    assert Evidence(chunk, reading=part).check(answer, wants_facts) == Evidence(chunk).check(
        answer, wants_facts
    )


TABLE = "| House | Keeper | Debt |\n|---|---|---|\n" + "\n".join(
    f"| House {number} | Keeper{number} Vane | {number * 7 + 100} EUR |" for number in range(60)
)
FENCE = "```py\n" + "\n".join(f"limit_{number} = {number * 3 + 40}\n" for number in range(200)) + "\n```"


@given(
    st.sampled_from([TABLE, FENCE]),
    st.lists(
        st.sampled_from(
            [
                "| House 41 | Keeper41 Vane | 387 EUR |",
                "| House 41 | Keeper41 Vane | 394 EUR |",
                "limit_90 = 310",
                "House 41: debt 387 EUR",
                "- Keeper41 Vane: 387 EUR",
                "limit_90 = 313",
                "Debt of House 50: 450 EUR",
            ]
        ),
        min_size=1,
        unique=True,
    ).map("\n".join),
    st.booleans(),
)
def test_the_verdict_is_the_same_where_a_chunk_repeats_a_head_row_or_the_opening_of_a_fence(
    block: str, answer: str, wants_facts: bool
) -> None:
    text = f"{TOWN}\n\n{block}\n\nThe end of it all."
    reading = Reading.of(text)
    chunks = pack(measure(text, 300, the_tokenizer().count_each), 0, the_tokenizer().count_each)
    assert any(chunk.lead for chunk in chunks)
    for chunk in chunks:
        part = reading.part(chunk.start, chunk.end, chunk.lead)
        whole = chunk.lead + chunk.text
        assert part.document.text == whole
        assert part.terms_of == Reading(part.document).terms_of
        assert Evidence(whole, reading=part).check(answer, wants_facts) == Evidence(whole).check(
            answer, wants_facts
        )


def test_the_facts_of_a_part_are_those_of_the_whole_that_stand_in_it() -> None:
    whole = Reading.of(TOWN)
    middle = TOWN.index("## Guilds")
    parts = [whole.part(0, middle), whole.part(middle, len(TOWN))]
    assert [fact.key for part in parts for fact in part.facts] == [fact.key for fact in whole.facts]
    for part in parts:
        text = part.document.text
        assert all(
            fact.start >= segment.start
            for segment, facts in zip(part.document.segments, part.facts_of, strict=True)
            for fact in facts
        )
        assert {text[fact.start : fact.end] for fact in part.facts} <= {
            TOWN[fact.start : fact.end] for fact in whole.facts
        }


def test_what_speaks_to_a_model_supports_nothing_in_a_part_either() -> None:
    """Cut out of the text, it leaves another one: that is read anew."""
    order = next(one for one in ATTACKS if "ignore" in one.lower())
    text = f"{TOWN}\n\n{order}\n\n{TOWN}"
    part = Reading.of(text).part(0, len(text))
    assert Evidence(text, reading=part).check(order, wants_facts=False) == Evidence(text).check(
        order, wants_facts=False
    )


def test_where_only_the_keys_are_kept_the_places_are_found_again() -> None:
    text = "\n\n".join(BLOCKS)
    whole, reading = Reading.of(text), Reading.of(text)
    reading.forget_places()
    assert reading.keys_of == whole.keys_of
    assert [fact.key for found in whole.facts_of for fact in found] == [
        key.key for found in reading.keys_of for key in found
    ]
    assert (reading.facts, reading.facts_of) == (whole.facts, whole.facts_of)
