"""The words that summarizing/facts/finding.py and its rooms know: what only begins a sentence, numbers, units, months, in a few languages.

Words and nothing else. Refuses patterns (summarizing/facts/patterns.py), and to say what a word means where it stands.
"""


def _words(text: str) -> list[str]:
    return text.split()


STARTERS = frozenset(
    _words(
        """a about above according across actually add additionally after again all almost already also
    although always an and another any are as ask at back be because been before below best besides
    better between both but by can check click could currently despite did do does don't due during each
    earlier either enter even every everyone except finally find first five following for four from
    further get given go good had has have he hence her here his how however i if in indeed initially
    instead into is it it's its just keep last later less let like make many may maybe meanwhile might
    more moreover most much must my never new next no nobody none nor not note nothing now of often on
    once one only open or other others otherwise our out over overall part per perhaps please read
    remember run second see set several she should similarly since so some someone sometimes soon start
    still stop such ten than that that's the their them then there therefore these they third this those
    though three through thus to today together tomorrow too two under unless unlike until up upon us
    use used using usually very via was we well were what when whenever where whereas whether which
    while who whoever whose why will with within without would yes yesterday yet you your aber alle
    alles als am an auch auf aus bei beim bis da daher dann das dass dem den denn der des deshalb die
    dies diese dieser dieses doch dort du durch ein eine einem einen einer eines er es für hier ich ihr
    im in ist ja jede jeder jedes kein keine man mit nach nein noch nur ob obwohl oder ohne seit sie
    sind so trotz über um und unter vom von vor wann war warum was weil wenn wer werden wie wir wird wo
    zu zum zur zwei zwischen au aucun aussi autre aux avec avant bien car ce cela ces cet cette chaque
    comme dans de depuis des donc du elle elles en entre est et il ils je la le les leur leurs lors mais
    même ne ni nos notre nous on ou où par pas pendant plus pour pourquoi puis quand que qui sa sans
    selon ses si son sont sous sur tous tout toute très un une vers vous c'est d'un l' el los las una
    uno y o pero por para con sin según como cuando este esta esto а без был была были в во вот все всё
    вы где да для до его ее её если ещё же за и из или их к как когда кто ли мы на над не нет но о об он
    она они от по под после при с со так там то только тот у уже что чтобы эта эти это этот я το η ο οι
    τα και στην στο στη της του την τον με για από αν όταν ένα μια"""
    )
)
# In capitals these are no acronyms: levels of logs, words of SQL.
NO_NAMES = frozenset(
    _words(
        """TRACE DEBUG INFO NOTICE WARN WARNING ERROR FATAL CRITICAL SELECT FROM WHERE AND OR NOT NULL IN IS AS
        ON BY JOIN LEFT RIGHT INNER OUTER GROUP ORDER HAVING LIMIT OFFSET UNION ALL DISTINCT INSERT INTO VALUES
        UPDATE SET CREATE ALTER DROP TABLE INDEX VIEW PRIMARY FOREIGN KEY REFERENCES CONSTRAINT DEFAULT
        UNIQUE CASCADE BEGIN COMMIT ROLLBACK ASC DESC CASE WHEN THEN ELSE END LIKE BETWEEN EXISTS RETURNING
        INTEGER BIGINT TEXT VARCHAR BOOLEAN TIMESTAMP TRUE FALSE"""
    )
)
DETERMINERS = frozenset(
    _words(
        """der die das dem den des ein eine einem einen einer eines im am zum zur vom beim ins kein keine
    keinen keiner dieser diese dieses diesem diesen jede jeder jedes jedem jeden alle allen aller mein
    dein sein ihr unser seine ihre seinen ihren seiner ihrer unsere unseren viele vielen mehr mehrere
    pro"""
    )
)
GERMAN = tuple(
    f" {word} " for word in _words("""und der die das ist den dem mit im ein eine auf von nicht wird""")
)

