"""Ask a service for its health, one request after the other, until stdin ends; then print what each wait took, as JSON.

A process of its own, which is not as busy as the test. What a wait took is the processor time that the service's process used
meanwhile, in seconds: what it did before it answered. Other work on the machine makes that no longer.

    python health_probe.py 127.0.0.1 8007 PROCESS_ID 30
"""

import http.client
import json
import sys
import threading
import time


def cpu_seconds(pid: int) -> float:
    """Return what all threads of a process have used of a processor."""
    # MAKE_PROCESS_CPUCLOCK of Linux, what clock_getcpuclockid(3) gives.
    return time.clock_gettime((~pid << 3) | 2)


def asked_once(host: str, port: int, pid: int) -> float:
    """Return the processor time of the service during one request, which has a connection of its own."""
    started = cpu_seconds(pid)
    connection = http.client.HTTPConnection(host, port, timeout=30)
    connection.request("GET", "/health")
    response = connection.getresponse()
    response.read()
    connection.close()
    if response.status != http.client.OK:
        sys.exit(f"expected 200, got {response.status}")
    return cpu_seconds(pid) - started


def wait_for_the_end(enough: threading.Event) -> None:
    """Set the event once stdin has ended."""
    sys.stdin.read()
    enough.set()


def main() -> None:
    """Ask at least as often as the last argument says."""
    host, port, pid, least = sys.argv[1], *map(int, sys.argv[2:5])
    enough = threading.Event()
    threading.Thread(target=wait_for_the_end, args=(enough,), daemon=True).start()
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    times: list[float] = []
    while len(times) < least or not enough.is_set():
        times.append(asked_once(host, port, pid))
    sys.stdout.write(json.dumps(times) + "\n")


if __name__ == "__main__":
    main()
