"""What is said in a chat, or printed in a terminal, comes with who said it, or with the command that printed it."""

import pytest

from summarizing.extractive.rendering import Rendering
from summarizing.text.document import Document
from summarizing.text.parsing import parse

ZOOM = """\
00:56:42	Potuz:	Replying to "we have been draggin..."

 Yeah, I'm also fine with a call on Monday
00:58:04	Potuz:	Replying to "That's not the simpl..."

 yeah me too, my preferred one I believe is 2 epochs
01:06:23	Barnabas:	we usually have around 50ppl
01:06:30	Ansgar Dietrichs:	Replying to "Can we make a decis..."

I'm strongly opinionated to not overrule ansgar
01:07:53	Potuz:	yes, let's do that right now
01:07:58	Barnabas:	:)
"""

WHATSAPP = """\
12/03/21, 10:31 - Messages are end-to-end encrypted.
12/03/21, 10:32 - Alice: Shall we move the release?
I think Friday is too early.
12/03/21, 10:33 - Bob: No.

The tests are green since noon.
12/03/21, 10:40 - Alice: Fine with me
12/03/21, 10:41 - Carol: Friday it is
"""

SLACK = """\
alice  10:32 AM
Shall we move the release?

I think Friday is too early.

bob  10:33 AM
No.
The tests are green since noon.

alice  10:40 AM
Fine with me

bob  10:41 AM
Friday it is
"""

BRACKETS = """\
[10:32] <alice> Shall we move the release?
[10:33] <bob> No.

The tests are green since noon.
[10:40] <alice> Fine with me
[10:41] <carol> Friday it is
"""


def _with(document: Document, text: str) -> str:
    """Return what is rendered where the line that has this text is kept with what it requires."""
    index = next(at for at in range(len(document.segments)) if text in document.of(at))
    return Rendering(document).render({index, *document.requirements(index)}, marks=False)


@pytest.mark.parametrize(
    "chat, said, head",
    [
        (ZOOM, "not overrule ansgar", "01:06:30	Ansgar Dietrichs:"),
        (WHATSAPP, "too early", "12/03/21, 10:32 - Alice:"),
        (WHATSAPP, "green since noon", "12/03/21, 10:33 - Bob: No."),
        (SLACK, "too early", "alice  10:32 AM"),
        (SLACK, "green since noon", "bob  10:33 AM"),
        (BRACKETS, "green since noon", "[10:33] <bob> No."),
    ],
)
def test_a_message_s_further_lines_come_with_who_wrote_it(chat: str, said: str, head: str) -> None:
    assert _with(parse(chat), said).startswith(head)


SHELL = """\
$ uname -a
Linux vm 6.1.0 x86_64 GNU/Linux
$ free -m
               total        used        free      shared
Mem:            7900        3000        4900          12
Swap:           2048           0        2048           0
$ ls -la \\
    docs
total 144
-rw-r--r-- 1 root root 57015 Jul  6  2025 lintian.html

-rw-r--r-- 1 root root  1200 Jul  6  2025 api.html
$ du -sh *
7.7M	bind9-doc
"""

HOST = SHELL.replace("$ ", "root@vm:/var/www# ")
POWERSHELL = SHELL.replace("$ ", "PS C:\\work> ").replace(" \\\n    docs", "")


@pytest.mark.parametrize(
    "session, printed, expected",
    [
        (SHELL, "Linux vm", "$ uname -a\nLinux vm 6.1.0 x86_64 GNU/Linux"),
        (SHELL, "total 144", "$ ls -la \\\n    docs\ntotal 144"),
        (HOST, "7.7M", "root@vm:/var/www# du -sh *\n7.7M\tbind9-doc"),
        (POWERSHELL, "total 144", "PS C:\\work> ls -la\ntotal 144"),
    ],
)
def test_what_a_command_prints_comes_with_it(session: str, printed: str, expected: str) -> None:
    assert _with(parse(session), printed) == expected


def test_behind_a_blank_line_a_command_still_prints() -> None:
    assert _with(parse(SHELL), "api.html").startswith("$ ls -la")


def test_a_row_that_a_command_prints_comes_with_its_head() -> None:
    rendered = _with(parse(SHELL), "Swap:")
    assert rendered.split("\n")[0] == "$ free -m"
    assert "total" in rendered.split("\n")[1]


def test_a_text_that_quotes_commands_is_no_session() -> None:
    text = (
        "The program is built with make and a compiler for C, which most systems have. To build it, run this:\n\n"
        "$ make\n\nWhat was built is then installed by the superuser with one further command:\n\n"
        "$ make install\n\nAll files are then below /usr/local.\n"
    )
    assert _with(parse(text), "All files") == "All files are then below /usr/local."
