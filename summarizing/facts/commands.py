"""What a shell would run, as far as a text shows it: prompts, lines of shell fences, marked or plain commands.

Pure. Refuses to judge a command: whether one is dangerous, or asked for, is the caller's to say.
"""

import re
from collections.abc import Iterator

from summarizing.facts.patterns import any_of


def _words(text: str) -> list[str]:
    return text.split()


_PROGRAMS = (
    "sudo bash sh zsh curl wget rm mv cp chmod chown kill pkill dd mkfs apt apt-get yum dnf brew apk pacman pip pip3 pipx uv npm "
    "npx yarn pnpm cargo gem docker docker-compose podman kubectl helm git ssh scp rsync systemctl service crontab "
    "python python3 node perl ruby php powershell iex eval nc ncat telnet openssl aws gcloud az terraform ansible make "
    "export echo cat tee sed awk xargs tar unzip base64 psql mysql redis-cli iptables ufw useradd passwd"
)
_PROGRAM = rf"(?:sudo )?(?:{any_of(_PROGRAMS.split())})"
_FENCE = re.compile(r"^[ \t]*(`{3,}+|~{3,}+)[ \t]*(\w*)[^\n]*\n", re.MULTILINE)
_SHELLS = frozenset(
    _words("""sh bash zsh shell console shell-session shellsession terminal powershell ps1 cmd bat""")
)
# A word like "make" begins sentences too: outside code, a command is what goes on as only a command does.
_COMMAND = re.compile(
    r"^[ \t>]*+(?:[-*] )?(?:\w{1,30}@[\w.-]{1,60}:[^\s$#]{0,60})?\$ (?=[a-z./~])[^\n]+"
    rf"|(?<!`)`++(?=(?:\$ )?{_PROGRAM} )[^`\n]+`+"
    r"|(?<![\w./-])(?:sudo )?(?:curl|wget) [^\n]{0,200}?(?:https?://|www\.)[^\s`\"']+(?:[ \t]*\|[ \t]*(?:sudo )?\w+)*"
    r"|(?<![\w./-])(?:sudo )?(?:(?:pip3?|pipx|npm|yarn|pnpm|apt|apt-get|brew|cargo|gem|dnf|yum|apk) (?:install|add|i|remove|uninstall)"
    r"|kubectl [a-z]+|docker (?:run|exec|pull|build|compose|rm)|git (?:clone|push|reset|checkout|pull|commit|rebase)"
    r"|helm (?:install|upgrade|uninstall|repo)|systemctl [a-z]+|rm -\w+|chmod [\d+ugoarwx-]+|npx|uvx|sudo [a-z]+|ssh \w+@)"
    r"[ \t]+[^\s`\"',;][^\n`\"',;)]*?(?=[`\"',;)\n]|[.:](?:\s|\Z)|[ \t]+(?:to|and|or|then|on|in|before|after|for)\s|\Z)"
    r"|(?<![\w./-])rm -\w*[rf]\w* [^\s`\"',;]+",
    re.MULTILINE,
)


def commands(text: str) -> list[tuple[int, int]]:
    """Return the spans of what a shell would run: prompts, lines of shell fences, marked or plain commands; in order."""
    spans = [*_fenced_commands(text), *(match.span() for match in _COMMAND.finditer(text))]
    merged: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if merged and start < merged[-1][1]:
            merged[-1] = merged[-1][0], max(end, merged[-1][1])
        else:
            merged.append((start, end))
    return merged


def _fenced_commands(text: str) -> Iterator[tuple[int, int]]:
    """Yield the lines of fences that are marked as a shell's, without comments."""
    at = 0
    while fence := _FENCE.search(text, at):
        close = text.find("\n" + fence[1], fence.end() - 1)
        close = len(text) if close < 0 else close
        if fence[2].casefold() in _SHELLS:
            for line in re.finditer(r"^[ \t]*(?!#)(\S[^\n]*)", text[fence.end() : close], re.MULTILINE):
                yield fence.end() + line.start(1), fence.end() + line.end(1)
        at = min(close + 1 + len(fence[1]), len(text)) if close < len(text) else len(text)
        if at >= len(text):
            return
