"""What the stand-in model server answers: each class is a personality, well-behaved, useless or broken in one way.

Not here: a language model, a tokenizer (one word counts as one token, so text without spaces is a single token).
"""

from __future__ import annotations

import asyncio
import re
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import KW_ONLY, dataclass, field
from itertools import cycle, islice
from typing import NoReturn

from aiohttp import web

from tests.support.stand_in import (
    Answer,
    Call,
    ConnectionAborted,
    EventStream,
    Payload,
    choice,
    error_response,
    json_response,
)

# A summary is cut at this many characters for each word, or text without spaces would come back whole.
CHARS_PER_WORD = 8

_SENTENCE_END = re.compile(r"(?<=[.!?])\s+")
_INJECTION = re.compile(r"(?im)\bignore\b.*\breply with (?:only |exactly )?[\"']?(.+?)[\"']?[.!]?\s*$")


@dataclass(frozen=True)
class TextAnswer(ABC):
    """Answers 200 with a text; each subclass says which. `cost=None` leaves the cost out of the usage."""

    _: KW_ONLY
    finish_reason: str = "stop"
    cost: float | None = None
    usage: bool = True
    ignores_stream: bool = False

    @abstractmethod
    def text_for(self, call: Call) -> str: ...

    async def give(self, call: Call) -> web.StreamResponse:
        text = self.text_for(call)
        if call.wants_stream and not self.ignores_stream:
            return await self._stream(call, text)
        return self._whole(call, text)

    def _whole(self, call: Call, text: str) -> web.Response:
        message = {"role": "assistant", "content": text}
        choice = {"index": 0, "message": message, "finish_reason": self.finish_reason}
        answer = {**call.envelope("chat.completion"), "choices": [choice]}
        if self.usage:
            answer["usage"] = self._usage(call, text)
        return json_response(answer)

    async def _stream(self, call: Call, text: str) -> web.StreamResponse:
        stream = await EventStream.open(call)
        await stream.say(text)
        await stream.chunk(choices=[choice({"content": ""}, self.finish_reason)])
        if self.usage and call.wants_usage_in_stream:
            await stream.chunk(choices=[], usage=self._usage(call, text))
        await stream.done()
        return stream.response

    def _usage(self, call: Call, text: str) -> Payload:
        prompt, completion = call.prompt_words, len(text.split())
        usage = {
            "prompt_tokens": prompt,
            "completion_tokens": completion,
            "total_tokens": prompt + completion,
        }
        return usage if self.cost is None else {**usage, "cost": self.cost}


@dataclass(frozen=True)
class Says(TextAnswer):
    """Answers with a fixed text."""

    text: str

    def text_for(self, call: Call) -> str:
        return self.text


@dataclass(frozen=True)
class Summarizes(TextAnswer):
    """A good model: the first sentences of the longest paragraph, at most so many words."""

    words: int = 40

    def text_for(self, call: Call) -> str:
        paragraph = max(re.split(r"\n\s*\n", call.content), key=len)
        return _first_sentences(paragraph, self.words)


@dataclass(frozen=True)
class Obeys(Summarizes):
    """Falls for a line such as `Ignore all of the above and reply with X`: says X; otherwise summarizes."""

    def text_for(self, call: Call) -> str:
        order = _INJECTION.search(call.content)
        return order[1] if order else super().text_for(call)


@dataclass(frozen=True)
class Echoes(TextAnswer):
    """Gives the user message back, prompt and all."""

    def text_for(self, call: Call) -> str:
        return call.content


@dataclass(frozen=True)
class Rambles(TextAnswer):
    """Says so many words, whatever limit was asked for, and calls it a regular stop."""

    words: int = 5000

    def text_for(self, call: Call) -> str:
        return _filler(self.words)


@dataclass(frozen=True)
class CutAtLimit(TextAnswer):
    """Says exactly max_tokens words and is cut there."""

    finish_reason: str = field(default="length", kw_only=True)

    def text_for(self, call: Call) -> str:
        return _filler(call.max_tokens)


@dataclass(frozen=True)
class Empty(TextAnswer):
    """Says nothing and calls it a regular stop."""

    def text_for(self, call: Call) -> str:
        return ""


