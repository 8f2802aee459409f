"""A service whose log is not read, as a process."""

import signal

import httpx

from tests.support.service import PATIENCE_S, process


def test_a_service_whose_log_pipe_is_closed_answers_and_stops_normally() -> None:
    message = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "tools/call",
        "params": {"name": "summarize", "arguments": {"content": "Twelve boats."}},
    }
    with process({"LOG_LEVEL": "debug"}) as service:
        assert service.process.stdout
        assert service.process.stderr
        service.process.stdout.close()
        for _ in range(3):
            assert httpx.post(service.url, json=message, trust_env=False, timeout=PATIENCE_S).is_success
        service.stop(signal.SIGTERM)
        assert service.process.wait(PATIENCE_S) == 0
        assert service.process.stderr.read() == ""


def test_a_service_whose_log_is_not_read_answers_and_stops() -> None:
    content = "Twelve boats lay in the harbour."
    call = {"name": "summarize", "arguments": {"content": content}}
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": call}
    with process() as service:
        host, port = service.address
        with httpx.Client(base_url=f"http://{host}:{port}", trust_env=False, timeout=PATIENCE_S) as http:
            # Each writes some 500 bytes: several times what a pipe takes.
            answers = [http.post("/mcp", json=message).json()["result"] for _ in range(600)]
            assert {answer["content"][0]["text"] for answer in answers} == {content}
            assert http.get("/health").json()["status"] == "ok"
        service.stop(signal.SIGTERM)
        assert service.process.wait(PATIENCE_S) == 0
