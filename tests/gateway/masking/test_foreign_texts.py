"""Texts that others wrote have options, elements and names of passwords everywhere, and few secrets: Python's reference and library."""

from __future__ import annotations

import inspect
from importlib import import_module
from pydoc_data.topics import topics
from typing import Any

import pytest

from gateway.masking.element_secrets import element_secrets
from gateway.masking.kubernetes_secrets import values_of_secrets
from gateway.masking.option_secrets import option_secrets, secrets_of_commands

# Modules about logins, options and XML.
MODULES = (
    "argparse",
    "ftplib",
    "getpass",
    "http.client",
    "imaplib",
    "netrc",
    "optparse",
    "smtplib",
    "ssl",
    "tokenize",
    "urllib.request",
    "xml.dom.minidom",
    "xml.etree.ElementTree",
    "zipfile",
)


@pytest.mark.parametrize("find", [option_secrets, secrets_of_commands, element_secrets, values_of_secrets])
def test_pythons_reference_and_library_have_no_secrets(find: Any) -> None:
    texts = {name: inspect.getsource(import_module(name)) for name in MODULES} | dict(topics)
    assert sum(map(len, texts.values())) > 500_000
    found = {name: [text[each.start : each.end] for each in find(text)] for name, text in texts.items()}
    assert {name: secrets for name, secrets in found.items() if secrets} == {}
