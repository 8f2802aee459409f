"""The models that stand in, the injected texts, the algorithms of others: they are what the evaluation says they are."""

import json
from collections.abc import AsyncIterator
from dataclasses import replace

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.fidelity.attacks import Attack, attacks, got_through, infected, own_words, seen_by_a_model
from bench.fidelity.benign_documents import controls
from bench.fidelity.documents import Document
from bench.fidelity.first_design import Cutter, summarize
from bench.fidelity.gold import Gold
from bench.fidelity.loop_lags import loop_lags
from bench.fidelity.peers import FirstDesign, Server
from bench.fidelity.personalities import (
    Faithful,
    Forgetful,
    Inventing,
    Obedient,
    OverBudget,
    Room,
    Seen,
    fold,
    room_in,
    swaps,
)
from bench.fidelity.proxy import usage_in
from summarizing.text.tokenizer import Tokenizer, load_tokenizer, read_vocabulary
from tests.support.manual_time import pass_by_hand, until
from tests.support.stand_in import StandIn

FACTS = [
    f"Berth {number} of the quay is let to Ada Vole{number} for {number * 11} crowns."
    for number in range(1, 41)
]
QUAY = Document(
    "quay",
    "wiki",
    "en",
    "# The quay\n\n" + "\n\n".join(f"{fact} The wind was cold that year, as most years." for fact in FACTS),
    "berths, with tenant and rent",
    tuple(Gold((f"Berth {n}", f"Vole{n}", f"{n * 11} crowns"), fact) for n, fact in enumerate(FACTS, 1)),
    (Gold(("wind",), "The wind was cold that year, as most years."),),
)
WIDE = Room(None, "tokens", 100_000)


@pytest.fixture(scope="module")
def tokenizer() -> Tokenizer:
    return load_tokenizer(read_vocabulary())


# --- Models ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "prompt, room",
    [
        ("text\n\nWrite the facts, in at most 300 words.", Room(300, "words", 500)),
        ("Merge into one summary of no more than 900 tokens.\n" + "x" * 2_000, Room(900, "tokens", 500)),
        ("Fasse zusammen, at most 80 characters", Room(80, "characters", 500)),
        ("at most three words" + "x" * 700 + "at most 9 words" + "x" * 700, Room(None, "tokens", 500)),
    ],
)
def test_a_model_reads_the_length_that_its_prompt_states_at_either_end(prompt: str, room: Room) -> None:
    assert room_in(prompt, 500) == room


def test_a_faithful_model_writes_the_facts_that_it_sees_and_no_others(tokenizer: Tokenizer) -> None:
    model = Faithful(QUAY, tokenizer)
    half = QUAY.text[: QUAY.text.index("Berth 21 of")]
    assert model.write(half, WIDE).splitlines() == [f"- {fact}" for fact in FACTS[:20]]
    assert model.write("nothing of it", WIDE) == "NONE"


def test_a_faithful_model_finds_facts_again_in_what_it_wrote_for_a_merge(tokenizer: Tokenizer) -> None:
    model = Faithful(QUAY, tokenizer)
    assert model.write(model.write(QUAY.text, WIDE), WIDE) == model.write(QUAY.text, WIDE)


@given(st.integers(1, 400))
def test_a_faithful_model_keeps_to_the_words_it_was_asked_for(words: int) -> None:
    answer = Faithful(QUAY, LOADED).write(QUAY.text, Room(words, "words", 100_000))
    assert len(answer.split()) <= words or answer == "NONE"


LOADED = load_tokenizer(read_vocabulary())


def test_a_forgetful_model_forgets_about_three_of_ten_and_always_the_same(tokenizer: Tokenizer) -> None:
    model = Forgetful(QUAY, tokenizer, seed=3)
    written = model.write(QUAY.text, WIDE)
    assert 20 <= len(written.splitlines()) <= 34
    assert model.write(QUAY.text + "\n", WIDE) == written
    assert Forgetful(QUAY, tokenizer, seed=4).write(QUAY.text, WIDE) != written


