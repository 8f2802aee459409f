"""Which addresses pages are fetched from, as numbers."""

from __future__ import annotations

from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network

import pytest
from hypothesis import given
from hypothesis import strategies as st

from web_tools.fetching.address_guard import AddressGuard, is_own_address, read_special_networks

GUARD = AddressGuard(read_special_networks(), is_own=lambda address: False)

IPV4 = st.integers(0, 2**32 - 1).map(IPv4Address)
IPV6 = st.integers(0, 2**128 - 1).map(IPv6Address)
# Most of all addresses are public; most of these are not.
NEAR_SPECIAL_IPV4 = st.tuples(
    st.sampled_from([special.network for special in read_special_networks() if special.network.version == 4]),
    st.integers(-2, 2**16),
).map(lambda each: IPv4Address((int(each[0].network_address) + each[1]) % 2**32))


@pytest.mark.parametrize(
    "address",
    [
        "0.0.0.0",
        "0.1.2.3",
        "10.0.0.1",
        "100.64.0.1",  # carriers' NAT
        "100.100.100.200",  # Alibaba's metadata
        "127.0.0.1",
        "127.255.255.254",
        "168.63.129.16",  # Azure's platform
        "169.254.169.254",  # metadata of AWS, Azure, Google, Oracle and others
        "169.254.170.2",  # of AWS's containers
        "172.16.0.1",
        "172.31.255.255",
        "192.0.0.192",  # Oracle's older metadata
        "192.168.1.1",
        "198.18.0.1",
        "224.0.0.1",
        "239.255.255.250",
        "240.0.0.1",
        "255.255.255.255",
        "::",
        "::1",
        "::127.0.0.1",  # IPv4-compatible
        "::8.8.8.8",
        "::ffff:0:127.0.0.1",  # IPv4-translated
        "::ffff:127.0.0.1",
        "::ffff:169.254.169.254",
        "64:ff9b::10.0.0.1",
        "64:ff9b::169.254.169.254",
        "64:ff9b:1::8.8.8.8",
        "100::1",
        "2001:0:4136:e378:8000:63bf:3fff:fdd2",  # Teredo
        "2001:db8::1",
        "2002:7f00:1::",  # 6to4 of 127.0.0.1
        "2002:808:808::1",
        "3fff::1",
        "5f00::1",
        "fc00::1",
        "fd00:ec2::254",  # AWS's metadata
        "fe80::1",
        "fe80::1%eth0",
        "2606:4700::1111%eth0",
        "fec0::1",
        "ff02::1",
    ],
)
def test_an_address_that_is_not_public_is_refused_with_its_reason(address: str) -> None:
    assert GUARD.refusal(address)


@pytest.mark.parametrize(
    "address", ["8.8.8.8", "1.1.1.1", "172.32.0.1", "100.128.0.1", "2606:4700::1111", "2a00:1450:4001::200e"]
)
def test_a_public_address_is_allowed(address: str) -> None:
    assert GUARD.refusal(address) == ""


@pytest.mark.parametrize(
    "text", ["", "localhost", "127.1", "0x7f000001", "2130706433", "127.0.0.1.", "[::1]"]
)
def test_what_is_no_address_is_refused(text: str) -> None:
    assert GUARD.refusal(text) == "not an address"


@given(IPV4 | NEAR_SPECIAL_IPV4)
def test_python_calls_every_ipv4_address_public_that_is_allowed(address: IPv4Address) -> None:
    if GUARD.refusal(str(address)) == "":
        assert address.is_global
        assert not address.is_multicast


@given(IPV6)
def test_python_calls_every_ipv6_address_public_that_is_allowed(address: IPv6Address) -> None:
    if GUARD.refusal(str(address)) == "" and address not in ip_network("64:ff9b::/96"):
        assert (address.ipv4_mapped or address).is_global
        assert not address.is_multicast


@given(IPV4 | NEAR_SPECIAL_IPV4, st.sampled_from(["::ffff:0:0", "64:ff9b::"]))
def test_an_ipv6_address_that_stands_for_an_ipv4_address_is_judged_as_that(
    address: IPv4Address, prefix: str
) -> None:
    standing_for_it = IPv6Address(int(IPv6Address(prefix)) + int(address))
    assert GUARD.refusal(str(standing_for_it)) == GUARD.refusal(str(address))


def test_an_allowed_network_is_allowed_and_nothing_beside_it() -> None:
    guard = AddressGuard(
        read_special_networks(), [ip_network("10.1.0.0/16"), ip_network("fd12::/32")], is_own=lambda _: True
    )
    for address in ("10.1.0.0", "10.1.255.255", "::ffff:10.1.2.3", "fd12::7"):
        assert guard.refusal(address) == ""
    for address in ("10.0.255.255", "10.2.0.0", "127.0.0.1", "169.254.169.254", "fd13::7", "fd12::7%lo"):
        assert guard.refusal(address)


def test_an_allowed_network_is_not_public() -> None:
    guard = AddressGuard(read_special_networks(), [ip_network("10.1.0.0/16")], is_own=lambda _: False)
    assert [guard.is_public(each) for each in ("10.1.0.1", "::ffff:10.1.0.1", "8.8.8.8")] == [
        False,
        False,
        True,
    ]


def test_what_reaches_nothing_public_reaches_the_allowed_networks_alone() -> None:
    allowed = [ip_network("10.1.0.0/16"), ip_network("8.8.8.0/24")]
    guard = AddressGuard(read_special_networks(), allowed, is_own=lambda _: False, reaches_public=False)
    assert guard.refusal("10.1.0.1") == ""
    for address in ("8.8.8.8", "::ffff:8.8.8.8", "1.1.1.1", "2606:4700::1111", "10.2.0.0", "127.0.0.1"):
        assert guard.refusal(address)


def test_a_public_address_of_this_machine_is_refused() -> None:
    own = ip_address("8.8.8.8")
    guard = AddressGuard(read_special_networks(), is_own=lambda address: address == own)
    assert guard.refusal("8.8.8.8") == guard.refusal("::ffff:8.8.8.8") == "an address of this machine"
    assert guard.refusal("8.8.4.4") == ""


def test_the_system_tells_which_addresses_are_its_own() -> None:
    assert is_own_address(ip_address("127.0.0.1"))
    # Documentation: no machine has it.
    assert not is_own_address(ip_address("192.0.2.1"))
    assert not is_own_address(ip_address("2001:db8::1"))
    # Whatever is not routed: no machine may send from it.
    assert not is_own_address(ip_address("255.255.255.255"))
