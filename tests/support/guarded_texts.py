"""A text with facts of every usual kind, for the tests of the guard and of its evidence."""

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
