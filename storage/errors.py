"""Why a store cannot be opened at all, whatever keeps it."""


class CannotOpen(Exception):
    """The setting does not name a directory, or a file in it, that can be used: the message names the setting. It stops the start."""
