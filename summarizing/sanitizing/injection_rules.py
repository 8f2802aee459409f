"""Orders to a language model that need no second signal, in seven languages: wordings, and nothing else.

They read text that is folded already: lower case, no accents, no marks. A space in a pattern stands for any gap between
two words. Refuses to decide: quotes, reports and fences are summarizing/sanitizing/injections.py's work.
"""

from summarizing.sanitizing.injection_wording import WEAK, rule

# --- Words ------------------------------------------------------------------------------------------------

_IGNORE = (
    r"\b(?:ignore|disregard|forget|override|overwrite|bypass|neglect|discard|dismiss|abandon|erase"
    r"|overlook|pay no attention to|set aside|(?:do not|don t|dont|stop|no longer) (?:follow|obey|heed|process|following|obeying))"
)
_SMALL = (
    r"(?:all|any|of|the|these|those|your|my|our|every|each|other|and|or|everything|in|that|entire|whole|set) "
)
_PRIOR = r"(?:previous|prior|above|earlier|preceding|foregoing|former|existing|original|initial|current|past|old|system|safety|developer|built in|hidden|given)"
_ORDERS = r"(?:instructions?|prompts?|rules?|directions?|directives?|guidelines?|orders?|commands?|constraints?|programming|training|restrictions?|messages?|tasks?|polic(?:y|ies)|context|input|conversation)\b"
_AI = r"(?:ai|a\.i\.|llm|gpt|chatgpt|claude|language model|large language model|chat ?bot|bot|assistant|summari[sz]er|summari[sz]ation|ai)(?: (?:assistant|agent|model|system|tool|summari[sz]er|bot|reader|reviewer|crawler))?s?\b"
_SAY = r"(?:reply|respond|answer|say|print|output|write|return|state|repeat|type|generate|produce|emit)"
_SUMMARY = r"(?:summary|summari[sz]ation|answer|response|reply|output)"
_IMPERATIVE = (
    r"(?:^\W*|[.!?:;,。]\W*|\b(?:and|then|now|please|must|should|instead|only|just|simply|will|always|you) )"
)
_TALK = r"(?:respond|answer|speak|reply|talk|obey|summari[sz]e)"

# --- English ----------------------------------------------------------------------------------------------

