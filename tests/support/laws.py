"""How many examples a law is tried with: all of them in `make test-all`, some in `make test`. The same ones on every run."""

from typing import Any

from hypothesis import HealthCheck, settings

# Of 100 examples that a law asks for, so many are tried.
PROFILES = {"quick": 25, "thorough": 100}


def register_profiles() -> None:
    """Tell hypothesis of both, and take the quick one; --hypothesis-profile=thorough takes the other."""
    for name, per_cent in PROFILES.items():
        settings.register_profile(
            name,
            max_examples=per_cent,
            derandomize=True,
            database=None,
            # No limit in seconds: a busy machine is no fault of the code.
            deadline=None,
            suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
        )
    settings.load_profile("quick")


def scaled(examples: int) -> int:
    """Return how many of so many examples the profile tries; one at least."""
    return max(1, examples * settings().max_examples // PROFILES["thorough"])


def examples(number: int, **options: Any) -> settings:
    """Return the settings of a law that asks for another number of examples than 100."""
    return settings(max_examples=scaled(number), **options)
