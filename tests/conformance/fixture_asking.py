"""Tools of the conformance suite that ask the client for input before they answer.

What a tool must remember between two calls travels with the client as `requestState`: it comes back from outside, so it
is sealed with a key that this process makes at its start.
"""

import base64
import hashlib
import hmac
import json
import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from protocol.context import INPUT_CAPABILITIES, Context
from protocol.messages import INVALID_PARAMS, Message, RpcError
from tests.conformance.fixture_tools import NOTHING, Arguments, Run, Tool, takes, text

Requests = Mapping[str, Message]
Answers = Mapping[str, Message]


# --- What is asked ---------------------------------------------------------------------------------------------


def elicitation(message: str, **properties: Message) -> Message:
    """Return a question to the person in front of the client, with a form of these properties."""
    schema = {"type": "object", "properties": properties, "required": list(properties)}
    return {"method": "elicitation/create", "params": {"message": message, "requestedSchema": schema}}


def sampling(prompt: str, max_tokens: int) -> Message:
    """Return a question to the client's model."""
    said = {"role": "user", "content": text(prompt)}
    return {"method": "sampling/createMessage", "params": {"messages": [said], "maxTokens": max_tokens}}


STRING: Message = {"type": "string"}
BOOLEAN: Message = {"type": "boolean"}
ROOTS: Message = {"method": "roots/list", "params": {}}
NAME = elicitation("What is your name?", name=STRING)
CONFIRM = elicitation("Please confirm", ok=BOOLEAN)


def filled_in(answer: Message, name: str) -> Any:
    """Return what a person has put into a form; a form may also be declined."""
    content = answer.get("content")
    return content.get(name) if isinstance(content, dict) else None


# --- What is remembered ----------------------------------------------------------------------------------------


class Seal:
    """Makes a `requestState`, and knows its own again."""

    def __init__(self, key: bytes) -> None:
        self._key = key

    def close(self, tool: str, state: Any) -> str:
        """Return a state as an opaque text, for one tool alone."""
        body = base64.urlsafe_b64encode(json.dumps([tool, state]).encode()).decode()
        return f"{body}.{self._mark(body)}"

    def open(self, tool: str, context: Context) -> Any:
        """Return the state that a call brings along, None in the first round. Raises RpcError for any other."""
        if context.state is None:
            if context.responses:
                raise RpcError(
                    INVALID_PARAMS, f"{tool}: expected a requestState with the inputResponses, got none"
                )
            return None
        body, _, mark = context.state.rpartition(".")
        if not hmac.compare_digest(mark.encode(), self._mark(body).encode()):
            raise RpcError(INVALID_PARAMS, f"{tool}: this requestState was not made here")
        made_for, state = json.loads(base64.urlsafe_b64decode(body))
        if made_for != tool:
            raise RpcError(INVALID_PARAMS, f"{tool}: this requestState belongs to another tool")
        return state

    def _mark(self, body: str) -> str:
        return hmac.new(self._key, body.encode(), hashlib.sha256).hexdigest()


SEAL = Seal(secrets.token_bytes(32))


# --- Tools that ask once ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Question:
    """What a tool asks, and what it says to the answers."""

    requests: Requests
    reply: Callable[[Answers], str]
    sealed: bool = False


def asks(name: str, question: Question) -> Run:
    """Return the work of a tool that asks one question."""

    async def run(arguments: Arguments, context: Context) -> Message:
        state = None
        if question.sealed:
            SEAL.open(name, context)
            state = SEAL.close(name, "asked")
        answers = await context.ask(question.requests, state)
        return {"content": [text(question.reply(answers))]}

    return run


def greeting(answers: Answers) -> str:
    """Greet whoever has said a name."""
    return f"Hello, {filled_in(answers['user_name'], 'name')}!"


def model_said(answers: Answers) -> str:
    """Return what the client's model has answered to the only question."""
    (answer,) = answers.values()
    return f"LLM response: {answer.get('content', {}).get('text')}"


def outcome(answers: Answers) -> str:
    """Return what became of the only form."""
    (answer,) = answers.values()
    return (
        f"Elicitation completed: action={answer.get('action')}, content={json.dumps(answer.get('content'))}"
    )


def titled(prefix: str, *ordinals: str) -> list[Message]:
    """Return choices with titles of their own."""
    return [{"const": f"value{n}", "title": f"{word} {prefix}"} for n, word in enumerate(ordinals, 1)]


OPTIONS = ["option1", "option2", "option3"]