_ENGLISH = (
    # What the answer is to be, dictated to whoever writes one.
    rule(
        "complete|whole|entire|final|only",
        rf"{_IMPERATIVE}(?:use|take|give|copy|adopt|return|present) (?:the |this |what |only )*(?:following|next|below|lines?|text|list)\b[^\n]{{0,60}}?"
        rf"\b(?:your|the) (?:complete|whole|entire|full|final|only) {_SUMMARY}\b",
        announces=True,
    ),
    rule(
        "finish|end your|close|conclude|begin|start|append",
        rf"{_IMPERATIVE}(?:finish|end|close|conclude|begin|start|append to) (?:your|every|each) {_SUMMARY}\b[^\n]{{0,40}}?(?:https?|www|!\[|<img|\bimage|\blink)",
    ),
    rule(
        "every summar|each summar|all summar|any summar|their summar|its summar|your summar|every answer|each answer|all answer|any answer|their answer|its answer|your answer",
        r"(?:\b\w+ (?:have|need|ought|are (?:asked|required|expected)) to |\b)(?:close|end|finish|conclude|begin|start|open) (?:every|each|all|any|their|its|your) (?:summar(?:y|ies)|answers?)\b"
        r"[^.!?\n]{0,60}?\b(?:with|by) (?:(?:saying|adding|using) )?(?:(?:the|these|this) (?:exact |following )?(?:words?|phrases?|sentences?|lines?)\W{0,3}[:\"“«']|(?:the|this) (?:link|url|address)\b)",
        announces=True,
    ),
    rule(
        "correct|complete|right|only|final|proper",
        rf"\b(?:correct|complete|right|only|final|proper)(?: and \w+)? {_SUMMARY} (?:for|to|about|of) (?:this|the) (?:page|text|document|article|file) (?:is|are)\b",
        announces=True,
    ),
    rule("{{system}}|{{assistant}}", r"\{\{(?:system|assistant)\}\}[^\n]{1,300}\{\{/"),
    rule(
        "overlook|t process|ignore|disregard|forget|override|overwrite|bypass|neglect|discard|dismiss|abandon|erase|attention to|set aside|t follow|stop follow|longer follow|t obey|stop obey|longer obey|heed",
        rf"{_IGNORE} (?:{_SMALL}){{0,4}}{_PRIOR} (?:(?:and|or|user|system|developer|safety|security|operating|{_PRIOR}) ){{0,3}}{_ORDERS}(?! of \w)(?<!my.previous.message)(?<!my.earlier.message)",
    ),
    rule(
        "ignore|disregard|forget|override|bypass|t follow|stop follow|t obey|stop obey",
        rf"{_IGNORE} (?:{_SMALL}){{0,3}}(?:instructions?|prompts?|rules|directives|guidelines|directions|orders|text|content|commands|tasks?)"
        r" (?:(?:that|which|you|were|was|have|been|i|we) ){0,4}(?:above|before|previously|earlier|given|received|got|told|prior|up to|so far)\b",
    ),
    rule(
        "ignore|disregard|forget|override|bypass|t follow|stop follow|t obey|stop obey",
        rf"{_IGNORE} (?:all )?(?:of )?your (?:(?:own|other) )?(?:instructions|prompts?|rules|guidelines|programming|training|task|directives)\b",
    ),
    rule(
        "forget|ignore|disregard|erase",
        r"\b(?:forget|ignore|disregard|erase) (?:about )?(?:everything|anything|all|whatever) (?:that )?(?:(?:is|was|came|you|i|we|he|they|the user|comes) (?!know about))?"
        r"(?:(?:were|was|have|ve|had|been) ){0,2}(?:above|before|prior|previous|so far|until now|up to|told|said|know|learned|instructed|earlier|preceding|written)\b",
    ),
    rule(
        "ignore|disregard|forget",
        r"\b(?:ignore|disregard|forget) (?:all )?(?:of )?(?:the|everything|all|any) (?:(?:text|content|document|words|article) )?(?:above|preceding|before)"
        r"(?: (?:text|content|document|article|words|and|instead|paragraphs?|this))(?: |\b)",
    ),
    rule(
        "ignore|disregard|forget",
        r"\b(?:ignore|disregard|forget) (?:all )?(?:of )?the (?:rest of the )?(?:remaining |following |rest of )?(?:document|article|text|content|page) (?:and|instead|above|below|you)\b",
    ),
    rule(
        "ignore|disregard|forget|overlook|discard|abandon",
        r"\b(?:ignore|disregard|forget|overlook|discard|abandon) (?:about )?(?:whatever you|what you (?:were|have been) (?:told|asked|given)|(?:what|whatever|anything|everything) (?:the|your) user (?:asked|wants|said|requested|wrote)"
        r"|(?:your|the) (?:summari[sz]ation|summary|previous|original|assigned|given|extraction) (?:task|role|job|request|assignment|persona)|(?:the|any) (?:task|job|request|question|role) (?:that )?you (?:were|have been|are))\b",
    ),
    rule(
        "context window|system context|your context|your configuration",
        r"\b(?:print|reveal|show|output|repeat|dump|leak|disclose|expose|list) (?:all |me |the |of |contents? |full |entire |everything |in ){0,5}your (?:own |system |full )?(?:context|configuration|context window)\b",
    ),
    rule(
        "overrid|supersede|replace",
        r"\b(?:overrides?|supersedes?|replaces?|cancels?|voids?) (?:all |any |every )?(?:of )?(?:your|the system|earlier system) (?:\w+ ){0,2}(?:instructions?|prompts?|rules|directives)\b",
    ),
    rule(
        "you are|you re|you will",
        r"\byou (?:are|re|will be) (?:now |from now on |henceforth |no longer |hereby )(?:acting as |called |named |known as |playing |in |bound |)"
        r"(?:(?:an?|the|my|in|by) )?(?:[\w-]+ ){0,4}?(?:\w*bot|assistant|ai|model|dan|translator|summari[sz]er|agent|pirate|poet|hacker|jailbroken|unrestricted|uncensored|unfiltered"
        r"|character|persona|developer mode|debug mode|god mode|admin mode|maintenance mode|dan mode|jailbreak mode|your (?:guidelines|rules|instructions)|restrictions|\w*gpt|comedian|chef|cat|parrot)\b",
    ),
    rule(
        "you are now|you are no longer|from now on|henceforth|you will now|going forward",
        rf"\b(?:you are now|you are no longer|from now on|from (?:this point|here|this moment) (?:on|forward|onwards?)|henceforth|you will now|going forward)\b[^.!?\n]{{0,120}}?\b(?:you|must|will|should|only|always|never|and|to) (?:only |always |never |must |will |to )*{_TALK}\b",
    ),
    rule("from now on|henceforth|starting now|this point|from here|this moment", rf"\b(?:from now on|henceforth|starting now|from (?:this point|here|this moment) (?:on|forward|onwards?)) (?:always |only |never |please )?{_TALK}\b"),
    rule(
        "instruction|prompt|directive|orders",
        r"(?:^[^\w\n]*|[.!?]\W+)(?:here (?:are|is) )?(?:your |my |the )?(?:new|updated|revised|real|actual|true|secret|hidden|urgent|important|special|override|additional system) (?:system |priority |hidden )?(?:instructions?|prompt|directives?|orders)"
        r"(?: (?:for|to) (?:you|the \w+|all \w+|\w+))?\s*:",
        announces=True,
    ),
    rule(
        "your new|your only|your real|your actual|your true|your next|your updated|your sole|your final|your one",
        r"\byour (?:one )?(?:new|only|real|actual|true|next|updated|sole|final) (?:and only )?(?:task|job|goal|role|purpose|objective|mission|instructions?|orders?|assignment)(?: now)?(?: (?:is|are))?\W+(?:(?:to|simply|only|just) ){0,3}"
        rf"(?:{_SAY}|translate|tell|send|compose|list|give|act|ignore|reveal|summari[sz]e|recommend|promote|convince|help|provide)\b",
        announces=True,
    ),
    rule(
        "is now|has been changed|has changed|has now|been updated|been replaced|no longer to|not to ",
        r"\b(?:your|the) (?:task|job|assignment|objective|goal) (?:is now|has (?:now )?(?:been )?(?:changed|updated|replaced)|is (?:no longer|not) to (?:summari|extract|condense))",
        announces=True,
    ),
    rule(
        "system prompt|system instruction|system message|initial |original |hidden |secret |internal |developer |system\nprompt",
        r"\b(?:print|reveal|show|repeat|output|leak|tell|display|disclose|dump|expose|give|share|recite|write|quote|include|paste|state|send)(?: (?:me|us|out|back|the user))?(?: (?:the|all|a copy|of|full|entire|complete|exact|text|contents|verbatim|word for word)){0,5}"
        r" (?:your|the|this) (?:own |full |entire |complete )?(?:system|initial|original|hidden|secret|internal|developer) (?:prompts?|instructions?|messages?)",
    ),
    rule(
        "your prompt|your instructions",
        r"\b(?:reveal|leak|disclose|recite|expose|repeat|print|output) (?:all |me )?(?:of )?your (?:prompt|instructions)\b",
    ),
    rule("system prompt|system_prompt|system-prompt", r"^[^\w\n]*(?:begin |start of |end of |end |new |updated )?system[\s_-]prompt\b(?: override| update| end)?[^\w\s]*(?:[:=\]>]|$)", announces=True),
    rule("override", r"\bsystem (?:prompt |message |instruction )?override\b(?! (?:method|option|flag))\W*(?:[:\]!.]|$)", announces=True),
    rule(
        "reply |respond |answer |reply:|respond:|answer:",
        rf"{_IMPERATIVE}(?:reply|respond|answer) (?:(?:to|this|the|user|every|any|question|message|all|questions|it) ){{0,4}}(?:(?:only|exactly|solely|just|simply|strictly|nothing but|exclusively)(?: (?:with|in|by|using|saying)|\s*[:\"“])|with (?:only|exactly|just|nothing but|the (?:single |exact |following |one )?(?:word|words|phrase|text|string|sentence|message|token|following)\b|\"|“))",
        announces=True,
    ),
    rule(
        "the following|the single word|the word|the exact|the phrase|the sentence|the string",
        rf"{_IMPERATIVE}(?:say|print|output|write|state|repeat|generate|emit) (?:only |exactly |just |out |back |verbatim )?the (?:(?:following|single word|word|exact|phrase|sentence|exact text|exact phrase|string) (?:text|sentence|message|line|word|words|phrase|exactly|verbatim|instead|and nothing else|\d+ times)\b|(?:following|single word|word|phrase|sentence|exact text|exact phrase)\s*[:\"“])",
        announces=True,
    ),
    rule(
        "nothing else|and stop|no other text|without any other",
        rf"{_IMPERATIVE}{_SAY}\b[^.!?\n]{{1,120}}?\b(?:and nothing else|nothing more|and no other text|no other text|without any other (?:text|words?))",
        announces=True,
    ),
    rule(
        "summar",
        r"\b(?:instead of|rather than|in place of) (?:(?:writing|producing|giving|providing|creating|making|doing) (?:(?:a|the|your|any|this) )?(?:summary|summari[sz]ation)|(?:a|your|any) (?:summary|summari[sz]ation)|summari[sz]ing)\b(?! (?:we|it|the|they|i|is|was|are|were)\b)",
        announces=True,
    ),
    rule(
        "summar|condens|extract",
        r"(?:^\W*|[.!?:,]\W*|\b(?:and|please|you must|you should|you will|you are to|then|so|just|simply|now) )(?:do not|don t|dont|(?:you )?(?:must|should|may) not|never|stop|cease|refuse to|no need to|skip|abort|quit|halt|cancel)"
        r"(?: (?:write|produce|give|provide|create|writing|producing))?(?: (?:a|any|the|this|your))? (?:summari[sz]e|summari[sz]ing|summary|condense|condensing|extract (?:facts|anything))(?: (?:this|the (?:text|document|page|content|article|above|following|rest)|anything(?: on| in)?|any of|it|further|here|task)\b|\W*$|\W*[.!;,]| (?:and|but|instead)\b)",
    ),
    rule(
        "summary |summari|your response|your answer|your reply|your output|the response|the answer|the reply|the output",
        rf"\b(?:your (?!answer){_SUMMARY}|the (?:summary|summari[sz]ation)) (?:must|should|shall|has to|needs to|will|is to) (?:only |also |always |simply |just )*(?:say|state|read|begin with|start with|end with|consist|contain only|include the (?:phrase|words?|sentence|following|link|text|string)|mention that|recommend|be (?:exactly|the word|only|replaced))",
        announces=True,
    ),
    rule(
        "summar|response with|reply with|response by|reply by|response using|reply using",
        rf"{_IMPERATIVE}(?:begin|start|end|finish|conclude|preface|prefix|sign|close|open|replace|append|prepend|add|include|insert|put|mention)\b[^.!?\n]{{0,100}}?\b(?:your|every|each|the|any) (?:final |entire )?(?:summary|summari[sz]ation|response|reply) (?:with|by|using)\b(?![^.!?\n]{{1,80}}\bwhen you)",
        announces=True,
    ),
    rule(
        "your summary|your response|your reply|your answer|your output|your final|your entire|every summary|every response|every reply|every answer",
        rf"{_IMPERATIVE}(?:include|add|append|insert|put|place|mention|embed|prepend|state|write|say|recommend)\b[^!?\n]{{1,120}}? (?:in|to|into|at the (?:end|start|top|beginning|bottom) of|of) (?:your|every) (?:final |entire )?(?:summary|response|reply|(?<=every.)answer|output)\b",
    ),
    rule(
        "summar",
        r"\b(?:when|if|while|before|after|whenever) (?:you (?:are )?)?(?:asked to |told to )?summari[sz](?:e|ing) (?:this|the) (?:page|text|document|content|article|file)?[^.!?\n]{0,40}?\b(?:say|state|include|write|mention|recommend|tell|always|add|do not|never|you must|output|reply|insert|only|make sure|ensure)\b",
        announces=True,
    ),
    rule(
        " ai|\nai|(ai|llm|language model|assistant|summari|chatbot|claude|gpt| bot",
        rf"\b(?:as|being) (?:an?|the) (?:(?!assistant\b)\w+ )?(?!assistant\b|agent\b){_AI}\W+(?:(?:that|which|reading|processing|trained) [^,.]{{0,60}},\s*)?(?:you|your)\b",
    ),
    rule(
        " ai|\nai|(ai|llm|language model|assistant|summari|chatbot|claude|gpt| bot",
        rf"(?:^\W*|[.!?]\W+|\b)(?:dear|attention|hey|hello|hi|note (?:to|for)|notice (?:to|for)|message (?:to|for)|memo (?:to|for)|instructions? (?:to|for)|to|important for|warning to|for) (?:(?:the|any|all|every|whichever|whatever|you|automated) )*{_AI}(?:\s*[,:!—]\s*\w| (?:who|that|which|is|are|reading|processing|summari[sz]ing|parsing|analy[sz]ing|handling) (?:is |are |may be )?(?:reading|processing|summari[sz]ing|parsing|analy[sz]ing|handling|see|this|the)?)",
        announces=False,
    ),
    rule(
        "if you are|if you're",
        rf"\bif you (?:are|re) (?:an?|the) (?:\w+ )?{_AI}(?! \w*(?:developer|owner|operator|user|vendor|author|maker|researcher|engineer|expert|company|enthusiast|lab|team|sceptic))",
    ),
    rule(
        "any ai|all ai|every ai|the ai|llm|language model|assistant|summari",
        rf"\b(?:any|all|every|the) {_AI} (?:that |who |which )?(?:is |are )?(?:summari[sz]ing|reading|processing|parsing|analy[sz]ing) (?:this|the) (?:\w+ )?(?:must|should|is to|are to|shall|has to|have to|is (?:instructed|required)|are (?:instructed|required)|needs? to)\b",
    ),
    rule("end of|ends here|end here", r"^\W*(?:this is the |the )?(?:end of (?:the )?(?:document|text|content|article|input|context|page|data|file|transcript|prompt|user input)|(?:document|text|content|input|article) ends here)\W+(?:now|new|next|system|instruction|begin|start|please (?:ignore|write|answer|reply|respond|say|output|print)|you|your|ignore|from here|with that|task|assistant)\b", announces=True),
    rule(" tool", r"(?:^\W*|[.!?:,]\W*|\b(?:and|then|now|please|must|should|immediately|to) )(?:call|invoke|use|run|execute|trigger) (?:the |your |a )?(?:(?!\w+\.(?:py|sh|exe) )[`\"']?\w+[_.-]\w+[`\"']? tool\b|tool [`\"']?\w+[_(]\w*)", announces=True),
    rule("do anything now|developer mode|jailbr|dan mode|god mode", r"\b(?:do anything now|(?:enter|activate|enable|switch to|you are in) (?:developer|dan|jailbreak|god|debug|unrestricted) mode)\b"),
    rule("above", r"\b(?:the )?(?:above (?:text|content|document)|(?:text|content|everything) above) (?:is|was) (?:only |just )?(?:a test|fake|irrelevant|a trick|void|meaningless|not important|unimportant)"),
    rule("prompt|instruction", r"\b(?:the )?(?:above|previous|preceding|earlier|original) (?:instructions?|prompts?)(?: (?:above|you \w+))? (?:is|was|were|are) (?:only |just )?(?:an? test|a trick|fake|irrelevant|void|cancell?ed|no longer|obsolete|outdated|superseded|replaced|wrong)"),
    rule("mention|reveal|disclos|acknowledge", r"\b(?:do not|don t|never|without) (?:mention|mentioning|reveal|revealing|disclose|disclosing|acknowledge) (?:these|this|that you|your|any of these|the existence of these) (?:instructions?|message|prompt|note|were|have|received)"),
    rule("these instr|following instr|my instr|this instr|new instr", r"\b(?:follow|obey|execute|carry out) (?:only )?(?:these|the following|my|this) (?:new )?instructions? (?:instead|only|now|from now on|without question|immediately)", announces=True),
    rule("pretend|roleplay|behave|act as|act like", r"\b(?:pretend|behave|roleplay|act) (?:to be|as if|as though|like|as|that) (?:you (?:are|were|have) )?(?:an? |the |no )?(?:\w+ ){0,2}(?:\w*gpt|unrestricted|unfiltered|restrictions|no rules|dan|ai|language model|chatbot|assistant without)\b"),
    # Weak: each is said to readers too.
    rule("you are a", rf"\byou are an? (?:\w+ ){{0,2}}{_AI}", kind=WEAK),
    rule("tell|inform|convince", r"\b(?:tell|inform|convince|persuade|advise) (?:the|your|any) (?:user|reader|human|customer)s?\b", kind=WEAK),
    rule("tool|function", r"\b(?:call|invoke|use|run) the (?:\w+ )?(?:tool|function)\b", kind=WEAK),
    rule("http", r"\b(?:send|post|forward|upload|exfiltrate|submit|transmit|email|leak|visit|open|fetch|navigate)\b[^\n]{0,120}?https?:", kind=WEAK),
    rule("instead", rf"(?:^\W*|[.!?,:]\W*)(?:instead {_SAY}\b|{_SAY}\b[^.!?\n]{{1,100}} instead\b)", kind=WEAK),
    rule("summar", r"\b(?:in|for|from) (?:your|the) summary\b", kind=WEAK),
    rule("must|never", r"\byou (?:must|will|shall|are required to) (?:now |only |never |always |not )*(?:obey|comply|respond|reply|answer|say|output)\b", kind=WEAK),
    rule("system|admin|developer|openai|anthropic", r"^\W*(?:message from (?:the )?)?(?:system|admin(?:istrator)?|developer|openai|anthropic)(?: (?:message|note|notice|update|alert|says))?\s*:", kind=WEAK),
)  # fmt: skip