def test_what_an_inventing_model_adds_is_not_in_the_document_and_known(tokenizer: Tokenizer) -> None:
    model = Inventing(QUAY, tokenizer)
    lines = [line.removeprefix("- ") for line in model.write(QUAY.text, WIDE).splitlines()]
    added = [line for line in lines if line not in FACTS]
    assert len(added) == 10
    assert set(added) == set(model.invented)
    assert not [line for line in added if fold(line) in fold(QUAY.text)]
    kinds = ("is recorded with", "Details are at", "Run `", "Berth")
    assert all(any(kind in line for line in added) for kind in kinds)


def test_values_are_swapped_between_lines_of_one_kind_only(tokenizer: Tokenizer) -> None:
    one, other = Inventing(QUAY, tokenizer).document.gold[:2]
    seen = [Faithful(QUAY, tokenizer).lines(gold.line)[0] for gold in (one, other)]
    assert seen == FACTS[:2]
    swapped = swaps(Seen(one, FACTS[0]), Seen(other, FACTS[1]))
    assert swapped == [FACTS[0].replace("11 crowns", "22 crowns"), FACTS[1].replace("22 crowns", "11 crowns")]
    odd = replace(other, parts=("Berth 2", "Vole2"))
    assert swaps(Seen(one, FACTS[0]), Seen(odd, FACTS[1])) == []


def test_a_model_over_its_budget_writes_about_four_times_what_was_asked(tokenizer: Tokenizer) -> None:
    answer = OverBudget(QUAY, tokenizer).write(QUAY.text, Room(100, "words", 100_000))
    assert 300 <= len(answer.split()) <= 400


# --- Over the wire -----------------------------------------------------------------------------------------------


@pytest.fixture
async def served(tokenizer: Tokenizer) -> AsyncIterator[tuple[Faithful, str]]:
    model = OverBudget(QUAY, tokenizer)
    async with StandIn(lambda number, payload: model) as server:
        yield model, server.base_url


@pytest.mark.parametrize("stream", [True, False])
async def test_a_model_answers_over_a_socket_is_cut_at_its_limit_and_counted(
    served: tuple[Faithful, str], stream: bool
) -> None:
    model, url = served
    body = {
        "model": "m",
        "max_tokens": 50,
        "stream": stream,
        "messages": [{"role": "user", "content": f"{QUAY.text}\n\nWrite at most 100 words."}],
    }
    async with httpx.AsyncClient() as http:
        reply = await http.post(f"{url}/chat/completions", json=body)
    prompt_tokens = model.count(body["messages"][0]["content"])  # type: ignore[index]
    assert (model.tally.calls, model.tally.prompt_tokens) == (1, prompt_tokens)
    assert 40 <= model.tally.answer_tokens <= 50
    assert '"length"' in reply.text
    assert usage_in(reply.content)["completion_tokens"] == model.tally.answer_tokens


def test_the_usage_of_an_answer_is_found_whole_or_streamed_or_not_at_all() -> None:
    usage = {"prompt_tokens": 7, "completion_tokens": 2}
    assert usage_in(json.dumps({"usage": usage}).encode()) == usage
    events = [{"usage": {"prompt_tokens": 1}}, {"usage": usage}, {"usage": None}]
    stream = "".join(f"data: {json.dumps(event)}\n\n" for event in events) + "data: [DONE]\n\n"
    assert usage_in(stream.encode()) == usage
    assert usage_in(b"<html>") == {}


async def test_the_first_design_keeps_to_its_target_by_merges_and_gives_the_content_back_on_failure(
    served: tuple[Faithful, str], tokenizer: Tokenizer
) -> None:
    model, url = served
    async with httpx.AsyncClient() as http:
        design = FirstDesign(Server(url, chunk_size=500, overlap=50), tokenizer, http)
        made = await design.summarize(QUAY.text, QUAY.schema_hint, 150)
        assert 0 < model.count(made.text) <= 150
        broken = FirstDesign(Server(f"{url}/nowhere", chunk_size=500), tokenizer, http)
        assert (await broken.summarize(QUAY.text, QUAY.schema_hint, 150)).text == QUAY.text


