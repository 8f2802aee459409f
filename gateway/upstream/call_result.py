"""What a server may answer to a call of a tool: a result of one, or a request for input that the client can give. Pure."""

from gateway.upstream.errors import UpstreamError, UpstreamFault
from protocol.messages import Message

# Kinds of `inputRequests`, and the capability that a client declares for each.
INPUT_CAPABILITIES = {
    "elicitation/create": "elicitation",
    "sampling/createMessage": "sampling",
    "roots/list": "roots",
}


def checked_result(result: Message, offered: Message) -> Message:
    """Return a result that the caller can take. Raises UpstreamError."""
    kind = result.get("resultType", "complete")
    if kind == "input_required":
        requests = result.get("inputRequests")
        asked = requests.values() if isinstance(requests, dict) else ()
        methods = {each.get("method") if isinstance(each, dict) else None for each in asked}
        lacking = sorted(str(each) for each in methods if INPUT_CAPABILITIES.get(str(each)) not in offered)
        # A state alone asks for nothing but another try.
        if lacking:
            raise UpstreamError(
                UpstreamFault.INPUT_REQUIRED,
                f"asks for input that the client has not declared that it can give: {', '.join(lacking)}",
            )
        return result
    content = result.get("content", [])
    if kind != "complete" or not isinstance(content, list):
        raise UpstreamError(
            UpstreamFault.INVALID, f"answers a call with what is no result of one: {str(kind)!r}"
        )
    return {**result, "content": content}
