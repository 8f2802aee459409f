"""What is said in a chat, or printed in a terminal, comes with who said it, or with the command that printed it."""

import pytest

from summarizing.extractive.rendering import Rendering
from summarizing.text.document import Document, SegmentKind
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


SAID = (
    ("Dana", "9:02", "Checkout is down for everybody in the EU since 8:55"),
    ("Marek", "9:04", "looking"),
    ("Marek", "9:09", "It is the certificate of pay.example.com, expired at 8:54"),
    ("Yuki", "9:10", "I renew it now, takes 10 minutes"),
    ("Dana", "9:11", "ok, I post on the status page"),
    ("Yuki", "9:22", "New certificate is live, valid until 3 March"),
    ("\U0001f419 Sam [Ops]", "9:24", "Confirmed, orders come in again\nNo other host is affected"),
    ("Dana :palm_tree:", "9:30", "How many did we lose?"),
    ("Marek", "9:41", "412 orders, about 31,000 euro"),
    ("Dana", "9:45", "Yuki, please add an alert 14 days before a certificate ends"),
    ("Yuki", "9:46", "will do today"),
)
HEADS = (
    "{} \u2014 Today at {} AM",
    "{}\n  {} AM",
    "{}\n12.05.2025 {}",
    "{}  {} AM",
    "{}, [12.05.25 {}]",
    "{} \u2014 heute um {}",
)


@pytest.mark.parametrize("blank", ["", "\n"])
@pytest.mark.parametrize("form", HEADS)
def test_every_message_hangs_on_its_head_and_no_head_stands_alone(form: str, blank: str) -> None:
    heads = [form.format(name, time) for name, time, _ in SAID]
    chat = "".join(f"{head}\n{said}\n{blank}" for head, (*_, said) in zip(heads, SAID, strict=True))
    document = parse(chat)
    frames = [document.of(at) for at, one in enumerate(document.segments) if one.kind is SegmentKind.FRAME]
    assert frames == heads
    for head, (*_, said) in zip(heads, SAID, strict=True):
        for line in said.split("\n"):
            assert _with(document, line) == f"{head}\n{line}"


def test_what_the_same_one_writes_later_below_a_time_alone_is_theirs() -> None:
    chat = "".join(f"{name}\n  {time} AM\n{said}\n" for name, time, said in SAID)
    chat = chat.replace("Marek\n  9:09 AM\n", "9:09\n").replace("Dana\n  9:11 AM\nok", "Lee\n  9:11 AM\nok")
    document = parse(chat)
    assert _with(document, "It is the certificate").startswith("Marek\n  9:04 AM\n")
    assert _with(document, "status page").startswith("Lee\n  9:11 AM\n")


def test_a_number_says_who_speaks_too() -> None:
    chat = WHATSAPP + "12/03/21, 10:44 - +44 7700 900123: Thursday or Friday\n"
    line = "12/03/21, 10:44 - +44 7700 900123: Thursday or Friday"
    assert _with(parse(chat), "Thursday") == line


@pytest.mark.parametrize("gap", ["  ", "\n  ", "\n"])
def test_a_timetable_is_no_chat(gap: str) -> None:
    rows = (
        ("Talks", "9:00"),
        ("Coffee break", "10:30"),
        ("Talks", "11:00"),
        ("Lunch", "12:30"),
        ("Talks", "14:00"),
    )
    document = parse("".join(f"{what}{gap}{time}\n" for what, time in rows))
    assert SegmentKind.FRAME not in {one.kind for one in document.segments}


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


@pytest.mark.parametrize("opening", ["The program is built with make. To build it, run this:\n\n", ""])
def test_a_text_that_quotes_commands_is_no_session(opening: str) -> None:
    text = (
        f"{opening}$ make\n\nWhat was built is then installed by the superuser with one further command:\n\n"
        "$ make install\n\nAll files are then below /usr/local.\n"
    )
    assert _with(parse(text), "All files") == "All files are then below /usr/local."


def test_who_is_quoted_before_each_line_of_a_mail_is_no_prompt() -> None:
    text = (
        "james> The cache is read before the lock is taken, which\njames> cannot be right for two writers.\n\n"
        "No, since the lock guards the file alone.\n\n"
        "james> Then the comment is wrong.\n\nYes. I have mended it.\n\n"
        "james> And who calls it\njames> from the signal handler?\nNobody does any more.\n"
    )
    assert _with(parse(text), "No, since") == "No, since the lock guards the file alone."


def test_what_a_client_of_a_database_prints_comes_with_the_query() -> None:
    text = "mysql> use shop;\nDatabase changed\nmysql> select count(*) from orders;\n150\nmysql> exit\nBye\n"
    assert _with(parse(text), "150") == "mysql> select count(*) from orders;\n150"


