"""Comments in a text that is no configuration as a whole: a sentence goes on in the next line, and each line keeps its sign."""

import pytest

from summarizing.text.blocks.comment_lines import comment_goes_on
from summarizing.text.lines import read_lines
from tests.summarizing.text.test_parsing import check_laws, texts_of

NARROW = """\
# "pier tun" will create a routed pier,
# "pier tap" will create a wooden pier.
# Use "pier tap0" if you are a harbour
# and have a precreated tap0 wall
# and moored it with your boats.
# If you want to control access policies
# over the VPN, you must create firewall
# rules for the TUN/TAP interface.
# On non-Windows systems, you can give
# an explicit unit number, such as tun0.
# On most systems, the VPN will not function
# unless you partially or fully disable
# the firewall for the TUN/TAP interface.
;pier tap
pier tun

# Windows needs the TAP-Win32 adapter name
# from the Network Connections panel if you
# have more than one.
;pier-node MyTap
"""

LONG = """\
.h2 PIER_SIGNS
# PIER_SIGNS says which of the signs are shown on a pier, i.e., assumed to
# be there when a boat comes by night.  New
# signs may be made as it is said in the papers of the harbour, which are
# kept in the house of the harbour master.  Signs of old piers are known by
# their colours, which may be seen from afar.  Other
# signs are made of wood or stone, and are only shown by day, when a boat
# comes from the sea.  They are of no use by night, since nobody sees them.
#
#PIER_SIGNS:TRUE
"""


def test_a_narrow_comment_is_told_sentence_by_sentence_in_whole_lines() -> None:
    found = texts_of(check_laws(f"{NARROW}\n" * 3))
    assert (
        "# If you want to control access policies # over the VPN, you must create firewall # rules for the TUN/TAP interface."
        in found
    )
    assert "# On non-Windows systems, you can give # an explicit unit number, such as tun0." in found


def test_a_long_comment_is_cut_between_lines_alone() -> None:
    document = check_laws(f"{LONG}\n{LONG.replace('PIER', 'BOAT')}")
    starts = {document.text.rfind("\n", 0, segment.start) + 1 for segment in document.segments}
    assert {segment.start for segment in document.segments} == starts
    assert not any(text.endswith(("New", "Other")) for text in texts_of(document))


@pytest.mark.parametrize(
    "second",
    ["# port 80", "#   of the pier", "# - of the pier", "of the pier", "# piers   three of them", "# Boats"],
)
def test_what_says_something_by_itself_goes_on_with_no_comment(second: str) -> None:
    one, other = read_lines(f"# the boats that are moored to the piers.\n{second}\n")
    assert not comment_goes_on(one, other, 0)
    one, other = read_lines(f"# boats and oars\n{second.replace('# port', '# Port')}\n")
    assert second == "# port 80" or not comment_goes_on(one, other, 0)