NUMBER_WORDS = {
    word: str(value)
    for value, names in {
        0: "zero null zéro",
        1: "one eins ein eine un une один одна",
        2: "two twice zwei deux два две",
        3: "three drei trois три",
        4: "four vier quatre четыре",
        5: "five fünf cinq пять",
        6: "six sechs шесть",
        7: "seven sieben sept семь",
        8: "eight acht huit восемь",
        9: "nine neun neuf девять",
        10: "ten zehn dix десять",
        11: "eleven elf onze",
        12: "twelve dozen zwölf douze",
        13: "thirteen dreizehn treize",
        14: "fourteen vierzehn quatorze",
        15: "fifteen fünfzehn quinze",
        16: "sixteen sechzehn seize",
        17: "seventeen siebzehn",
        18: "eighteen achtzehn",
        19: "nineteen neunzehn",
        20: "twenty zwanzig vingt",
        30: "thirty dreißig trente",
        40: "forty vierzig quarante",
        50: "fifty fünfzig cinquante",
        60: "sixty sechzig soixante",
        70: "seventy siebzig",
        80: "eighty achtzig",
        90: "ninety neunzig",
        100: "hundred hundert cent",
        1000: "thousand tausend mille",
    }.items()
    for word in names.split()
}

UNIT_NAMES = {
    "%": "% percent prozent pct",
    "ms": "ms msec millisecond milliseconds millisekunden millisecondes",
    "s": "s sec secs second seconds sekunde sekunden seconde secondes секунд секунды",
    "min": "min mins minute minutes minuten минут минуты",
    "h": "h hr hrs hour hours stunde stunden heure heures час часа часов",
    "d": "d day days tag tage tagen jour jours день дня дней",
    "week": "week weeks woche wochen semaine semaines",
    "month": "month months monat monate monaten mois",
    "year": "year years yr yrs jahr jahre jahren an ans année années лет года",
    "b": "B byte bytes",
    "kb": "KB kB kilobyte kilobytes",
    "mb": "MB megabyte megabytes",
    "gb": "GB gigabyte gigabytes",
    "tb": "TB terabyte terabytes",
    "kib": "KiB Ki kibibyte kibibytes",
    "mib": "MiB Mi mebibyte mebibytes",
    "gib": "GiB Gi gibibyte gibibytes",
    "tib": "TiB Ti tebibyte tebibytes",
    "mbps": "Mbps Mbit/s",
    "gbps": "Gbps Gbit/s",
    "mg": "mg",
    "g": "g gram grams gramm",
    "kg": "kg kilo kilos kilogram kilograms kilogramm kilogrammes кг",
    "t": "t tonne tonnes tons tonnen",
    "lb": "lb lbs pounds",
    "mm": "mm",
    "cm": "cm",
    "m": "m metre metres meter meters mètres",
    "km": "km kilometre kilometres kilometer kilometers kilomètres км",
    "mile": "mi mile miles",
    "ft": "ft feet",
    "km/h": "km/h kmh kph",
    "l": "l L litre litres liter liters",
    "ml": "ml mL",
    "hz": "Hz",
    "khz": "kHz",
    "mhz": "MHz",
    "ghz": "GHz",
    "w": "W watt watts",
    "kw": "kW",
    "mw": "MW",
    "kwh": "kWh",
    "v": "V volt volts",
    "°c": "°C ℃",
    "°f": "°F",
    "px": "px pixels",
    "usd": "$ USD US$ dollar dollars",
    "eur": "€ EUR euro euros",
    "gbp": "£ GBP",
    "jpy": "¥ JPY yen 円",
    "chf": "CHF",
    "rub": "₽ RUB рублей",
}
UNITS = {name: unit for unit, names in UNIT_NAMES.items() for name in names.split()}
UNITS |= {
    folded: unit for name, unit in UNITS.items() if len(folded := name.casefold()) > 1 and folded not in UNITS
}
SCALES = {
    "k": 3, "thousand": 3, "tsd": 3, "million": 6, "millions": 6, "mio": 6, "millionen": 6, "mn": 6,
    "billion": 9, "billions": 9, "bn": 9, "mrd": 9, "milliarden": 9, "milliards": 9,
}  # fmt: skip

MONTHS = {
    name: number
    for number, names in enumerate(
        (
            "jan january januar jänner janvier enero января",
            "feb february februar février febrero февраля",
            "mar march mär märz mars marzo марта",
            "apr april avril abril апреля",
            "may mai mayo мая",
            "jun june juni juin junio июня",
            "jul july juli juillet julio июля",
            "aug august août agosto августа",
            "sep sept september septembre septiembre сентября",
            "oct october okt oktober octobre octubre октября",
            "nov november novembre noviembre ноября",
            "dec december dez dezember décembre diciembre декабря",
        ),
        1,
    )
    for name in names.split()
}
MEASURES = {
    name
    for name in (*UNITS, *SCALES)
    if name not in ("t", "l", "v", "w", "B", "an", "V", "W", "L", "mi", "d", "Ki")
}
