"""Chinese and Japanese text that is wrapped by hand, and titles with numbers of several parts."""

import pytest

from summarizing.text.document import SegmentKind
from summarizing.text.parsing import parse


def _of_kind(text: str, *kinds: SegmentKind) -> list[str]:
    document = parse(text)
    return [
        " ".join(document.of(number).split())
        for number, segment in enumerate(document.segments)
        if segment.kind in kinds
    ]


MIXED = """系统是以法语安装的，而且已经将法语设为缺省的语言。

    Debian“软件包”，或称作 Debian 档案文件，包含了与特定的程序套件或
    一组关联的程序有关的可执行文件、库和文档。正常情况下，Debian 档案
    文件的文件名以 .deb 结尾。

dpkg -l 'b*'

列出所有的软件包。
"""


def test_wide_letters_take_two_columns_of_a_wrapped_line() -> None:
    first = "Debian“软件包”，或称作 Debian 档案文件，包含了与特定的程序套件或 一组关联的程序有关的可执行文件、库和文档。"
    sentences = _of_kind(MIXED, SegmentKind.SENTENCE)
    assert first in sentences
    assert "正常情况下，Debian 档案 文件的文件名以 .deb 结尾。" in sentences
    assert [one for one in _of_kind(MIXED, SegmentKind.SENTENCE, SegmentKind.LINE) if "dpkg" in one] == [
        "dpkg -l 'b*'"
    ]


@pytest.mark.parametrize("sign", ["，", "、", "。", "）", "”", "」"])
def test_a_line_that_begins_with_a_closing_sign_goes_on_with_the_one_above(sign: str) -> None:
    text = f"APT 是高级软件包工具\n{sign}它很有用，可以安装软件包。\n\n这里是别的内容。\n"
    assert _of_kind(text, SegmentKind.HEADING) == []
    assert _of_kind(text, SegmentKind.SENTENCE, SegmentKind.LINE)[0].startswith(
        f"APT 是高级软件包工具 {sign}"
    )


@pytest.mark.parametrize(
    "chapter, section, part",
    [
        ("第 7 章 基本配置：网络、账号、打印 ...", "7.1.\xa0有多少种版本？", "7.1.1. APT"),
        ("Kapitel 7. Die Archive", "7.1. Wie viele gibt es?", "7.1.1. Gibt es mehr?"),
    ],
)
def test_numbered_titles_stand_by_the_parts_of_their_numbers_even_as_questions(
    chapter: str, section: str, part: str
) -> None:
    body = "    Es gibt hier einige davon, und alle sind beschrieben worden.\n    这里是内容。"
    document = parse(
        f"{chapter}\n\n{body}\n\n{section}\n\n{body}\n\n{part}\n\n{body}\n\n{section.replace('7.1', '7.2')}\n\n{body}\n"
    )
    titles = [segment for segment in document.segments if segment.kind is SegmentKind.HEADING]
    assert [document.text[each.start : each.end] for each in titles][:3] == [chapter, section, part]
    levels = [each.level - titles[0].level for each in titles]
    assert levels == [0, 1, 2, 1]


def test_a_numbered_question_of_a_list_is_no_title() -> None:
    text = "Ask yourself:\n\n1. Who pays for it?\n\n2. Who gains by it?\n\nThen decide.\n"
    assert _of_kind(text, SegmentKind.HEADING) == []


def test_a_numbered_question_over_two_lines_is_one_title_and_a_numbered_clause_is_none() -> None:
    question = "7.9. 一个软件包依赖、推荐、建议、冲突、替代、破坏或者提供另一个软件包\n是什么意思？"
    clause = "7.10 The supplier delivers what was ordered, and only that, within a period of\nthirty days."
    text = f"{question}\n\n    这里是内容。还有一句。\n\n{clause}\n\n7.11. 还有什么？\n\n    没有了。\n"
    titles = _of_kind(text, SegmentKind.HEADING)
    assert titles == [" ".join(question.split()), "7.11. 还有什么？"]


def test_sentences_with_few_blanks_and_many_names_are_no_lines_that_each_say_something() -> None:
    text = (
        "CAPS(7)     Handbook     CAPS(7)\n\nCAPS\n       CAP_TTY_CONFIG\n"
        "              vhangup(2) を使用する。 特権が必要な仮想端末に関する各種の\n              ioctl(2) 操作を利用できる。\n"
    )
    sentences = _of_kind(text, SegmentKind.SENTENCE)
    assert sentences == [
        "vhangup(2) を使用する。",
        "特権が必要な仮想端末に関する各種の ioctl(2) 操作を利用できる。",
    ]


@pytest.mark.parametrize("chapter", ["第{}章 基本設定", "Chapter {} Basic settings"])
def test_a_chapter_is_no_part_of_the_numbered_sections_of_the_preface(chapter: str) -> None:
    body = "    ここには本文が書かれています。もう一つの文もあります。\n    三つ目の文もここにあります。\n"
    titles = [
        "序章",
        "1. 免責事項",
        "2. 本書について",
        "3. 引用文",
        chapter.format(1),
        "1.1. 道具",
        "1.2. 端末",
    ]
    titles += [chapter.format(2), "2.1. 検索"]
    document = parse("\n".join(f"{title}\n\n{body}" for title in titles))
    headings = [one for one in document.segments if one.kind is SegmentKind.HEADING]
    levels = {document.text[one.start : one.end]: one.level for one in headings}
    assert levels[chapter.format(1)] == levels["3. 引用文"] == levels[chapter.format(2)]
    assert levels["1.1. 道具"] == levels["2.1. 検索"] == levels["3. 引用文"] + 1


@pytest.mark.parametrize(
    "line", ["この文書は以下の二つの文書を参考にして書かれました:", "在社区中有这几类常见的角色："]
)
def test_a_long_line_with_a_colon_introduces_the_list_below_and_is_no_title(line: str) -> None:
    list_ = "  * 開発者\n\n  * 翻訳者\n"
    text = "".join(f"{line}\n\n{list_}\nここには本文が書かれています。\n\n" for _ in range(4))
    assert _of_kind(text, SegmentKind.HEADING) == []
    assert _of_kind(text.replace(line, "注意事项："), SegmentKind.HEADING) == ["注意事项："] * 4


def test_a_sign_that_begins_a_line_in_the_midst_of_a_paragraph_quotes_nothing() -> None:
    text = (
        "最初の 0 はバイト 0-3 を読み出し、その値を右にシフトする。\n"
        ">>22 により 10 ビットの値が得られ、残りの二つのビットは\n最後に取り除かれる。\n"
    )
    assert _of_kind(text, SegmentKind.SENTENCE, SegmentKind.LINE)[1:] == [
        ">>22 により 10 ビットの値が得られ、残りの二つのビットは 最後に取り除かれる。"
    ]
