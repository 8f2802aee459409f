"""Which addresses a page may be fetched from: public ones, those in networks that the operator allows, or the latter alone.

Judges an address as a number, so that it does not matter how it was spelled. Resolves no name and opens no connection:
guarded_connections.py does. Data: special_networks.toml.
"""

import socket
import tomllib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from pathlib import Path

from web_tools.pages import NotAllowed

Address = IPv4Address | IPv6Address
Network = IPv4Network | IPv6Network

DATA = Path(__file__).with_name("special_networks.toml")

# "IANA unicast address assignments are currently limited to the IPv6 unicast address range of 2000::/3" (IANA, IPv6 address space).
GLOBAL_UNICAST = IPv6Network("2000::/3")

# What a network without IPv4 makes of an IPv4 address (RFC 6052): as reachable as that address.
NAT64 = IPv6Network("64:ff9b::/96")

# Any does: nothing is sent there.
PROBED_PORT = 9


class AddressRefused(NotAllowed):
    """The page stands at an address that is not public, nor in an allowed network."""


@dataclass(frozen=True)
class SpecialNetwork:
    """Addresses that have no web servers for everybody."""

    network: Network
    purpose: str


def read_special_networks(data: Path = DATA) -> tuple[SpecialNetwork, ...]:
    """Read the networks from special_networks.toml."""
    rows = tomllib.loads(data.read_text("utf-8"))["networks"]
    return tuple(SpecialNetwork(ip_network(row["network"]), row["purpose"]) for row in rows)


def is_own_address(address: Address) -> bool:
    """Whether this machine has the address: the system would answer itself from it. Sends nothing.

    A public one is refused, too: from within, what a firewall closes to the outside may be open.
    """
    family = socket.AF_INET if address.version == 4 else socket.AF_INET6
    try:
        with socket.socket(family, socket.SOCK_DGRAM) as probe:
            probe.connect((str(address), PROBED_PORT))
            return ip_address(probe.getsockname()[0]) == address
    except OSError:  # no route there
        return False


class AddressGuard:
    """Says of an address whether a page may be fetched from it."""

    def __init__(
        self,
        special: Sequence[SpecialNetwork],
        allowed: Sequence[Network] = (),
        is_own: Callable[[Address], bool] = is_own_address,
        *,
        reaches_public: bool = True,
    ) -> None:
        """`allowed` are networks that may be reached although they are not public; not `reaches_public`: what is public may not."""
        self._special = special
        self._allowed = allowed
        self._is_own = is_own
        self._reaches_public = reaches_public

    def refusal(self, address: str) -> str:
        """Return why this address may not be reached; empty: it may. It is one as the system writes it, no name."""
        try:
            parsed = ip_address(address)
        except ValueError:
            return "not an address"
        # A zone chooses one of this machine's interfaces.
        if isinstance(parsed, IPv6Address) and parsed.scope_id:
            return "an address with a zone"
        meant = _embedded(parsed)
        if not self._reaches_public and not self._not_public(meant):
            return "a public address, asked for by a page of an intranet"
        if any(meant in network for network in self._allowed):
            return ""
        return self._not_public(meant)

    def is_public(self, address: str) -> bool:
        """Whether all can reach an address that is not refused."""
        return not self._not_public(_embedded(ip_address(address)))

    def _not_public(self, address: Address) -> str:
        for special in self._special:
            if address in special.network:
                return special.purpose
        if address.version == 6 and address not in GLOBAL_UNICAST:
            return "not global unicast (RFC 4291)"
        return "an address of this machine" if self._is_own(address) else ""


def _embedded(address: Address) -> Address:
    """Return the IPv4 address that the system, or a translator on the way, makes of this one; otherwise itself."""
    if isinstance(address, IPv6Address):
        if address.ipv4_mapped:
            return address.ipv4_mapped
        if address in NAT64:
            return IPv4Address(address.packed[-4:])
    return address
