"""What a summary says wrongly: lines under another's heading, sentences that are cut or spliced. Compared with the source.

Everything is judged from the two texts alone, by bench/real_texts/layout.py's reading of the source.
"""

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from bench.real_texts.layout import Source

