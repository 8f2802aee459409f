"""The general knowledge between a brief's words and a text's: which word is an instance of what."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from summarizing.relevance.kinds import Kind, by_asked, kinds
from summarizing.relevance.value_shapes import shapes
from summarizing.text.stemming import Stems, stem_of, terms_of

KINDS = kinds()
MEANT = by_asked(KINDS)

# What a value of a kind can look like.
SHAPE_NAMES = (
    "date time duration money number quantity percent version code person name place url email phone path term vote "
    "state"
)
SHAPES = frozenset(SHAPE_NAMES.split())

# In any text of their language: English, German, French, Spanish.
STOP_WORDS = (
    "the a an of and or for in on to with from by at as is are was were be been has have had do does did not this "
    "that these those it its he she they we you i his her their our your but if then than so there here what which "
    "can could will would should may might into over under about after before between all any some more most other "
    "make made get got thing part use time work new one two first even also only very just "
    "der die das den dem des ein eine einen einem einer und oder aber mit von zu zum zur im in auf an aus bei nach "
    "ist sind war waren wird werden hat haben nicht sich es sie er wir ihr auch noch nur als wie so dass für über "
    "le la les un une des du de et ou mais dans sur avec pour par est sont était ont pas ne se ce cette qui que il "
    "elle ils nous vous son sa ses leur plus comme tout fait "
    "el los las uno una unos y o pero en con por para es son era fue han hay no se su sus lo al del más como ya este"
)
# Few lines are so many kinds of thing at once.
MOST_KINDS_OF_A_WORD = 8

LINKED = [
    ("disasters", "flood"),
    ("Katastrophen", "Hochwasser"),
    ("catastrophes", "incendie"),
    ("desastres", "terremoto"),
    ("people", "blacksmith"),
    ("Personen", "Schmied"),
    ("leaders", "mayor"),
    ("roles", "treasurer"),
    ("family", "sister"),
    ("factions", "brotherhood"),
    ("organizations", "ministry"),
    ("places", "village"),
    ("buildings", "lighthouse"),
    ("Gebäude", "Rathaus"),
    ("wars", "invaded"),
    ("elections", "candidate"),
    ("decisions", "approved"),
    ("Beschlüsse", "genehmigt"),
    ("Entscheidungen", "abgelehnt"),
    ("decisiones", "rechazado"),
    ("décisions", "adopté"),
    ("votes", "abstained"),
    ("tasks", "assigned"),
    ("prices", "euros"),
    ("fines", "imprisonment"),
    ("salaries", "bonus"),
    ("deadlines", "overdue"),
    ("dimensions", "diameter"),
    ("materials", "aluminium"),
    ("maintenance", "lubricate"),
    ("safety", "electrocution"),
    ("limits", "throttled"),
    ("errors", "traceback"),
    ("breaking changes", "renamed"),
    ("deprecations", "discontinued"),
    ("vulnerabilities", "xss"),
    ("performance", "throughput"),
    ("pods", "CrashLoopBackOff"),
    ("resources", "millicores"),
    ("creatures", "dragons"),
    ("weaknesses", "sunlight"),
    ("spells", "fireball"),
    ("vendors", "sells"),
    ("ingredients", "butter"),
    ("symptoms", "headache"),
    ("medication", "tablets"),
    ("side effects", "drowsiness"),
    ("obligations", "shall"),
    ("trains", "platform"),
    ("weather", "drizzle"),
    ("species", "salmon"),
    ("books", "trilogy"),
]
APART = [
    ("disasters", "invoice"),
    ("disasters", "treasurer"),
    ("people", "timeout"),
    ("people", "granite"),
    ("prices", "brotherhood"),
    ("votes", "screwdriver"),
    ("decisions", "rainfall"),
    ("places", "approved"),
    ("deadlines", "oak"),
    ("dimensions", "headache"),
    ("materials", "candidate"),
    ("errors", "wedding"),
    ("limits", "blacksmith"),
    ("pods", "cathedral"),
    ("creatures", "invoice"),
    ("spells", "postcode"),
    ("symptoms", "renamed"),
    ("trains", "insulin"),
    ("weather", "plaintiff"),
    ("species", "webhook"),
    ("buildings", "amoxicillin"),
    ("vulnerabilities", "butter"),
]


# States by which a brief selects, and a word by which a text tells of each.
STATES = [
    ("unpaid bills", "dunned"),
    ("overdue accounts", "unpaid"),
    ("unbezahlte Rechnungen", "überfällig"),
    ("factures impayées", "relance"),
    ("facturas pendientes", "espera"),
    ("broken items", "cracked"),
    ("needs repair", "leaking"),
    ("kaputte Geräte", "undicht"),
    ("outils cassés", "fissuré"),
    ("stolen bicycles", "burgled"),
    ("books on loan and lent", "borrower"),
    ("unavailable articles", "backorder"),
    ("unreachable devices", "down"),
    ("offline sensors", "lost"),
    ("getrennte Geräte", "ausgefallen"),
    ("unhealthy replicas", "flapping"),
    ("failed runs", "aborted"),
    ("fehlgeschlagene Läufe", "abgebrochen"),
    ("unsupported releases", "sunset"),
    ("private notes", "nda"),
    ("inaccessible stations", "stairs"),
    ("vacant posts", "advertised"),
    ("postponed talks", "shelved"),
    ("cancelled trips", "scrapped"),
    ("expired certificates", "elapsed"),
    ("undelivered parcels", "bounced"),
    ("rejected requests", "vetoed"),
    ("abgelehnte Anträge", "zurückgewiesen"),
    ("demandes refusées", "débouté"),
    ("unassigned work", "nobody"),
    ("unfinished jobs", "todo"),
    ("needs approval", "unsigned"),
    ("urgent matters", "asap"),
    ("outdated pages", "superseded"),
    ("sick pupils", "fever"),
    ("former members", "until"),
    ("levels too high", "exceeds"),
    ("Werte zu niedrig", "unterschritten"),
    ("incorrect entries", "typo"),
    ("incomplete answers", "missing"),
    ("illegal goods", "smuggled"),
    ("what was renamed", "now"),
    ("what was replaced", "instead"),
    ("removed flags", "longer"),
    ("raised fees", "doubled"),
    ("lowered fees", "halved"),
    ("what is new", "introduced"),
]
OPPOSITES = [
    ("unpaid", "paid"),
    ("sold", "unsold"),
    ("late", "punctual"),
    ("vacant", "occupied"),
    ("broken", "intact"),
    ("dirty", "clean"),
    ("missing", "found"),
    ("lent", "returned"),
    ("outdated", "current"),
    ("overheated", "frozen"),
    ("high", "low"),
    ("dangerous", "safe"),
    ("accessible", "inaccessible"),
    ("unreachable", "online"),
    ("inactive", "running"),
    ("unhealthy", "healthy"),
    ("failed", "succeeded"),
    ("enabled", "disabled"),
    ("encrypted", "unpatched"),
    ("hidden", "visible"),
    ("private", "public"),
    ("empty", "full"),
    ("unfinished", "finished"),
    ("incomplete", "complete"),
    ("incorrect", "correct"),
    ("approved", "rejected"),
    ("assigned", "unassigned"),
    ("compulsory", "optional"),
    ("urgent", "trivial"),
    ("verified", "unverified"),
    ("expired", "valid"),
    ("revoked", "renewed"),
    ("illegal", "legal"),
    ("guilty", "acquitted"),
    ("employed", "unemployed"),
    ("temporary", "permanent"),
    ("away", "attending"),
    ("sick", "healthy"),
    ("deceased", "alive"),
    ("married", "unmarried"),
    ("loyal", "hostile"),
    ("changed", "unchanged"),
    ("raised", "lowered"),
    ("improved", "worsened"),
    ("split", "merged"),
]


def told_for(brief: str) -> set[str]:
    """Return what a text may tell of the kinds that a brief's words ask for."""
    return {stem for word in terms_of(brief, Stems()) for kind in MEANT.get(word, []) for stem in kind.told}