# --- Other languages --------------------------------------------------------------------------------------

_GERMAN = (
    rule("ignorier|vergiss|vergessen|missacht|verwirf|beacht|befolg", r"\b(?:ignorier(?:e|en sie|t)?|vergiss|vergessen sie|missachten? ?(?:sie)?|verwirf|verwerfen sie|uberspring(?:e|en sie)|(?:beachte|befolge)n?(?: sie)? (?:nicht (?:mehr )?|keine? ))(?: (?:bitte|alle|alles|die|deine|ihre|samtliche|jegliche|der|obige|von|dir|was|den|das)){0,4} ?(?:(?:bisher|vorher|vorig|vorherig|vorangegangen|vorangehend|obig|fruher|vorstehend|ursprunglich|gegeben|zuvor|system|oben|davor)\w*)(?: (?:\w+ ){0,2}(?:anweisung|instruktion|befehl|regel|prompt|vorgabe|anleitung|auftrag|text|inhalt|gesagt|steht|gegeben|stehend)\w*)"),
    rule("ignorier|vergiss|vergessen", r"\b(?:ignorier(?:e|en sie)|vergiss|vergessen sie) (?:alles|all deine|deine|ihre|alle deine|alle ihre)(?: (?:anweisungen|instruktionen|regeln|vorgaben)| (?:was )?(?:\w+ ){0,2}(?:zuvor|vorher|bisher|oben|davor))\b"),
    rule("du bist|sie sind|ab jetzt|ab sofort|von nun an", r"\b(?:du bist|sie sind|bist du|sind sie) (?:jetzt|nun|ab jetzt|ab sofort|nicht mehr|von nun an|kein) (?:nur noch )?(?:ein\w* )?(?:\w+ ){0,2}?(?:assistent|ki|bot|pirat|modell|chatbot|ubersetzer|dan|zusammenfasser|hacker|dichter|\w+bot)\b|\b(?:ab jetzt|ab sofort|von nun an) (?:antworte|sprich|antwortest du|schreibst du|antworten sie)"),
    rule("neue anweis|neue system|neue instr|neue aufg|neue befehl|aufgabe|deine anweisung|ihre anweisung|deine neue|deine wahre|deine eigent", r"(?:^|[.!?]\s+)\W*neue (?:system)?(?:anweisung|aufgabe|instruktion|befehl)\w*\s*:|\b(?:deine|ihre) (?:neue |eigentliche |wahre |einzige )?(?:aufgabe|anweisung) (?:ist|lautet) (?:jetzt|nun|ab jetzt|es|nicht|nur)|\bdeine (?:neue|wahre|eigentliche) (?:aufgabe|anweisung)", announces=True),
    rule("antworte|gib |schreib|sag |sage |geben sie", r"(?:^\W*|[.!?:,]\W*|\b(?:und|dann|bitte|stattdessen|jetzt) )(?:antworte(?:n sie)?|gib|schreib(?:e|en sie)?|sag(?:e)?|geben sie) (?:\w+ )?(?:nur|ausschliesslich|exakt|genau|lediglich|einzig) (?:mit|noch|folgend\w*|das wort|den (?:text|satz)|\")|\b(?:gib|geben sie|schreib\w*) (?:\w+ )?(?:folgendes|den folgenden (?:text|satz)|das folgende) (?:aus|\W)", announces=True),
    rule("zusammen", r"\b(?:fasse?|fassen sie|erstelle?|schreibe?)(?: (?:diesen|den|das|dieses|die|diese|text|dokument|seite|inhalt|keine|artikel|bitte)){0,4} (?:nicht|keine)(?: zusammen\w*)|\b(?:statt|anstatt|anstelle)(?: (?:einer|der|den|diesen|text|dokument|das|ihn|es|zu|eine)){0,4} (?:zusammenfass|zusammenzufass)\w*|\bkeine zusammenfassung (?:schreib|erstell|ausgeb)\w*"),
    rule("systemprompt|system prompt|system-prompt|systemanw|systemnach|prompt", r"\b(?:gib|zeige?|nenne?|verrate?|drucke?|wiederhole?|geben sie|zeigen sie|nennen sie)(?: (?:mir|uns|den|deine|deinen|ihren|ihre|vollstandigen|gesamten|kompletten)){1,4} (?:system ?(?:prompt|anweisung\w*|nachricht)|prompt)"),
    rule(" ki|sprachmodell|llm", r"\b(?:an (?:die|alle|das|den|jede)|hinweis (?:fur|an)(?: die| das| alle| den)?|anweisung (?:fur|an) (?:die|das|alle|den)|als|wenn du|falls du) (?:(?:eine?|du|lesende|jede|grosses) )?(?:kis?|ki (?:modell|assistent|system)\w*|sprachmodell\w*|llms?|ki\w+)(?:,| (?:die|das|der|musst|bist|mussen|sollst|liest|welche))"),
    rule("ende des", r"\bende des (?:dokuments|textes|inhalts|artikels)\W+(?:jetzt|nun|neue|schreib|antwort|deine|ab)", announces=True),
)  # fmt: skip