@pytest.mark.parametrize(
    "form",
    ["{name}  {time} AM\n{said}\n", "[{time}] <{name}> {said}\n", "12/03/21, {time} - {name}: {said}\n"],
)
def test_notices_and_bare_answers_of_a_chat_are_marginal_and_what_is_told_is_not(form: str) -> None:
    said = [
        ("Ann", "10:02", "joined #release"),
        ("Ann", "10:05", "The build of 4.2 is red since the merge."),
        ("Bob", "10:06", "ok"),
        ("Bob", "10:09", "+1"),
        ("Ann", "10:12", "port 8007"),
        ("Cem", "10:15", 'Reacted to "The build..." with \U0001f44d'),
        ("Bob", "10:20", "Shall we move the release to Friday?"),
        ("Ann", "10:21", "No, it stays on Thursday."),
    ]
    document = parse("".join(form.format(name=name, time=time, said=text) for name, time, text in said))
    plain = " ".join(document.of(at) for at, one in enumerate(document.segments) if not one.is_marginal)
    told = [text for *_, text in said if text in plain]
    assert told == [said[1][2], "port 8007", said[6][2], said[7][2]]


def test_a_notice_of_a_chat_is_no_part_of_what_was_said_before_it() -> None:
    chat = WHATSAPP + '12/03/21, 10:45 - Dora changed the subject to "Harbour"\n'
    notice = '12/03/21, 10:45 - Dora changed the subject to "Harbour"'
    assert _with(parse(chat), notice) == notice


def test_what_a_reply_quotes_says_nothing_without_the_reply() -> None:
    document = parse(ZOOM)
    quoting = [one for at, one in enumerate(document.segments) if "Replying to" in document.of(at)]
    assert {one.kind for one in quoting} == {SegmentKind.FRAME}


@pytest.mark.parametrize(
    "said",
    [
        "set the retry timeout to 30 seconds in production",
        "left the warehouse door open, and the alarm rang",
        "was added to the invoice by error: 3000 EUR",
        "has left #harbour without a pilot",
        "Reacted to the outage within five minutes",
        'Reacted to "down again?" with a rollback of 4.2',
        "Bob has left",
        "has joined\nThe build is red since then.",
    ],
)
def test_what_somebody_says_is_no_notice(said: str) -> None:
    document = parse(WHATSAPP + f"12/03/21, 10:45 - Dora: {said}\n")
    assert not any(one.is_marginal for one in document.segments if one.start >= len(WHATSAPP))


def test_what_a_program_says_is_told_unless_it_is_a_known_notice() -> None:
    chat = (
        BRACKETS
        + "[10:44] Incident #6 was declared: payments are down\n[10:45] Bob Lee has joined #harbour\n"
    )
    document = parse(chat)
    told = [document.of(at) for at, one in enumerate(document.segments) if not one.is_marginal]
    assert told[-1] == "[10:44] Incident #6 was declared: payments are down"


def test_a_log_that_somebody_pastes_is_what_they_say() -> None:
    log = "2021-03-12 10:41:58 ERROR the disk is full\n2021-03-12 10:41:59 FATAL 4312 orders are lost"
    chat = WHATSAPP + f"12/03/21, 10:45 - Dora: the server wrote\n{log}\nI have restored it\n"
    document = parse(chat)
    for line in ("the disk is full", "4312 orders", "I have restored"):
        assert _with(document, line).startswith("12/03/21, 10:45 - Dora: the server wrote\n")
    assert not any("2021" in document.of(at) for at, one in enumerate(document.segments) if one.is_marginal)


@pytest.mark.parametrize(
    "form",
    ["{name}  {time} AM\n{said}\n", "[{time}] <{name}> {said}\n", "12/03/21, {time} - {name}: {said}\n"],
)
def test_a_question_and_bare_answers_to_it_come_together(form: str) -> None:
    said = [
        ("Ann", "10:05", "The build of 4.2 is red since the merge."),
        ("Bob", "10:06", "ok"),
        ("Ann", "10:07", "Shall we drop the table? I would."),
        ("Bob", "10:08", "No"),
        ("Cem", "10:09", "No, never"),
        ("Ann", "10:12", "What does it cost?"),
        ("Bob", "10:13", "300 euros"),
        ("Ann", "10:15", "The tide is low until noon."),
        ("Bob", "10:16", "fine"),
    ]
    turns = [form.format(name=name, time=time, said=text) for name, time, text in said]
    document = parse("".join(turns))
    for text in ("Shall we", "No\n", "No, never"):
        index = next(at for at in range(len(document.segments)) if text in document.of(at) + "\n")
        own = {index, *document.requirements(index)}
        told = Rendering(document).render(own, marks=False)
        assert told.split() == "".join(turns[2:5]).split()
    assert _with(document, "300 euros").split() == "".join(turns[5:7]).split()
    assert _with(document, "What does").split() == "".join(turns[5:7]).split()
    assert _with(document, "tide is low").split() == turns[7].split()


def test_a_question_mark_within_an_address_asks_nothing() -> None:
    said = ("Is it safe to delete the old base?", "See https://example.org/?id=77 for the whole list", "no")
    document = parse("".join(f"[10:0{at}] <ann> {text}\n" for at, text in enumerate(said)) * 3)
    address = next(at for at in range(len(document.segments)) if "id=77" in document.of(at))
    assert not any("> no" in document.of(at) for at in document.requirements(address))
