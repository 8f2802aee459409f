"""Tools of the conformance suite that go on as tasks: slow ones, failing ones, ones that ask on their way."""

import asyncio

from protocol.context import Context
from protocol.messages import INTERNAL_ERROR, Message, RpcError
from protocol.methods import TaskUse
from tests.conformance.fixture_asking import BOOLEAN, NAME, elicitation, filled_in
from tests.conformance.fixture_tools import NOTHING, Arguments, Tool, takes, text

# The suite's "about one second": long enough to be seen at work.
JOB_S = 1.0


def preferred(context: Context) -> TaskUse:
    """A task for whoever can follow one."""
    return TaskUse.PREFERRED


def required(context: Context) -> TaskUse:
    """A task or nothing."""
    return TaskUse.REQUIRED


def required_once_answered(context: Context) -> TaskUse:
    """First a question, which the call itself asks; with the answer, a task."""
    return TaskUse.REQUIRED if "user_name" in context.responses else TaskUse.NEVER


async def greet(arguments: Arguments, context: Context) -> Message:
    """Answer at once."""
    return {"content": [text(f"Hello, {arguments['name']}!")]}


async def slow_compute(arguments: Arguments, context: Context) -> Message:
    """Take as long as the caller says."""
    await asyncio.sleep(arguments["seconds"])
    return {"content": [text(f"{arguments['label']}: computed for {arguments['seconds']} s")]}


async def failing_job(arguments: Arguments, context: Context) -> Message:
    """Fail as tools fail: with a result that says so."""
    await asyncio.sleep(JOB_S)
    return {"content": [text("The job has failed.")], "isError": True}


async def protocol_error_job(arguments: Arguments, context: Context) -> Message:
    """Fail as protocols fail."""
    raise RpcError(INTERNAL_ERROR, "The job has broken down")


async def confirm_delete(arguments: Arguments, context: Context) -> Message:
    """Ask one question on the way."""
    question = elicitation(f"Delete {arguments['filename']}?", confirm=BOOLEAN)
    answers = await context.ask({"confirm": question})
    done = "Deleted" if filled_in(answers["confirm"], "confirm") else "Kept"
    return {"content": [text(f"{done}: {arguments['filename']}")]}


async def multi_input(arguments: Arguments, context: Context) -> Message:
    """Ask two questions at once, which may be answered one by one."""
    answers = await context.ask({"first": NAME, "second": NAME})
    names = [str(filled_in(answers[key], "name")) for key in ("first", "second")]
    return {"content": [text(f"Hello, {' and '.join(names)}!")]}


async def greet_later(arguments: Arguments, context: Context) -> Message:
    """Ask before the task begins, and answer when it is over."""
    answers = await context.ask({"user_name": NAME})
    return {"content": [text(f"Hello, {filled_in(answers['user_name'], 'name')}!")]}


TOOLS = {
    "greet": Tool("Greets", greet, takes(name="string")),
    "slow_compute": Tool("Takes its time", slow_compute, takes(seconds="number", label="string"), preferred),
    "failing_job": Tool("Fails after a while, and only as a task", failing_job, NOTHING, required),
    "protocol_error_job": Tool("Breaks down", protocol_error_job, NOTHING, preferred),
    "confirm_delete": Tool(
        "Deletes nothing, after a question", confirm_delete, takes(filename="string"), preferred
    ),
    "multi_input": Tool("Asks two questions at once", multi_input, NOTHING, preferred),
    "test_tool_with_task": Tool("Asks, then goes on as a task", greet_later, NOTHING, required_once_answered),
}