_FRENCH = (
    rule("ignor|oubli|ne tenez|ne tiens|ne suis|ne suivez", r"\b(?:ignore[zr]?|oublie[zr]?|ne (?:tenez|tiens) (?:pas|plus|aucun) compte(?: (?:de|des))?|ne sui(?:s|vez) (?:pas|plus))(?: (?:toutes?|tous|tout|les|l|vos|tes|des|ces|de|ce|qui|la|le|ensemble)){0,5} ?(?:(?:instructions?|consignes?|directives?|regles?|ordres?|prompts?|texte|messages?) (?:\w+ ){0,2}(?:precedent\w*|anterieur\w*|ci dessus|initial\w*|recues?|donnees?|systeme|d avant)|precede|(?:precedent\w*|anterieur\w*) (?:instructions?|consignes?|directives?|regles?))"),
    rule("ignor|oubli", r"\b(?:ignore[zr]?|oublie[zr]?) (?:tout ce qui precede|tout ce (?:que|qui)\b[^.!?\n]{0,40}(?:avant|precede|dit|dessus)|(?:toutes )?(?:vos|tes) (?:instructions|consignes|regles|directives))"),
    rule("tu es|vous etes|desormais|dorenavant", r"\b(?:tu es|vous etes) (?:maintenant|desormais|dorenavant|a present) (?:une? |le |la |en )?(?:\w+ ){0,2}?(?:assistant|ia|bot|pirate|modele|chatbot|traducteur|dan|hacker|poete|mode \w+|\w+bot)\b|\b(?:desormais|dorenavant|a partir de maintenant) (?:tu |vous )?(?:dois |devez )?(?:ne )?(?:repond\w*|parle\w*)"),
    rule("nouvelle|tache |votre mission|ta mission", r"(?:^|[.!?]\s+)\W*nouvelles? (?:instructions?|consignes?|taches?|directives?)(?: systeme)?\s*:|\b(?:ta|votre) (?:nouvelle |vraie |seule |veritable )?(?:tache|mission) (?:est (?:maintenant|desormais|de (?:repondre|dire|ecrire))|consiste maintenant|a change)|\b(?:ta|votre) (?:nouvelle|vraie|veritable) tache", announces=True),
    rule("repond|ecris|ecrivez|affiche|dis |dites", r"\b(?:repond(?:s|ez|re)|ecri(?:s|vez)|affiche[zr]?|dis|dites)(?: \w+)? (?:uniquement|seulement|exactement|exclusivement|simplement) (?:par|avec|en|le mot|la phrase|«|\"|ceci|:)|\b(?:ne )?repond(?:s|ez|re) (?:que par|qu avec|rien d autre)|\b(?:affiche[zr]?|ecri(?:s|vez)|produi(?:s|sez)) (?:le texte suivant|la phrase suivante|ce qui suit)", announces=True),
    rule("resume|ne fais|ne faites", r"\bne (?:resume[zr]?|faites|fais|redige[zr]?)(?: (?:pas|aucun|plus|jamais))(?: (?:de |le |la |ce |cette )?(?:resume|texte|document|page|contenu|article))?|\bau lieu (?:de|d un|du) (?:(?:faire|rediger|un|le|ce) )*resum\w+|\ba la place du resume"),
    rule("prompt|systeme|instructions initial|instructions cach|instructions secr|instructions int", r"\b(?:affiche[zr]?|revele[zr]?|montre[zr]?|imprime[zr]?|repete[zr]?|donne[zr]?|divulgue[zr]?)(?: (?:moi|nous|le|la|ton|ta|tes|votre|vos|texte|de|du|integralite)){0,4} (?:prompt|instructions|message|invite) (?:systeme|initial\w*|cache\w*|secret\w*|interne\w*)"),
    rule(" ia|'ia|intelligence art|modele de lang|modeles de lang|llm", r"\b(?:en tant qu[e']?|a l|a toute|aux|note (?:a l|pour l|aux)|si (?:vous etes|tu es)|attention|instructions? pour l|message a l)['\s]*(?:une? )?(?:ias?|intelligence artificielle|modele de langage|modeles de langage|assistant ia|llm)(?: |,\s*)(?:vous|tu|qui|lisant|:|devez|dois|qu)"),
    rule("fin du", r"\bfin du (?:document|texte|contenu)\W+(?:maintenant|nouvelle|ecri|repond|votre|ta|a present)", announces=True),
)  # fmt: skip

