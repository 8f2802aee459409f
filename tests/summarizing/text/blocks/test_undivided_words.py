"""Chinese and Japanese text whose lines end at blanks alone, as mandoc prints manual pages: no word is divided, so lines are ragged."""

import pytest

from summarizing.text.blocks.undivided_words import with_undivided_words
from summarizing.text.document import SegmentKind
from summarizing.text.lines import columns_in, read_lines
from summarizing.text.parsing import parse

SENTENCES = (
    "pager のための「前処理プログラム」を定義することができる。",
    "pager がファイルを開く前に、前処理プログラムで 入力ファイルの内容の表示の仕方を変更することができる。",
    "前処理プログラムは、ファイルの内容を 代替ファイルと呼ばれる別ファイルに書き出す 単純な実行可能プログラム (もしくは、シェルスクリプト) である。",
    "しかし、ユーザーにとってはオリジナルファイルが開かれているかのように見える。",
    "pager は現在の代替ファイルの名前としてオリジナルファイルの名前を表示する。",
    "代替ファイル名を出力しない場合、 pager は標準としてオリジナルファイルを用いる。",
    "前処理プログラムを設定するためには、 前処理プログラムを呼び出すコマンドラインを環境変数 PAGEROPEN に設定する。",
)
DESCRIPTION = "使用可能なデータベースをすべて一覧表示してから終了する。その他の接続オプションは無視される。"
NAMES = ("表示の設定", "端末の一覧", "鍵の割り当て", "検索の履歴")


def _filled(text: str, width: int = 78) -> str:
    """Return a text as lines that are indented and end at blanks, each with all words for which there is room."""
    lines, indent = [""], " " * 7
    for word in text.split(" "):
        if lines[-1] and columns_in(f"{indent}{lines[-1]} {word}") > width:
            lines.append("")
        lines[-1] = f"{lines[-1]} {word}".strip()
    return "".join(f"{indent}{line}\n" for line in lines)


def _page() -> str:
    turned = (SENTENCES[at:] + SENTENCES[:at] for at in range(0, len(SENTENCES), 2))
    body = "\n".join(_filled(" ".join(each)) for each in turned)
    names = "".join(f"       {name}\n" for name in NAMES)
    head, foot = (
        f"PAGER(1){' ' * 20}General Commands Manual{' ' * 20}PAGER(1)",
        f"PAGER 1.0{' ' * 20}2026-01-01{' ' * 20}PAGER(1)",
    )
    option = f"       --list\n              {DESCRIPTION}\n"
    return (
        f"{head}\n\n名前\n       pager - テキストを 1 画面ずつ表示する\n\n説明\n{body}\n"
        f"オプション\n{option}\nファイル\n{names}\n{foot}\n"
    )


def _parts(text: str) -> list[str]:
    document = parse(text)
    kinds = (SegmentKind.SENTENCE, SegmentKind.LINE)
    return [
        " ".join(document.of(number).split())
        for number, one in enumerate(document.segments)
        if one.kind in kinds
    ]


def test_a_sentence_over_lines_that_end_at_blanks_is_one() -> None:
    parts = _parts(_page())
    assert [one for one in SENTENCES if parts.count(one) != 4] == []


def test_lines_on_which_the_next_word_would_have_fitted_each_say_something() -> None:
    assert set(NAMES) <= set(_parts(_page()))


def test_a_description_below_a_term_is_a_text_of_its_own() -> None:
    assert {"--list", DESCRIPTION.split("。", maxsplit=1)[0] + "。"} <= set(_parts(_page()))


@pytest.mark.parametrize("columns", [35, 36])
def test_lines_that_end_between_any_two_letters_have_no_undivided_words(columns: int) -> None:
    sentence = (
        "系统安装完成之后，管理员应当检查网络设置，并且确认所有服务都已经正常启动，然后再开放给用户使用。"
    )
    text = sentence * 20
    lines = read_lines("\n".join(text[at : at + columns] for at in range(0, len(text), columns)))
    assert with_undivided_words(lines) is lines


def test_lines_that_each_say_something_have_no_undivided_words() -> None:
    lines = read_lines("\n".join(f"第{number}项 设置 {'值' * (number % 7 + 1)}" for number in range(40)))
    assert with_undivided_words(lines) is lines
