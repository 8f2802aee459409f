"""A law of the cheap test that stands before YAML is read: it hides no secret."""

from hypothesis import example, given
from hypothesis import strategies as st

from gateway.masking import kubernetes_secrets
from gateway.masking.secret import Secret
from gateway.masking.stretches import LONGEST_CHARS, STRETCH_CHARS

# More than is searched at once.
BLANKS, QUOTES = " " * (STRETCH_CHARS + LONGEST_CHARS), "'" * (STRETCH_CHARS + LONGEST_CHARS)

PIECES = st.sampled_from(
    [
        *(
            "kind",
            "data",
            "stringData",
            "name",
            "value",
            "defaultValue",
            "Key",
            "password",
            "Secret",
            "hunter2x",
        ),
        *(
            "\n",
            "\n",
            "\n  ",
            "\r\n",
            "  ",
            " ",
            "\t",
            "\xa0",
            "- ",
            ":",
            ": ",
            '"',
            "'",
            "---",
            "|",
            "#",
            "K",
        ),
    ]
)
LINES = st.sampled_from(
    [
        *(
            "kind: Secret",
            "kind:\t'Secret' ",
            '"kind": "Secret"',
            "'kind': Secret",
            "kind: Secret x",
            "kind: List",
        ),
        *("data:", "  password: hunter2x", "- name: password", "  value: hunter2x", "  'value': hunter2x"),
        *(
            "name: PASSWORD",
            "value:\thunter2x",
            "value:",
            "x-value: hunter2x",
            "  value:\u00a0",
            "kind:Secret",
        ),
    ]
)


@given(
    st.lists(PIECES, max_size=25).map("".join)
    | st.lists(LINES | st.lists(PIECES, max_size=6).map("".join), max_size=6).map("\n".join)
)
@example("kind: Secret\ndata:\n  a: hunter2x")
@example("- 'kind': \"Secret\"\xa0\n  data:\n    a: hunter2x")
@example("- name: password\n  'value': hunter2x")
@example(f"kind:{BLANKS}Secret\ndata:\n  a: hunter2x")
@example(f"kind: {QUOTES}Secret\ndata:\n  a: hunter2x")
@example(f"kind: Secret{BLANKS}\ndata:\n  a: hunter2x")
def test_a_text_without_the_signs_of_yaml_has_no_secret_in_yaml(text: str) -> None:
    spans = {*kubernetes_secrets._in_json(text), *kubernetes_secrets._in_yaml(text)}
    expected = [Secret(start, end, kubernetes_secrets.NAME) for start, end in sorted(spans)]
    assert list(kubernetes_secrets.values_of_secrets(text)) == expected
