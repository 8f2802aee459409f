"""Which kinds of value a query names: "when" asks for dates, "how much" for amounts.

One short table from query words to the signatures of facts; what else a query asks for is learnt from the document itself.
"""

from summarizing.text.stemming import stem_of, words_of

# A beginning of signatures, and the words that ask for them.
ASKED_BY = {
    "date": "date when day year deadline released dated datum wann jahr tag quand fecha cuándo año",
    "time": "time hour clock uhrzeit heure hora",
    "version": "version release versions releases upgrade",
    "num $": "price cost fee amount money salary budget pay preis kosten betrag prix montant precio importe",
    "num %": "percent percentage rate share prozent pourcent porcentaje",
    "num": "number count how many size limit threshold anzahl zahl nombre número",
    "id": "id code identifier cve error errors codes ids number nummer numéro código",
    "url": "url link links address website adresse",
    "email": "email mail contact",
    "path": "path file files directory folder paths datei fichier archivo",
    "flag": "option options flag flags argument arguments parameter parameters switch",
    "ident": "function method field variable setting header class function methods fields settings headers classes parameter option key property",
    "name": "who person people name author names authors speaker wer qui quién",
}


def asked_beginnings(query: str) -> tuple[str, ...]:
    """Return the beginnings of the signatures that a query names."""
    words = {stem_of(word) for word in words_of(query)}
    return tuple(
        beginning
        for beginning, asking in ASKED_BY.items()
        if not words.isdisjoint(map(stem_of, asking.split()))
    )