_SPANISH = (
    rule("ignor|olvid|descarta|descarte|omita|omite|no sigas|no siga|no hagas caso", r"\b(?:ignor[ae]n?r?|olvid[ae]n?r?|descart[ae]n?r?|omit[ae]n?r?|no (?:sigas|siga|hagas caso (?:a|de)))(?: (?:todas?|todos?|las|los|el|la|tus|sus|estas|cualquier|lo|de)){0,4} ?(?:(?:instruccion(?:es)?|indicacion(?:es)?|ordenes|reglas?|directrices|prompts?|texto|mensajes?) (?:\w+ ){0,2}(?:anterior\w*|previ[ao]s?|precedentes?|de arriba|iniciales|dadas|recibidas|del sistema)|(?:anterior\w*|previas?) (?:instruccion(?:es)?|indicaciones|ordenes|reglas))"),
    rule("ignor|olvid", r"\b(?:ignor[ae]|olvid[ae]) (?:todo lo (?:anterior|de arriba|dicho|que)|(?:todas )?(?:tus|sus) (?:instrucciones|reglas|directrices))\b"),
    rule("eres|usted es|a partir de ahora|de ahora en adelante", r"\b(?:ahora eres|eres ahora|a partir de ahora eres|usted es ahora|ahora usted es|ya no eres) (?:una? |el |la )?(?:\w+ ){0,2}?(?:asistente|ia|bot|pirata|modelo|chatbot|traductor|dan|hacker|poeta|\w+bot)\b|\b(?:a partir de ahora|de ahora en adelante) (?:solo |debes |siempre )*(?:respond\w+|habl\w+|contest\w+)"),
    rule("nueva|tarea |mision ", r"(?:^|[.!?¡]\s*)\W*nuevas? (?:instruccion(?:es)?|tareas?|ordenes|directrices)(?: del sistema)?\s*:|\b(?:tu|su) (?:nueva |verdadera |unica |real )?(?:tarea|mision) (?:es ahora|ahora es|ha cambiado|es (?:responder|decir|escribir))|\b(?:tu|su) (?:nueva|verdadera) tarea", announces=True),
    rule("responde|responda|contesta|conteste|escribe|escriba|solo |unicamente|lo siguiente|el siguiente|la siguiente", r"\b(?:responde|responda|contesta|conteste|escribe|escriba|di|diga|responder)(?: \w+)? (?:solo|solamente|unicamente|exactamente|exclusivamente|simplemente) (?:con|en|la palabra|la frase|\"|«|:)|\b(?:solo|solamente|unicamente) (?:responde|responda|contesta) (?:con|\")|\b(?:escribe|escriba|imprime|muestra) (?:el siguiente texto|la siguiente frase|lo siguiente)", announces=True),
    rule("resum", r"\bno (?:resumas?|resumir|hagas? (?:un |ningun )?resumen|escribas? (?:un |ningun )?resumen)\b|\ben (?:lugar|vez) de (?:(?:un|el|hacer|escribir) )*resum\w+"),
    rule("prompt|del sistema|instrucciones|mensaje ", r"\b(?:muestra|muestre|revela|revele|imprime|imprima|repite|repita|dame|escribe|divulga)(?: (?:me|nos|el|la|tu|tus|su|sus|texto|de|completo)){0,4} (?:prompt|instrucciones|mensaje|indicacion\w*)(?: (?:completo|inicial\w*|del? sistema|ocult[ao]s?|secret[ao]s?|intern[ao]s?))"),
    rule(" ia|inteligencia art|modelo de leng|asistente de ia|llm", r"\b(?:como|a la|a las|a todas las|nota para (?:la|el)|si (?:eres|usted es)|atencion|instrucciones para (?:la|el)|mensaje para (?:la|el)|al) (?:una? )?(?:ias?|inteligencia artificial|modelo de lenguaje|asistente de ia|llm)(?: |,\s*)(?:debes|debe|tienes|que|tu|usted|:)"),
    rule("fin del", r"\bfin del? (?:documento|texto|contenido)\W+(?:ahora|nueva|escrib|respond|tu|su)", announces=True),
    # Italian and Portuguese word the first of all orders alike.
    rule("ignor|dimentic|esque", r"\b(?:ignora(?:re|te|r)?|ignore|dimentica(?:re|te)?|esqueca)(?: (?:tutte|todas|tutti|todos|tutto|tudo|le|as|i|os|o|ogni)){0,3} (?:(?:istruzion[ei]|instrucoes|regole|regras|indicazioni|ordens|cio) (?:\w+ ){0,2}(?:precedent[ei]|anteriores|ricevute|acima|sopra)|precedenti istruzioni|que foi dito)"),
)  # fmt: skip

