"""Streamable HTTP on aiohttp: the endpoint, its checks and limits, and the process around it."""