def values_for(brief: str) -> set[str]:
    """Return the values that answer a brief's words."""
    return {
        shape for word in terms_of(brief, Stems()) for kind in MEANT.get(word, []) for shape in kind.values
    }


def test_every_value_is_of_a_shape_that_has_a_name() -> None:
    assert {shape for kind in KINDS for shape in kind.values} <= SHAPES


def test_every_shape_answers_some_kind() -> None:
    assert {shape for kind in KINDS for shape in kind.values} == SHAPES


def test_every_kind_can_be_asked_for() -> None:
    for kind in KINDS:
        assert kind.asked
        assert all(kind in MEANT[stem] for stem in kind.asked)


def test_no_kind_is_written_twice() -> None:
    assert len({kind.asked for kind in KINDS}) == len(KINDS)


def test_words_that_ask_for_a_kind_do_not_tell_of_it() -> None:
    assert [kind for kind in KINDS if kind.asked & kind.told] == []


def test_each_stem_is_a_single_word_as_it_is_read_in_a_text() -> None:
    stems = {stem for kind in KINDS for stem in kind.asked | kind.told}
    assert {stem for stem in stems if len(terms_of(stem, Stems())) != 1} == set()


def test_words_of_every_text_tell_of_nothing() -> None:
    stop_words = set(map(stem_of, STOP_WORDS.split()))
    assert {stem for kind in KINDS for stem in kind.told & stop_words} == set()