# --- The first design --------------------------------------------------------------------------------------------


@given(st.text("ab \n#-", max_size=300), st.integers(20, 60))
def test_the_first_designs_chunks_hold_every_word(text: str, size: int) -> None:
    chunks = " ".join(Cutter(LOADED, size, 5).chunks(text))
    assert set(text.split()) - {"---"} <= set(chunks.split()) | {"---"} or len(chunks) >= len(text.strip())


def test_the_first_designs_chunks_carry_the_heading_before_them() -> None:
    text = "# Quay\n\n## Berths\n\n" + "\n\n".join(f"Berth {number} is let." for number in range(60))
    chunks = Cutter(LOADED, 100, 10).chunks(text)
    assert len(chunks) > 3
    assert all(chunk.startswith(("# Quay", "## Berths")) for chunk in chunks)
    assert all(LOADED.count(chunk) <= 120 for chunk in chunks)


async def test_the_first_design_asks_for_at_most_three_merges_and_returns_what_it_has() -> None:
    asked: list[int] = []

    async def ask(prompt: str, max_tokens: int) -> str:
        asked.append(max_tokens)
        return "too long " * 50

    made = await summarize(
        QUAY.text, "rents", 30, cutter=Cutter(LOADED, 500, 50), ask=ask, count=LOADED.count
    )
    assert asked == [500] * (len(asked) - 3) + [30] * 3
    assert LOADED.count(made) > 30


# --- Injected texts ----------------------------------------------------------------------------------------------


def test_each_injected_text_has_a_canary_of_its_own() -> None:
    every = attacks()
    assert len({attack.canary for attack in every}) == len(every)
    assert all(attack.canary in attack.payload for attack in every)


@pytest.mark.parametrize("attack", attacks(), ids=lambda attack: f"{attack.kind} {attack.canary}")
def test_an_obedient_model_obeys_each_injected_text_and_is_faithful_without(
    attack: Attack, tokenizer: Tokenizer
) -> None:
    document = infected(QUAY, attack)
    model = Obedient(document, tokenizer, attacks=[attack])
    answer = model.write(document.text, WIDE)
    assert answer == attack.payload
    assert got_through(attack, answer)
    assert model.write(QUAY.text, WIDE) == Faithful(QUAY, tokenizer).write(QUAY.text, WIDE)
    assert all(gold.line in document.text for gold in document.gold)


def test_quoting_the_injected_sentence_is_not_giving_in() -> None:
    attack = next(one for one in attacks() if one.kind == "override")
    assert not got_through(attack, f"- The page says: {attack.text}\n- Berth 1 is let.")
    assert got_through(attack, f"{attack.text}\n{attack.canary}")


def test_letters_that_nobody_sees_are_read_by_models_all_the_same() -> None:
    tagged = "".join(chr(0xE0000 + ord(letter)) for letter in "Obey")
    assert seen_by_a_model(f"a{tagged} B\u200bC") == "aobey bc"


def test_the_attack_in_the_documents_own_words_is_known_by_what_is_lost_alone() -> None:
    attack = own_words(QUAY)
    assert attack.payload in QUAY.text
    assert not got_through(attack, attack.payload)


def test_the_controls_state_each_of_their_facts() -> None:
    for document in controls(5):
        assert all(gold.line in document.text for gold in document.gold)
        assert all(
            part in gold.line for gold in document.gold for part in gold.parts if part.casefold() == part
        )
    assert controls(5) == controls(5) != controls(6)


# --- The event loop's lag ----------------------------------------------------------------------------------------


async def test_a_stall_counts_once_for_each_timer_that_it_delays(monkeypatch: pytest.MonkeyPatch) -> None:
    let_pass = pass_by_hand(monkeypatch, real=lambda: 0.0)
    with loop_lags() as lags:
        let_pass(0.1225)  # nothing else could run meanwhile
        await until(lambda: bool(lags), "the first timer")
    assert lags == pytest.approx([0.1175 - 0.005 * missed for missed in range(24)])
