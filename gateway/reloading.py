"""Takes over a changed configuration when the process gets SIGHUP. A wrong one changes nothing, and the log has every problem of it.

Reads no file itself: a function is given that does.
"""

import asyncio
import logging
import signal
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress

from gateway.gateway import Gateway
from gateway.server_rules import GatewayConfig
from gateway.upstream.errors import kind_and_place
from settings.setting import ConfigError

logger = logging.getLogger(__name__)

ReadConfig = Callable[[], GatewayConfig]
"""Returns what is configured now, with its masking rules checked. Raises ConfigError."""


async def reload(gateway: Gateway, read: ReadConfig) -> None:
    """Read what is configured now and serve it; log what has changed, or what is wrong."""
    try:
        config = await asyncio.to_thread(read)
        changes = await gateway.take_over(config)
    except ConfigError as problem:
        logger.error("gateway_config_refused", extra={"problems": str(problem).splitlines()})  # noqa: TRY400 - no fault of ours
        return
    except Exception as fault:  # noqa: BLE001 - whatever it is: the next signal must be heard
        logger.error("gateway_reload_failed", extra={"error": kind_and_place(fault)})  # noqa: TRY400 - its message may quote what is configured
        return
    logger.info(
        "gateway_config_taken_over",
        extra={
            "started": changes.started,
            "stopped": changes.stopped,
            "restarted": changes.restarted,
            "rules": changes.rules,
        },
    )


@asynccontextmanager
async def reloading_on_hangup(gateway: Gateway, read: ReadConfig) -> AsyncIterator[None]:
    """Reload at each SIGHUP until the end of the block; a signal during a reload causes one more after it."""
    loop = asyncio.get_running_loop()
    asked = asyncio.Event()

    async def reload_when_asked() -> None:
        while True:
            await asked.wait()
            asked.clear()
            await asyncio.shield(reload(gateway, read))

    reloading = asyncio.create_task(reload_when_asked())
    with suppress(NotImplementedError, AttributeError):  # Windows has no SIGHUP
        loop.add_signal_handler(signal.SIGHUP, asked.set)
    try:
        yield
    finally:
        with suppress(NotImplementedError, AttributeError):
            loop.remove_signal_handler(signal.SIGHUP)
        reloading.cancel()
        await asyncio.wait({reloading})