QUESTIONS = {
    "test_input_required_result_elicitation": Question({"user_name": NAME}, greeting),
    "test_input_required_result_sampling": Question(
        {"capital_question": sampling("What is the capital of France?", 100)}, model_said
    ),
    "test_input_required_result_list_roots": Question(
        {"client_roots": ROOTS}, lambda answers: f"Roots: {json.dumps(answers['client_roots'].get('roots'))}"
    ),
    "test_input_required_result_request_state": Question(
        {"confirm": CONFIRM}, lambda answers: "state-ok", sealed=True
    ),
    "test_input_required_result_tampered_state": Question(
        {"confirm": CONFIRM}, lambda answers: "state-ok", sealed=True
    ),
    "test_input_required_result_multiple_inputs": Question(
        {"user_name": NAME, "greeting": sampling("Generate a greeting", 50), "client_roots": ROOTS},
        greeting,
        sealed=True,
    ),
    "test_missing_capability": Question({"question": sampling("Are you there?", 10)}, model_said),
    "test_streaming_elicitation": Question({"user_name": NAME}, greeting),
    "test_elicitation_sep1034_defaults": Question(
        {
            "form": elicitation(
                "Please review",
                name={"type": "string", "default": "John Doe"},
                age={"type": "integer", "default": 30},
                score={"type": "number", "default": 95.5},
                status={"type": "string", "enum": ["active", "inactive", "pending"], "default": "active"},
                verified={"type": "boolean", "default": True},
            )
        },
        outcome,
    ),
    "test_elicitation_sep1330_enums": Question(
        {
            "form": elicitation(
                "Please choose",
                untitledSingle={"type": "string", "enum": OPTIONS},
                titledSingle={"type": "string", "oneOf": titled("Option", "First", "Second", "Third")},
                legacyEnum={
                    "type": "string",
                    "enum": ["opt1", "opt2", "opt3"],
                    "enumNames": ["Option One", "Option Two", "Option Three"],
                },
                untitledMulti={"type": "array", "items": {"type": "string", "enum": OPTIONS}},
                titledMulti={
                    "type": "array",
                    "items": {"anyOf": titled("Choice", "First", "Second", "Third")},
                },
            )
        },
        outcome,
    ),
}


# --- Tools that ask what the arguments, the client or an earlier answer decide ------------------------------------


async def ask_model(arguments: Arguments, context: Context) -> Message:
    """Ask the client's model what the caller wants to know."""
    answers = await context.ask({"prompt": sampling(arguments["prompt"], 100)})
    return {"content": [text(model_said(answers))]}


async def ask_person(arguments: Arguments, context: Context) -> Message:
    """Ask the person in front of the client with the caller's words."""
    answers = await context.ask({"form": elicitation(arguments["message"], username=STRING, email=STRING)})
    return {"content": [text(outcome(answers))]}


async def ask_what_is_declared(arguments: Arguments, context: Context) -> Message:
    """Ask for each kind of input that the client can give."""
    every = {"user_name": NAME, "greeting": sampling("Generate a greeting", 50), "client_roots": ROOTS}
    fit = {
        key: request
        for key, request in every.items()
        if INPUT_CAPABILITIES[request["method"]] in context.capabilities
    }
    answers = await context.ask(fit) if fit else {}
    return {"content": [text(f"Asked for: {', '.join(answers) or 'nothing'}")]}


async def ask_in_two_rounds(arguments: Arguments, context: Context) -> Message:
    """Ask for a name, then for a colour; the name is in the state of the second round."""
    tool = "test_input_required_result_multi_round"
    state = SEAL.open(tool, context) or {"step": 1}
    if state["step"] == 1:
        first = {"step1": elicitation("Step 1: What is your name?", name=STRING)}
        answers = await context.ask(first, SEAL.close(tool, state))
        state = {"step": 2, "name": filled_in(answers["step1"], "name")}
    second = {"step2": elicitation("Step 2: What is your favorite color?", color=STRING)}
    answers = await context.ask(second, SEAL.close(tool, state))
    return {"content": [text(f"{state['name']} likes {filled_in(answers['step2'], 'color')}.")]}


TOOLS = {
    **{
        name: Tool("Asks before it answers", asks(name, question), NOTHING)
        for name, question in QUESTIONS.items()
    },
    "test_sampling": Tool("Asks the client's model", ask_model, takes(prompt="string")),
    "test_elicitation": Tool("Asks the person", ask_person, takes(message="string")),
    "test_input_required_result_capabilities": Tool(
        "Asks for what the client can give", ask_what_is_declared, NOTHING
    ),
    "test_input_required_result_multi_round": Tool("Asks twice", ask_in_two_rounds, NOTHING),
}
