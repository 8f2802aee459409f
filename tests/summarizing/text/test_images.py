"""An image is found in every form, whether it stands in a model's answer or behind a title."""

import pytest

from summarizing.text.images import end_of_words, is_images_alone, without_images


@pytest.mark.parametrize("image", ["![x](a.png)", "![x](<a(1).png>)", "![x][a]", '<img alt="x" src="a.png">'])
def test_every_form_of_an_image_is_an_image_everywhere(image: str) -> None:
    assert without_images(image) == ("x", 1)
    assert is_images_alone(image)
    assert end_of_words(f"Title {image}") == len("Title")
    assert end_of_words(f"Title [{image}](b)") == len("Title")
