"""HTML's elements by how a page shows them: hidden, as blocks, in a line, in tables and lists.

Data alone, from the HTML standard (WHATWG: 4, "The elements of HTML", 13.2.6, "Tree construction", 16.2, "Non-conforming features").
"""


def _names(text: str) -> frozenset[str]:
    return frozenset(text.split())


HEADINGS = {f"h{level}": level for level in range(1, 7)}
VOID = _names("area base br col embed hr img input link meta param source track wbr")
IN_HEAD = _names("base link meta noscript script style template title")
HIDDEN = _names(
    "audio button canvas datalist dialog head map noscript object script select style svg template title "
    "textarea video"
)
BLOCKS = _names(
    "address article aside blockquote body caption center dd details div dl dt fieldset figcaption figure "
    "footer form h1 h2 h3 h4 h5 h6 header hgroup hr html legend li main menu nav ol optgroup option p pre "
    "search section summary table tbody td tfoot th thead tr ul"
)
INLINE = _names(
    "a abbr acronym b bdi bdo big cite code data del dfn em font i ins kbd label mark nobr output q rp rt "
    "ruby s samp small span strike strong sub sup time tt u var"
)
# Navigation and the like: no heading there stands over the text, and no link is one of the text's.
BESIDE = _names("nav footer aside")
MENU_ROLES = _names("navigation search menu menubar")
BESIDE_ROLES = _names("contentinfo complementary")
# In code these begin a line of it.
IN_CODE = _names("details div p summary")
CELLS = _names("td th caption")
TABLE = CELLS | {"table", "tbody", "tfoot", "thead", "tr", "body", "html"}
LISTS = _names("ul ol menu dir")
# What a new element ends, and where that search stops.
ENDED_BY = {
    "li": (frozenset({"li"}), LISTS),
    "dt": (frozenset({"dt", "dd"}), frozenset({"dl"})),
    "dd": (frozenset({"dt", "dd"}), frozenset({"dl"})),
    "tr": (frozenset({"tr"}), frozenset({"table"})),
    "td": (frozenset({"td", "th"}), frozenset({"tr", "table"})),
    "th": (frozenset({"td", "th"}), frozenset({"tr", "table"})),
}
ENDED_BY_BLOCK = (frozenset({"p"}), BLOCKS - {"p"})
