"""Resources, prompts and completions of the conformance suite."""

import json
import re
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass

from protocol.context import Context
from protocol.messages import Message
from protocol.methods import Completions, Unknown
from tests.conformance.fixture_asking import STRING, elicitation, filled_in
from tests.conformance.fixture_tools import IMAGE, PNG, embedded, text

# --- Resources -------------------------------------------------------------------------------------------------

# By URI: how it is listed, and what it holds.
STATIC = {
    "test://static-text": (
        {"name": "Static text", "mimeType": "text/plain"},
        {"text": "This is the content of the static text resource."},
    ),
    "test://static-binary": ({"name": "Static image", "mimeType": "image/png"}, {"blob": PNG}),
    "test://watched-resource": (
        {"name": "Watched resource", "mimeType": "text/plain"},
        {"text": "This resource is watched, and never changes."},
    ),
}

TEMPLATE = "test://template/{id}/data"
_MADE_FROM_TEMPLATE = re.compile(r"test://template/([^/]+)/data")


class FixtureResources:
    """Three fixed resources, and one for every id."""

    async def resources(self) -> list[Message]:
        return [{"uri": uri, **listed} for uri, (listed, _) in STATIC.items()]

    async def templates(self) -> list[Message]:
        return [{"uriTemplate": TEMPLATE, "name": "Data by id", "mimeType": "application/json"}]

    async def read(self, uri: str, context: Context) -> list[Message]:
        if uri in STATIC:
            listed, content = STATIC[uri]
            return [{"uri": uri, "mimeType": listed["mimeType"], **content}]
        made = _MADE_FROM_TEMPLATE.fullmatch(uri)
        if made is None:
            raise Unknown(f"Resource not found: {uri[:100]}")
        data = {"id": made[1], "templateTest": True, "data": f"Data for ID: {made[1]}"}
        return [{"uri": uri, "mimeType": "application/json", "text": json.dumps(data)}]


# --- Prompts ---------------------------------------------------------------------------------------------------

Values = Mapping[str, str]


@dataclass(frozen=True)
class Prompt:
    """What one prompt tells about itself, and the blocks it is made of."""

    description: str
    arguments: tuple[str, ...]
    blocks: Callable[[Values, Context], Awaitable[list[Message]]]

    def described(self, name: str) -> Message:
        """Return it as `prompts/list` shows it."""
        arguments = [{"name": argument, "required": True} for argument in self.arguments]
        return {"name": name, "description": self.description, "arguments": arguments}


async def _simple(values: Values, context: Context) -> list[Message]:
    return [text("This is a simple prompt for testing.")]


async def _with_arguments(values: Values, context: Context) -> list[Message]:
    return [text(f"Prompt with arguments: arg1='{values['arg1']}', arg2='{values['arg2']}'")]


async def _with_resource(values: Values, context: Context) -> list[Message]:
    resource = embedded(values["resourceUri"], "text/plain", "Embedded resource content for testing.")
    return [resource, text("Please process the embedded resource above.")]


async def _with_image(values: Values, context: Context) -> list[Message]:
    return [IMAGE, text("Please analyze the image above.")]


async def _with_question(values: Values, context: Context) -> list[Message]:
    question = elicitation("What context should the prompt use?", context=STRING)
    answers = await context.ask({"user_context": question})
    return [text(f"Use this context: {filled_in(answers['user_context'], 'context')}")]


PROMPTS = {
    "test_simple_prompt": Prompt("Without arguments", (), _simple),
    "test_prompt_with_arguments": Prompt("With two arguments", ("arg1", "arg2"), _with_arguments),
    "test_prompt_with_embedded_resource": Prompt("With a resource", ("resourceUri",), _with_resource),
    "test_prompt_with_image": Prompt("With an image", (), _with_image),
    "test_input_required_result_prompt": Prompt("Asks before it answers", (), _with_question),
}

# One that comes and goes, for those who listen to changes.
PASSING_PROMPT = {"test_dynamic_prompt": Prompt("Comes and goes", (), _simple)}


class FixturePrompts:
    """The prompts; `change` adds one or takes it away again."""

    def __init__(self) -> None:
        self._prompts = PROMPTS

    def change(self) -> None:
        """Change the list."""
        self._prompts = PROMPTS if self._prompts is not PROMPTS else PROMPTS | PASSING_PROMPT

    async def prompts(self) -> list[Message]:
        return [prompt.described(name) for name, prompt in self._prompts.items()]

    async def get(self, name: str, arguments: Values, context: Context) -> Message:
        prompt = self._prompts.get(name)
        if prompt is None:
            raise Unknown(f"Unknown prompt: {name[:100]}")
        if missing := [argument for argument in prompt.arguments if argument not in arguments]:
            raise Unknown(f"{name}: missing arguments: {', '.join(missing)}")
        blocks = await prompt.blocks(arguments, context)
        return {"messages": [{"role": "user", "content": block} for block in blocks]}


class FixtureCompletions:
    """A few words for any argument."""

    async def complete(
        self, ref: Message, argument: Message, known: Message, context: Context
    ) -> Completions:
        words = ("paris", "park", "party", "testing")
        return Completions([word for word in words if word.startswith(argument["value"])])
