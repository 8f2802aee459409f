"""An image is found in every form, whether it stands in a model's answer or behind a title."""

import pytest

from summarizing.text.blocks.images import end_of_words, is_images_alone, without_images
from summarizing.text.parsing import parse


@pytest.mark.parametrize("image", ["![x](a.png)", "![x](<a(1).png>)", "![x][a]", '<img alt="x" src="a.png">'])
def test_every_form_of_an_image_is_an_image_everywhere(image: str) -> None:
    assert without_images(image) == ("x", 1)
    assert is_images_alone(image)
    assert end_of_words(f"Title {image}") == len("Title")
    assert end_of_words(f"Title [{image}](b)") == len("Title")


def test_tags_around_a_line_of_a_page_need_not_come_with_it() -> None:
    page = '<div align="center">\n  <p>\n    <b>Keep</b> ponds clean.\n  </p>\n</div>\n'
    prose = "Ponds are calm, and so are mills. Nobody knows why this is so.\n"
    document = parse(f"# Ponds\n\n{prose}\n{page}\n## Mills\n\n{prose}")
    line = next(one for one in document.segments if document.text.startswith("<b>", one.start))
    assert document.of(line.parent) == "# Ponds"
    assert not line.is_marginal
