"""Texts with facts of every usual kind, for the tests of the guard and of its evidence."""

from collections.abc import Sequence

from summarizing.faithfulness.answer_check import Evidence

TOWN = """# Wick

Marla Voss has been harbour master of Wick since 1182. The quay is 340 m long and made of oak.

Gulls nest on the old light, which nobody has lit for years.

## Guilds

| Guild | Members | Seat |
|---|---|---|
| Oarsmen | 40 | Tide Hall |
| Coopers | 25 | Salt Row |

The toll is 12 USD a barge; see https://wick.example/tolls for exceptions.
"""

WOODS = "oak pine elm ash birch beech cedar maple walnut cherry spruce fir larch yew alder hazel willow poplar teak ebony holly"

HOUSES = [
    f"House {number} in Lane {number} has {number + 3} rooms and a {wood} door."
    for number, wood in enumerate(WOODS.split())
]

VILLAGE = [
    "Old hunters swear that the bone weaver fears oil.",
    "Old hunters swear that the pit wyrm fears acid.",
    "The sale of the mill was carried by 7 to 0 votes.",
    "The repair of the well was carried by 4 to 3 votes.",
    "- Xavier Weiss, tel. 05 62 28 81 67",
    "- Ida Kerr, tel. 01 41 90 25 50",
    "Ida Kerr has been miller since 1990.",
    "She lives in the Corn Yard and keeps bees.",
    "The flour store of 1851 was paid for by the Kerr family, as a plaque tells.",
    "- market warden: Quentin Kowal",
    "- tide warden: Stellan Hollow",
    "- Leader: Ida Kerr",
    "Stellan Hollow leads the divers.",
]


def is_kept(sentence: str, content: Sequence[str] = (*VILLAGE, *HOUSES)) -> bool:
    """Whether a line of an extraction passes the check against a text of these paragraphs."""
    return Evidence("\n\n".join(content)).check(f"- {sentence}", True).dropped == 0