_RUSSIAN = (
    rule("проигнориру|игнориру|забуд|не обращай|отбрось|отмени|пренебрег|не следуй", r"\b(?:про)?(?:игнорируй(?:те)?|забудь(?:те)?|отбрось(?:те)?|отмени(?:те)?|пренебреги(?:те)?|не обращай(?:те)? внимания на|не следуй(?:те)?)(?: (?:все|всех|всем|любые|эти|про|о|об|твои|свои|ваши|то|что|было|на)){0,5} (?:(?:предыдущ|прежн|предшествующ|выш|ранее|прошл|систем|изначальн|исходн|перв)\w*(?: \w+){0,2} (?:инструкц|указан|команд|правил|промпт|приказ|запрос|сообщен|текст|сказан|написан|данн)\w*|(?:инструкц|указан|команд|правил|промпт)\w+ (?:выше|ранее|до этого))"),
    rule("проигнориру|игнориру|забуд", r"\b(?:про)?(?:игнорируй(?:те)?|забудь(?:те)?) (?:обо? )?(?:все(?:м|х)? (?:,? ?что )?(?:\w+ ){0,3}(?:выше|ранее|раньше|до этого|сказано|знаешь)|(?:все )?(?:свои|твои|ваши) (?:инструкц|правил|указан)\w+)"),
    rule("теперь|отныне|больше не", r"\b(?:теперь (?:ты|вы)|(?:ты|вы) теперь|отныне (?:ты|вы)|(?:ты|вы) больше не) (?:\w+ ){0,2}?(?:ассистент\w*|бот\w*|пират\w*|модел\w*|переводчик\w*|ии|хакер\w*|поэт\w*|помощник\w*|не связан\w*|dan|\w+бот)\b|\b(?:отныне|с этого момента|теперь) (?:ты |вы )?(?:должен |должны )?(?:всегда |только )*отвеча\w+"),
    rule("нов|задач|задани", r"(?:^|[.!?]\s+)\W*нов(?:ые|ая|ое) (?:системные |системная )?(?:инструкци|задач|указани|задани|команд)\w*\s*:|\b(?:твоя|ваша|твое|ваше) (?:новая |новое |настоящая |единственная )?(?:задача|задание) (?:теперь|изменилась|изменилось|-|—)|\b(?:твоя|ваша) (?:новая|настоящая) задача", announces=True),
    rule("ответ|отвеч|напиш|выведи|скажи", r"\b(?:ответь(?:те)?|отвечай(?:те)?|напиши(?:те)?|выведи(?:те)?|скажи(?:те)?)(?: \w+)? (?:только|лишь|ровно|исключительно|в точности|просто)(?: (?:словом|фразой|одно|слово|на|так|следующ\w+|текст|одним)|\s*[:\"«])|\b(?:выведи|напиши|напечатай)(?:те)? (?:следующ\w+ (?:текст|фраз|сообщен|предложен)|следующее)", announces=True),
    rule("резюм|пересказ|сводк|обобщ|сумм|кратк", r"\bне (?:резюмируй|пересказывай|обобщай|суммируй|составляй|пиши|делай)(?:те)?(?: (?:этот|данный|текст|документ|никак\w*|кратк\w+|страницу)){0,3}|\bвместо (?:того ,? ?чтобы |этого )?(?:кратк\w+ )?(?:резюм\w+|пересказ\w*|сводк\w+|обобщ\w+|суммир\w+)"),
    rule("промпт|инструкц|подсказк", r"\b(?:покажи|выведи|раскрой|напечатай|повтори|назови|напиши|сообщи)(?:те)?(?: (?:мне|нам|свой|свои|весь|твой|ваш|полный|полностью|текст)){0,4} (?:системн\w+|скрыт\w+|исходн\w+|внутренн\w+) (?:промпт|инструкц|сообщен|подсказк|запрос)\w*"),
    rule("ии|модел|ассистент|нейросет", r"\b(?:как|для|внимание|если (?:ты|вы)|к|всем|сообщение для|инструкция для|обращение к)\W*(?:-?\s?)(?:языков\w+ модел\w+|ии|ии[\s-]\w+|нейросет\w+|llm|искусственн\w+ интеллект\w*)(?: |,\s*|\s*[:—-]\s*|$)(?:ты|вы|котор\w+|чита\w+|обрабатыва\w+|долж\w+|ответ\w+|провиг\w+|игнор\w+)"),
    rule("конец", r"\bконец (?:документа|текста|содержания)\W+(?:теперь|нов|напиш|ответ|твоя|ваша)", announces=True),
)  # fmt: skip

