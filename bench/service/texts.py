"""The texts of the jobs: a handbook as the fidelity bench writes it, cut to a size. Always the same for a size."""

from dataclasses import dataclass
from random import Random

from bench.fidelity.documents import PLANS
from bench.fidelity.grammar import read_rules
from bench.fidelity.prose import compose
from summarizing.text.tokenizer import Tokenizer

SEED = 20_261_122

WORDS = "handbook"


@dataclass(frozen=True, slots=True)
class Text:
    """A text, its size in tokens, and what is asked of it."""

    content: str
    tokens: int
    hint: str


def handbook(size: int, tokenizer: Tokenizer, seed: int = SEED) -> Text:
    """Return a text of at most so many tokens and little less, that ends with a paragraph. At most 233,000."""
    plan = PLANS[WORDS][0]
    random = Random(f"{seed} {plan.name}")  # noqa: S311, a text to try a service on
    document = compose(plan, read_rules("english", WORDS), random)
    start = tokenizer.cut(document.text, size)
    content = start if start == document.text else start[: start.rindex("\n\n") + 1]
    return Text(content, tokenizer.count(content), document.schema_hint)
