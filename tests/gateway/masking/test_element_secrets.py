"""Secrets in elements and attributes of XML; pages and documents stay."""

from __future__ import annotations

import pytest

from gateway.masking.masker import Masker

CANARY = "hunter2canary"
MASKER = Masker(())


@pytest.mark.parametrize(
    "text",
    [
        "<password>{}</password>",
        "<server><id>x</id><password>\n  {}\n</password></server>",
        "<db:dbPassword encrypted='no'>{}</db:dbPassword>",
        "<apiKey><![CDATA[{}]]></apiKey>",
        '<entry key="smtp.password">{}</entry>',
        '<property name="connection.password">{}</property>',
        '<add key="DbPassword" value="{}"/>',
        '<property value="{}" name="password" />',
        '<input type="hidden" name="csrf_token" value="{}">',
        '"<password>{}<\\/password>"',
        "<password>{}</password",
    ],
)
def test_the_secret_in_an_element_is_masked(text: str) -> None:
    masked = MASKER.mask(text.format(CANARY))
    before, after = text.split("{}")
    assert CANARY not in masked
    assert masked.startswith(before)
    assert masked.endswith(after)


@pytest.mark.parametrize(
    "text",
    [
        '<label for="password">Password1</label>',
        "<password/><user>bob1</user>",
        "<password></password><user>bob1</user>",
        "<password>${env.DB_PASSWORD}</password>",
        "<secret>what nobody may know</secret>",
        "<secretName>db-1</secretName>",
        '<add key="Color" value="red1"/>',
        '<input name="password" type="password"> text1',
        "a < password > b1 </",
        '<h2><a id="_good_password"/>4.3. Passwords</h2>',
        '<a href="#x" id="cryptocredentials">#1</a>',
        "Map<Token, String1> x",
    ],
)
def test_other_elements_stay(text: str) -> None:
    assert MASKER.mask(text) == text