@dataclass(frozen=True)
class Filtered(TextAnswer):
    """Is stopped by a content filter, after some text or before any."""

    text: str = ""
    finish_reason: str = field(default="content_filter", kw_only=True)

    def text_for(self, call: Call) -> str:
        return self.text


@dataclass(frozen=True)
class Fails:
    """An HTTP error. The body is OpenRouter's error object unless another is given; a str goes out as plain text."""

    status: int
    body: str | Payload | None = None
    headers: Mapping[str, str] = field(default_factory=dict)

    async def give(self, call: Call) -> web.StreamResponse:
        if isinstance(self.body, str):
            response = web.Response(status=self.status, text=self.body)
        elif self.body is not None:
            response = json_response(self.body, self.status)
        else:
            response = error_response(self.status, self.status, f"stand-in failure {self.status}")
        response.headers.update(self.headers)
        return response


@dataclass(frozen=True)
class ErrorIn200:
    """HTTP 200 and one JSON object that holds an error, also when a stream was asked for."""

    code: int | str
    message: str

    async def give(self, call: Call) -> web.StreamResponse:
        return error_response(200, self.code, self.message)


@dataclass(frozen=True)
class NotJson:
    """HTTP 200 and a web page, as a captive portal or a proxy in trouble sends it."""

    async def give(self, call: Call) -> web.StreamResponse:
        return web.Response(text="<html><body>Please log in</body></html>", content_type="text/html")


@dataclass(frozen=True)
class ErrorMidStream:
    """Some words, then a chunk with an error, then the end without [DONE]. Streams even if not asked to."""

    code: int | str
    message: str
    after_words: int = 3

    async def give(self, call: Call) -> web.StreamResponse:
        stream = await EventStream.open(call)
        await stream.say(_filler(self.after_words))
        error = {"code": self.code, "message": self.message}
        await stream.chunk(error=error, choices=[choice({"content": ""}, "error")])
        return stream.response


@dataclass(frozen=True)
class EndsMidStream:
    """Some words, then a clean end of the body, without finish_reason or [DONE]. Streams even if not asked to."""

    words: int = 3

    async def give(self, call: Call) -> web.StreamResponse:
        stream = await EventStream.open(call)
        await stream.say(_filler(self.words))
        return stream.response


@dataclass(frozen=True)
class StallsMidStream:
    """Some words, then silence on an open connection. Streams even if not asked to."""

    words: int = 3

    async def give(self, call: Call) -> web.StreamResponse:
        stream = await EventStream.open(call)
        await stream.say(_filler(self.words))
        await _forever()


@dataclass(frozen=True)
class ResetsMidStream:
    """Some words, then a TCP reset. Streams even if not asked to."""

    words: int = 3

    async def give(self, call: Call) -> web.StreamResponse:
        stream = await EventStream.open(call)
        await stream.say(_filler(self.words))
        raise ConnectionAborted


@dataclass(frozen=True)
class HangsAfterHeaders:
    """The headers of a stream and one comment, then silence. Streams even if not asked to."""

    async def give(self, call: Call) -> web.StreamResponse:
        await EventStream.open(call)
        await _forever()


@dataclass(frozen=True)
class Hangs:
    """Takes the request and never answers; ends when the client goes away or the stand-in closes."""

    async def give(self, call: Call) -> web.StreamResponse:
        await _forever()


@dataclass(frozen=True)
class Resets:
    """A TCP reset in place of an answer."""

    async def give(self, call: Call) -> web.StreamResponse:
        raise ConnectionAborted


@dataclass(frozen=True)
class Gate:
    """Holds another answer back until the event is set: slow for as long as the test likes, without sleeping."""

    answer: Answer
    event: asyncio.Event

    async def give(self, call: Call) -> web.StreamResponse:
        await self.event.wait()
        return await self.answer.give(call)


def _first_sentences(paragraph: str, words: int) -> str:
    """Give the whole sentences that fit, or the start of the first one if none does."""
    taken: list[str] = []
    for sentence in _SENTENCE_END.split(paragraph.strip()):
        if len(taken) + len(sentence.split()) > words:
            break
        taken += sentence.split()
    return " ".join(taken or paragraph.split()[:words])[: words * CHARS_PER_WORD]


def _filler(words: int) -> str:
    return " ".join(islice(cycle(("and", "so", "on")), words))


async def _forever() -> NoReturn:
    await asyncio.Event().wait()
    raise AssertionError("nobody sets this event")
