"""The set of documents: which there are, of which size, all made from one seed. Reads words, writes nothing."""

from random import Random

from bench.fidelity.gold import Document, Gold
from bench.fidelity.grammar import read_rules
from bench.fidelity.prose import Plan, compose
from bench.fidelity.streams import Listing, list_records

__all__ = ["Document", "Gold", "documents"]

# Files of words -> the documents of them.
PLANS = {
    "town": [
        Plan("wiki-town-1", "wiki", 22),
        Plan("wiki-town-2", "wiki", 22, ends_with_a_fact=True),
        Plan("wiki-town-long", "wiki", 60),
    ],
    "realm": [Plan("wiki-realm-1", "wiki", 34), Plan("wiki-realm-2", "wiki", 30, ends_with_a_fact=True)],
    "minutes": [
        Plan("minutes-1", "minutes", 28),
        Plan("minutes-2", "minutes", 26, ends_with_a_fact=True),
        Plan("minutes-3", "minutes", 24, topics=1),
        Plan("minutes-4", "minutes", 24),
    ],
    "mail": [
        Plan("mail-1", "mail", 33),
        Plan("mail-2", "mail", 36, ends_with_a_fact=True),
        Plan("mail-3", "mail", 24, topics=1),
    ],
    "product": [
        Plan("product-1", "product", 32),
        Plan("product-2", "product", 36, ends_with_a_fact=True),
        Plan("product-3", "product", 26, topics=1),
        Plan("manual-long", "product", 110, topics=3),
    ],
    "api": [
        Plan("api-1", "api", 26),
        Plan("api-2", "api", 30, ends_with_a_fact=True),
        Plan("api-3", "api", 18, topics=1),
        Plan("api-4", "api", 20),
    ],
    "changelog": [
        Plan("changelog-1", "changelog", 22),
        Plan("changelog-2", "changelog", 28, ends_with_a_fact=True),
        Plan("changelog-3", "changelog", 18, topics=1),
        Plan("changelog-long", "changelog", 90, topics=3),
    ],
    "handbook": [Plan("handbook-200k", "handbook", 870, topics=3)],
    "deutsch protokoll": [
        Plan("protokoll-1", "minutes", 20, "de"),
        Plan("protokoll-2", "minutes", 24, "de", ends_with_a_fact=True),
    ],
    "deutsch anleitung": [
        Plan("anleitung-1", "product", 24, "de"),
        Plan("anleitung-2", "product", 20, "de", topics=1),
    ],
    "francais compterendu": [
        Plan("compte-rendu-1", "minutes", 20, "fr"),
        Plan("compte-rendu-2", "minutes", 24, "fr", ends_with_a_fact=True),
    ],
    "francais guide": [Plan("guide-1", "wiki", 20, "fr"), Plan("guide-2", "wiki", 22, "fr", topics=1)],
}

LISTINGS = {
    "pods": [Listing("pods-1", "kubernetes", 13, topic="broken"), Listing("pods-2", "kubernetes", 12)],
    "describe": [
        Listing("describe-1", "kubernetes", 7, topic="images"),
        Listing("describe-2", "kubernetes", 13, topic="warnings"),
    ],
    "manifests": [
        Listing("manifests-1", "kubernetes", 8, topic="images"),
        Listing("manifests-2", "kubernetes", 10, topic="environment"),
    ],
    "log": [Listing("log-1", "log", 16), Listing("log-2", "log", 17), Listing("log-long", "log", 44)],
    "jsonlog": [Listing("log-json-1", "log", 14), Listing("log-json-2", "log", 15)],
    "traceback": [Listing("tracebacks-1", "log", 20), Listing("tracebacks-2", "log", 24)],
    "csv": [Listing("csv-1", "table", 14), Listing("csv-2", "table", 16)],
    "inventory": [Listing("table-1", "table", 18), Listing("table-2", "table", 16)],
    "devices": [Listing("json-devices-1", "json", 18), Listing("json-devices-2", "json", 20)],
    "config": [Listing("json-config-1", "json", 24), Listing("json-config-2", "json", 30)],
}


def documents(seed: int) -> list[Document]:
    """Return the documents of a seed, always the same; another seed gives other documents of the same kinds."""
    written = [
        compose(plan, read_rules("english", *words.split()), _random(seed, plan.name))
        for words, plans in PLANS.items()
        for plan in plans
    ]
    listed = [
        list_records(plan, read_rules("english", *words.split()), _random(seed, plan.name))
        for words, plans in LISTINGS.items()
        for plan in plans
    ]
    return written + listed


def _random(seed: int, name: str) -> Random:
    return Random(f"{seed} {name}")  # noqa: S311 - texts to try a service on, nothing secret