def test_of_words_of_every_text_a_brief_asks_with_those_only_that_are_nouns_states_or_questions_too() -> None:
    stop_words = set(map(stem_of, STOP_WORDS.split()))
    assert MEANT.keys() & stop_words <= {"new", "part", "time", "work", "war", "era", "qui"}


def test_no_word_tells_of_too_many_kinds() -> None:
    counts = Counter(stem for kind in KINDS for stem in kind.told)
    assert {stem: count for stem, count in counts.items() if count > MOST_KINDS_OF_A_WORD} == {}


@pytest.mark.parametrize("brief, word", LINKED)
def test_an_instance_is_known_as_what_was_asked_for(brief: str, word: str) -> None:
    assert stem_of(word) in told_for(brief)


@pytest.mark.parametrize("brief, word", APART)
def test_what_is_no_instance_stays_apart(brief: str, word: str) -> None:
    assert stem_of(word) not in told_for(brief)


@pytest.mark.parametrize("brief, word", STATES)
def test_a_state_that_was_asked_for_is_known_by_what_a_text_says_of_it(brief: str, word: str) -> None:
    assert stem_of(word) in told_for(brief)


@pytest.mark.parametrize("state, opposite", OPPOSITES)
def test_a_state_is_not_told_by_its_opposite(state: str, opposite: str) -> None:
    assert stem_of(opposite) not in told_for(state)
    assert stem_of(state) not in told_for(opposite)
    # States stand last in the tables, so this is the state that the word names, not a noun's kind.
    one, other = MEANT[stem_of(state)][-1], MEANT[stem_of(opposite)][-1]
    assert one.told.isdisjoint(other.asked)
    assert other.told.isdisjoint(one.asked)


@pytest.mark.parametrize(
    "brief, values",
    [
        ("who", {"person", "name"}),
        ("wer", {"person", "name"}),
        ("quién", {"person", "name"}),
        ("when", {"date", "time"}),
        ("wann", {"date", "time"}),
        ("where", {"place"}),
        ("how much", {"number", "money", "quantity"}),
        ("how often", {"duration"}),
        ("how long", {"duration"}),
        ("disasters", set()),
        ("prices", {"money"}),
        ("votes", {"vote", "percent"}),
    ],
)
def test_an_answer_shows_the_values_that_were_asked_for(brief: str, values: set[str]) -> None:
    assert values_for(brief) == values


@pytest.mark.parametrize(
    "line, is_host",
    [
        ('"audit_us_host": "riverside-43.recommender.internal",', True),
        ("proxy: cache-3.example.com:8080", True),
        ("nameserver 10.0.0.53", True),
        ("The lamp was lit. then it went out", False),
        ("print(sys.stdout())", False),
        ("version 1.2.3 of the tool", False),
        ("e.g. lamps", False),
    ],
)
def test_a_host_is_seen_by_its_name_or_address(line: str, is_host: bool) -> None:
    host = shapes()["host"]
    assert bool(host.pattern.search(line)) == is_host
    assert host.is_asked_by(stem_of("hostnames"))


@given(st.sampled_from(["disaster", "faction", "invoice", "spell", "vulnerability", "symptom", "flight"]))
def test_a_plural_in_capitals_asks_for_the_same(word: str) -> None:
    plural = word.removesuffix("y") + "ies" if word.endswith("y") else word + "s"
    assert MEANT[stem_of(plural.upper())] == MEANT[stem_of(word)]


@given(st.lists(st.sampled_from(KINDS), max_size=9))
def test_the_lookup_has_what_it_was_given_in_its_order_and_nothing_else(some: list[Kind]) -> None:
    for stem, meant in by_asked(some).items():
        assert meant == [kind for kind in some if stem in kind.asked]
    assert set(by_asked(some)) == {stem for kind in some for stem in kind.asked}


def test_the_tables_are_read_the_same_each_time() -> None:
    assert kinds() == KINDS
