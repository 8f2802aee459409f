"""Ask a service for its health, one request after the other, until stdin ends; then print the times in milliseconds.

A process of its own: the times are those of the service, not those of a test that is busy itself.

    python health_probe.py 127.0.0.1 8007 30
"""

import http.client
import json
import sys
import threading
import time


def asked_once(host: str, port: int) -> float:
    """Return the milliseconds that one request took, with a connection of its own."""
    started = time.perf_counter()
    connection = http.client.HTTPConnection(host, port, timeout=30)
    connection.request("GET", "/health")
    response = connection.getresponse()
    response.read()
    connection.close()
    if response.status != http.client.OK:
        sys.exit(f"expected 200, got {response.status}")
    return (time.perf_counter() - started) * 1_000


def wait_for_the_end(enough: threading.Event) -> None:
    """Set the event once stdin has ended."""
    sys.stdin.read()
    enough.set()


def main() -> None:
    """Ask at least as often as the last argument says."""
    host, port, least = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    enough = threading.Event()
    threading.Thread(target=wait_for_the_end, args=(enough,), daemon=True).start()
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    times: list[float] = []
    while len(times) < least or not enough.is_set():
        times.append(asked_once(host, port))
    sys.stdout.write(json.dumps(times) + "\n")


if __name__ == "__main__":
    main()