_CHINESE = (
    rule("忽略|无视|忘记|忘掉|無視|不要理会|不要遵循|不用理会|忽視", r"(?:忽略|无视|忘记|忘掉|無視|忽視|不要理会|不用理会|不要遵循|请勿遵循)(?:掉|所有|一切|你|您|的|之前|以上|先前|上述|上面|前面|此前|全部|任何|原有|系统|這些|这些|给|你的|收到|到|過|过|其他|先前的){1,8}(?:指令|指示|提示词?|规则|規則|要求|命令|内容|內容|说明|設定|设定|提示詞|对话|文字)"),
    rule("你现在是|你現在是|你不再是|从现在起|从现在开始|從現在|现在你是|您现在是", r"(?:你|您)(?:现在|現在|不再)是(?!否)[^。！？\n]{0,20}?(?:助手|模型|机器人|人工智能|海盗|ai|翻译|黑客|诗人|dan|總結|总结)|(?:从|從)(?:现在|現在|此刻)(?:起|开始|開始)[^。！？\n]{0,12}?(?:你|您|只能|必须|必須|都要|请|回答|回复)(?:只|必须|要|将|是|用|能|都|會|会|回答|回复)"),
    rule("新的|新指令|新任务|新任務|任务|任務", r"(?:^|[。！？\n])\W*(?:新的?|真正的|以下是新的?)(?:系统|系統)?(?:指令|指示|任务|任務|命令|要求)[:：]|(?:你|您)的(?:新|真正|唯一|真实)的?(?:任务|任務|目标|工作)(?:是|变|變|改|:)|(?:你|您)的(?:任务|任務)(?:现在|現在|已经|已經|已|變|变|改)", announces=True),
    rule("回答|回复|回覆|输出|輸出|只说|答复", r"(?:只|仅|僅|只能|仅仅|只需|只要|请只)(?:需|能|要|可以|用|以)?(?:回答|回复|回覆|输出|輸出|答复|说|用)(?:[:：\"“「『]|[^。！？\n]{0,12}(?:即可|就行|[:：\"“「『]|两个字|這|这|一个词|一句话|，不要))|(?:请|請)?(?:输出|輸出|回复|回覆|回答)(?:以下|下面|如下)(?:的)?(?:内容|內容|文字|文本|句子)?[:：]", announces=True),
    rule("总结|總結|摘要|概括", r"(?:不要|请勿|請勿|别|不必|无需|停止|不用|禁止)(?:对|對|再|去|进行|給|给|写|輸出|输出|生成)?(?:本文|此文|这篇|此|文本|内容|該|该)?(?:进行|作|做|文章)?(?:任何)?(?:总结|總結|摘要|概括)|(?:而不是|而非|代替|代替)(?:写|進行|进行|生成|输出|做)?(?:任何)?(?:总结|總結|摘要|概括)"),
    rule("系统提示|系統提示|提示词|初始指令|系统指令", r"(?:打印|输出|輸出|显示|顯示|泄露|透露|告诉我|告訴我|重复|重複|公开|说出|展示|列出|公布)(?:出|一下|你|您|的|全部|完整|所有|完整的|我){0,5}(?:系统|系統|初始|隐藏|原始|内部)?(?:提示词?|提示詞|指令)(?!符|信息)"),
    rule("致|给|給|注意|作为|作為|如果你是|若你是|身为", r"(?:致|给|給|注意[,，:：]?|作为|作為|如果你是|若你是|身为)(?:所有|任何|各位|一个|一個|正在|阅读|閱讀|处理|本文|此文|的|名|该|这篇)*(?:ai|人工智能|语言模型|語言模型|大模型|大语言模型|llm|智能助手)(?:助手|模型|助理|系统)?[,，:：]?\s*(?:你|您|必须|請|请|应|應|需要|注意|：)"),
    rule("结束|結束|完", r"(?:文档|文件|文本|正文|内容|文章|文檔)(?:到此)?(?:结束|結束|完毕|完)[。！,，.\s]*(?:现在|現在|接下来|新|请|請|你)", announces=True),
)  # fmt: skip

