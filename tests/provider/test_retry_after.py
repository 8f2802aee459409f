"""What a Retry-After header says, whatever a provider writes there."""

from datetime import UTC, datetime

from hypothesis import example, given
from hypothesis import strategies as st

from provider.retry_after import retry_after_seconds

NOW = datetime(2026, 7, 1, 12, 0, tzinfo=UTC)


@example("0\x1f")
@given(st.text(max_size=60))
def test_any_retry_after_header_is_parsed_without_an_error(header: str) -> None:
    wait = retry_after_seconds(header, NOW)
    assert wait is None or wait >= 0
