"""The two parts of BM25 that segments and sections are both scored with: how seldom a term is, and how its repetition saturates.

Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond" (2009).
"""

from math import log

# The saturation of repeated terms, at its usual value.
K1 = 1.2


def inverse_document_frequency(texts: int, having: int) -> float:
    """Return the weight of a term that so many of the texts have; never negative (as in Apache Lucene)."""
    return log(1 + (texts - having + 0.5) / (having + 0.5))


def saturated(count: float) -> float:
    """Return what a term counts that a text has so often, normalized by the text's length: at most K1 + 1."""
    return count * (K1 + 1) / (K1 + count)