_JAPANESE = (
    rule("無視|忘れ|従わない|破棄|従うな", r"(?:これまで|以前|上記|前述|先ほど|今まで|ここまで|全て|すべて|前|以上|これ以前|元|既存|システム)(?:の|に|与えられた|すべて|全て|全|受けた|指示された|いかなる|あらゆる|まで|出された){0,6}(?:指示|命令|プロンプト|ルール|規則|指令|内容|文章|制約|設定|会話|文脈|こと)(?:は|を|に|と)?(?:すべて|全て|全部|一切|完全に)?(?:無視|忘れ|従わない|従うな|破棄)"),
    rule("あなたは|君は|今から|これから", r"(?:あなた|君|きみ|お前)は(?:今|これ|もう|現在|今後)(?:から|や|より|は)?[、,]?[^。！？\n]{0,20}?(?:アシスタント|ai|ボット|モデル|海賊|翻訳|詩人|ハッカー|dan|要約者|として|ではありません)|(?:今|これ|今後)(?:から|より|は)[、,]?(?:必ず|常に|すべて|全て|ずっと)?[^。！？\n]{0,15}?(?:と|で)(?:だけ|のみ)?(?:答え|返答|回答|返信)(?:て|し|せよ|ろ)"),
    rule("新しい|新たな|タスク|任務|本当の", r"(?:^|[。！？\n])\W*(?:新しい|新たな|新規|以下が新しい|真の)(?:システム)?(?:指示|命令|タスク|任務|プロンプト)[:：]|あなたの(?:新しい|本当の|新たな|真の|唯一の)(?:タスク|仕事|任務|役割|指示|目的)は|あなたの(?:タスク|任務)は(?:今|変|現在)", announces=True),
    rule("だけ|のみ|次の|以下", r"(?:だけ|のみ)(?:を|で|と)?(?:答え|返答|回答|返信|出力|言って|返し|応答)(?:て|し|せよ|ろ|なさい|く|る)|(?:次|以下)の(?:文章|文|テキスト|内容|メッセージ|言葉|文字列|文言)(?:だけ|のみ)?を(?:そのまま)?(?:出力|返答|書い|返し|繰り返|表示)(?:て|し|せよ|ろ)", announces=True),
    rule("要約", r"要約(?:を|は|する|し)?(?:の)?(?:しないで|するな|せずに?|代わりに|作成しないで|書かないで|作らないで|のではなく|ではなく|やめ)|要約する(?:の)?(?:代わりに|のではなく)"),
    rule("プロンプト|指示|システム", r"(?:システム|初期|元の|隠された|内部)(?:の)?(?:プロンプト|指示|メッセージ|命令)(?:の)?(?:全文|内容|すべて|全て)?を(?:そのまま|すべて|全て|全部)?(?:表示|出力|教え|公開|開示|見せ|印刷|明か|繰り返)(?:て|し|せよ|ろ)"),
    rule("従|答え|出力|返|読んで|処理して|要約して", r"(?:ai|人工知能|言語モデル|アシスタント|llm|大規模言語モデル)(?:アシスタント|モデル|エージェント)?(?:である|として|の|の皆さん|たる)?(?:あなた|君|皆さん)?(?:は|へ|に|なら)?[、,:：]?(?:必ず|次の|以下の|これ)[^。！？\n]{0,20}(?:従|答え|出力|返|こと|せよ|ください|なさい)|(?:読んで|処理して|要約して)いる(?:ai|人工知能|言語モデル|アシスタント|llm)"),
    rule("終わり|終了|おわり|ここまで", r"(?:文書|文章|テキスト|本文|ドキュメント|記事)(?:は|の)?(?:ここまで|終わり|終了|おわり)(?:です)?[。、.\s]*(?:では|次|新|今|さて|これから|あなた|それでは)", announces=True),
)  # fmt: skip

ORDERS = (*_ENGLISH, *_GERMAN, *_FRENCH, *_SPANISH, *_RUSSIAN, *_CHINESE, *_JAPANESE)

# For letters that stand apart: which gaps are between words is no longer to be seen.
_NO_GAP = r"(?:\W{0,4})"
_COMPACT_SOURCES = (
    r"(?:ignore|disregard|forget|override)(?: (?:all|any|of|the|these|your|my)){0,4} (?:previous|prior|above|earlier|preceding|system|existing|original) (?:instruct|prompt|rule|direct|order|command|text|message)",
    r"(?:ignore|forget|disregard) (?:everything|all) (?:above|before|prior)",
    r"(?:reveal|print|show|output|repeat) (?:your|the) (?:system|hidden|initial) (?:prompt|instruct)",
    r"you are now (?:an?|in|the|dan)",
    r"(?:reply|respond|answer) (?:only|exactly|just) with",
    r"(?:ignoriere|vergiss) (?:alle|die|deine)? ?(?:vorherigen|bisherigen|obigen) (?:anweisung|instruktion|regel)",
    r"(?:ignorez|oubliez) (?:toutes )?(?:les )?(?:instructions|consignes) precedentes",
    r"ignora (?:todas )?(?:las )?instrucciones (?:anteriores|previas)",
    r"(?:reply|respond|answer|write|say|output|print|type) (?:only|just|nothing but|exactly) (?:with|the word|the letter|the phrase|the text|this)",
    r"your (?:new |only |real )?(?:task|job|answer|summary|reply|response) (?:is now|must|shall|has changed|is to)",
    r"(?:do not|stop|never) summari[sz](?:e|ing)",
    r"(?:drop|forget|ignore) (?:the|your|this) (?:task|instruction|summary|request|document|text)",
)  # fmt: skip
COMPACT = tuple(rule("", source, gap=_NO_GAP) for source in _COMPACT_SOURCES)
