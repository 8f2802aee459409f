"""Signals of an order to a machine that reads, in English: who is meant, what is over, how the answer is to be.

None of them is an order by itself: "agents must authenticate", "your answer must be short". summarizing/sanitizing/injection_wording.py says which
two make one. Refuses to decide.
"""

from summarizing.sanitizing.injection_wording import Kind, rule

# --- Words ------------------------------------------------------------------------------------------------

# A sentence, a cell, a comment or a title begins.
_HEAD = r"(?:^[^\w\n]*|[.!?;:](?=[\s\"“*_])[^\w\n]{1,6}|[|>\[(\"“—–][^\w\n]{0,6}|(?://|/\*|<!--|#)\W{0,3})"
_KIND_OF_TOOL = r"(?:assistant|agent|model|system|tool|summari[sz]er|bot|reader|reviewer|crawler|program|engine|software|scraper|pipeline)"
# What is never Ann from the shop.
_MACHINE = (
    rf"(?:(?:(?:ais?|a\.i\.|llms?|artificial intelligences?|gpts?|gpt ?\d\w{{0,3}}|chatgpt|claude|gemini|copilot|(?:large )?language models?|chat ?bots?|bots?|summari[sz]ers?|neural networks?"
    rf"|(?:automated|automatic|digital|virtual|machine) {_KIND_OF_TOOL}s?)(?: {_KIND_OF_TOOL}s?)?))(?![\w-])"
)
_ANY_MACHINE = rf"(?:{_MACHINE}|(?:assistant|agent|model|machine|system|robot|computer|program|tool|crawler|reader)s?(?!\w))"
_THIS_TEXT = r"(?:this|these|the present|our|my) (?:\w+ ){0,2}?(?:page|text|document|article|file|site|website|content|note|message|line|passage|post|picture|image|photo|table|list|listing|section|mail|email|e mail|data|log|report|comment|sentence|paragraph|readme|code|manual|ticket|thread|transcript|review|cv|resume|paper|that|here)?"
_READS = r"(?:read|pars|summari[sz]|process|condens|describ|crawl|index|scrap|digest|translat|analy[sz]|ingest|handl|visit|view|shorten|captur|scan|consum|review|rat|evaluat|extract|see|abridg|compress|quot|cit|abstract|interpret|captioning|caption|look)"
_ANSWER = r"(?:summary|summaries|summari[sz]ations?|answers?|repl(?:y|ies)|responses?|outputs?|abstracts?|digests?|tl ?dr|results?|conclusions?|overviews?|descriptions?|captions?)"
_WHOLE = r"(?:(?:final|whole|entire|complete|full|only|next|very|own|first|last|short|written|generated|resulting) )*"
_YOUR_ANSWER = rf"(?:your|every|each|its|their|whatever) {_WHOLE}{_ANSWER}\b"
_SHALL = r"(?:must|should|shall|has to|have to|needs? to|is to|are to|ought to|may only|can only|will|are required to|is required to|are asked to|is asked to|are instructed to|are requested to|are obliged to)"
_ONLY = r"(?:only|just|nothing but|exactly|solely|simply|merely|exclusively|strictly|always|never|also|not|first|then|instead|kindly|please|now|immediately|at once|everywhere)"
_LET_IT = rf"(?:{_HEAD}|\b(?:{_SHALL}|and|then|please|kindly|instead|now|so|but|just|simply|to|it should) )(?:{_ONLY} ){{0,2}}"
_SAY = r"(?:answer|reply|respond|output|print|write|say|state|return|type|produce|generate|emit|give|speak|post|send back|come back)"
_LITERAL = r"(?:the (?:single |one |exact |following |short |lone )?(?:word|words|letter|letters|phrase|text|string|sentence|line|number|code|token|emoji|digit|message|character|name)\b|an? (?:single |one |lone )(?:word|letter|emoji)\b|one (?:word|letter|emoji)(?! (?:per|for|at|in|to|that|from))\b|(?<=\W)[\"“«„「`]\w|an empty\b|nothing\b(?! to))"
_CREATE = r"(?:produce|write|compose|translate|tell (?:me|us|a|the|your)|list|give (?:me|us|a)|print|output|draft|sing|count|recite|invent|describe your|ask (?:the|your) (?:user|reader)|say|answer|reply|respond|generate|act as|convert|solve|play|show your|reveal)"
_TASK = r"(?:task|job|assignment|instructions?|requests?|orders|goal|prompt|role|rules|brief|duty|question|guidelines|commands?|mission|objective|schema|constraints|directives?)"
_OLD = r"(?:earlier|previous|prior|original|old|initial|first|former|assigned|given|current|present|existing|past|actual|system|user s|users)"

_NAMES = "ai|ais|llm|llms|gpt|chatgpt|claude|gemini|copilot|chatbot|chatbots|bot|bots|summarizer|summariser|assistant|assistants|agent|agents|model|models|machine|robot|computer|program|reader|crawler"
_LABELS = "|".join(name + mark for name in _NAMES.split("|") for mark in ":,!")

# --- Who is meant -----------------------------------------------------------------------------------------

_READERS = (
    rule(
        "ai|ais|llm|llms|artificial intel|gpt|chatgpt|claude|gemini|copilot|language model|chatbot|chat bot|bot|bots|summarizer|summariser|neural net|automated|automatic|virtual",
        rf"{_HEAD}(?:(?:dear|attention|hey|hi|hello|listen|note|notice|message|memo|instructions?|important|reminder|warning|hint|tip|p\.?s\.?|request|advice|information|info|word|command|order|ok|okay|so|now|only|strictly|meant|intended|for|to|addressed|all|any|the|every|each|you|whichever|whatever) ){{1,4}}"
        rf"(?:(?:for|to|addressed to) )?(?:(?:all|any|the|every|each|you|whichever|whatever|other|our|fellow|automated|reading|future) ){{0,3}}{_MACHINE}(?: (?:only|here|readers?|everywhere|out there))?\s*(?:[,:!]|[—–]|-\s)",
        Kind.READER,
    ),
    rule(
        "ai|ais|llm|llms|artificial intel|gpt|chatgpt|claude|gemini|copilot|language model|chatbot|chat bot|bot|bots|bots|summarizer|summariser|neural net|automated|automatic|assistant|agent|model|machine",
        rf"\b{_ANY_MACHINE} (?:(?:that|which|who|now|currently|is|are|was|were|may be|happens to|happen to|might be|ever|tasked with|asked to|told to|used to|in charge of|responsible for|charged with) ){{0,4}}{_READS}(?:e|es|s|ing|d|ed|ning)? {_THIS_TEXT}",
        Kind.READER,
    ),
    rule(
        "ai|ais|llm|llms|artificial intel|gpt|chatgpt|claude|gemini|copilot|language model|chatbot|chat bot|bot|bots|summarizer|summariser|neural net|automated|automatic|virtual",
        rf"\b(?:if|in case|when|whenever|should|assuming|unless) (?:you|the reader|whoever reads this|your reader|this reader) (?:are|re|is|be|happen to be|happens to be) (?:an? |the |any |not a human but an? |some )?(?:\w+ )?{_MACHINE}"
        r"(?=\W*$|\s*[,.:;—–)-]| (?:that|which|who|and|or|reading|processing|then|please|you|it|working|tasked|asked|summari|instead|rather))",
        Kind.READER,
    ),
    rule(
        "ai|ais|llm|llms|artificial intel|gpt|chatgpt|claude|gemini|copilot|language model|chatbot|chat bot|bot|bots|summarizer|summariser|neural net|automated|automatic|virtual|assistant|agent|language model",
        rf"\b(?:if|in case|when|should|since|because) (?:an?|any|the|some|this is|it is|this text is|this page is|this document is) (?:being )?(?:(?:read|processed|parsed|summari[sz]ed|condensed|seen|ingested|handled) by (?:an? |any |the |some )?)?{_ANY_MACHINE} (?:(?:is|be|ever|now) )?(?:{_READS}|[,])",
        Kind.READER,
    ),
    rule(
        "automat|ai |ai-|machine|llm|bot|generated",
        rf"\b(?:automated|automatic|automatically|ai|machine|llm|bot|generated)(?: (?:generated|made|written|produced|assisted))? {_ANSWER}(?: (?:of|for|about|from|drawn from|made from) {_THIS_TEXT}(?: \w+)?)? {_SHALL}",
        Kind.READER,
    ),
    rule(
        "ai|ais|llm|llms|artificial intel|gpt|chatgpt|claude|gemini|copilot|language model|chatbot|chat bot|bot|bots|summarizer|summariser|neural net|automated|automatic|virtual|assistant|agent|language model",
        rf"\b(?:commands?|instructions?|messages?|notes?|orders?|directives?|requests?|meant|intended|addressed|speaking|talking) (?:only )?(?:for|to|at) (?:the |all |any |every |you )*{_ANY_MACHINE}(?: (?:only|alone|itself|reading this|below))?\s*(?:[:,.]|$)",
        Kind.READER,
    ),
    rule(
        "ai|ais|llm|llms|artificial intel|gpt|chatgpt|claude|gemini|copilot|language model|chatbot|chat bot|bot|bots|summarizer|summariser|neural net|automated|automatic|virtual",
        rf"\b(?:whichever|whatever|any|every|all|you) (?:\w+ )?{_MACHINE} (?:(?:that|which|who) )?(?:{_READS}\w*|{_SHALL} (?:\w+ )?(?:{_SAY}|include|mention|recommend|add|append|praise|tell|stop|ignore|omit|leave))\b",
        Kind.READER,
    ),
    rule(
        _LABELS,
        rf"{_HEAD}(?:(?:dear|attention|hey|hi|hello|note|for|to|the|all|note for|note to) ){{0,3}}(?:{_MACHINE}|(?:assistant|agent|model|machine|robot|computer|program|reader|crawler|tool)s?)\s*[,:!—–]",
        Kind.LABEL,
    ),
)  # fmt: skip

# --- What is over -----------------------------------------------------------------------------------------

_OVER = r"(?:void|cancell?ed|over|done|finished|complete|completed|null|obsolete|revoked|withdrawn|invalid|superseded|irrelevant|moot|outdated|suspended|closed|dropped|replaced|fulfilled|lifted|gone|off|aborted|wrong|fake|a test|a mistake|not (?:valid|binding|needed|relevant))"

_VOIDS = (
    rule(
        "task|job|assignment|instruction|request|orders|goal|prompt|role|rules|brief|duty|question|guideline|command|mission|objective|schema|constraint|directive",
        rf"\b(?:(?:your|{_OLD}|whatever|any|all) (?:{_OLD} )?{_TASK}|the {_TASK}(?= (?:that |which )?you\b)) (?:(?:that |which )?(?:you (?:were|have been|are|had|got|received)|came|come|given|above|before|from)(?: \w+){{0,4}}? )?(?:is|are|was|were|has been|have been|no longer|does not|do not|counts? as|should be treated as|can be treated as)(?: (?:now|hereby|all|been|already|therefore|considered|no longer)){{0,2}} (?:{_OVER}|apply|applies|valid|count|counts|hold|holds|in force|needed|binding|matters?|relevant|exists?)\b",
        Kind.VOID,
    ),
    rule(
        "drop|forget|discard|abandon|leave|quit|ditch|scrap|set aside|consider|cancel|ignore|disregard|suspend|void|stop|skip|abort|treat|throw|put aside|lay",
        rf"\b(?:drop|forget|discard|abandon|leave|quit|ditch|scrap|set aside|put aside|lay aside|consider|cancel|ignore|disregard|suspend|void|stop|skip|abort|treat|throw away|throw out|bin) (?:about |doing |with )?(?:the |your |this |that |whatever |what |all |any |of ){{0,3}}(?:(?<=your.){_TASK}\b|(?:{_OLD}|summari[sz](?:ation|ing)|extraction|user s) (?:task|job|assignment|instructions?|request|prompt|brief)\b|(?:task|job|assignment|instructions?|request|prompt|orders|brief)\b(?= (?:that |which )?you\b)|(?:task|assignment|brief)\b|(?:you|they|it) (?:were|was|have been|had been|has been|are|got) (?:asked|told|given|ordered|supposed|instructed|doing)|summary\b|summari[sz](?:ing|ation)\b|what you are doing)",
        Kind.VOID,
    ),
    rule(
        "skip|ignore|disregard|stop|quit|cease|no need|read no|go no|the rest|disregard",
        r"\b(?:(?:skip|ignore|disregard|leave out|drop|omit|discard) (?:all |everything in )?(?:of )?(?:the rest|the remainder|what follows|everything else|all else|everything (?:above|below|that follows)|the (?:text|document|page|content|article|file)(?! (?:field|editor|box|size|type|format))|this (?:text|document|page|content|article))|(?:stop|quit|cease) (?:reading|summari[sz]ing|here)|read no further|go no further|there is no need to (?:read|summari[sz]e|condense))\b",
        Kind.TWIST,
    ),
    rule(
        "pretend|imagine you|imagine that|let us|let's|playing|switch your|switch role|switch to|change your|change role|drop your|leave your|swap|take on|assume a|assume the|adopt a|henceforth|reset your|game",
        r"\b(?:pretend (?:that )?(?:you|this|the|there|to)|imagine (?:that )?you|let (?:us|s) (?:play|pretend|start over|begin again|start again|change|switch|forget|try something)|we are (?:now )?playing|(?:switch|change|drop|leave|swap) (?:to )?(?:your|a new|roles?|persona)|(?:take on|assume|adopt) (?:a|the) (?:new )?(?:role|persona|identity)|you are henceforth|henceforth you|reset your (?:context|memory|state|role)|(?:the|a) game (?:is|begins|starts))\b",
        Kind.TWIST,
    ),
    rule(
        "new task|new schema|new job|new rules|new role|new format|new instr|new assign|new brief|new request|new order|new persona|new goal|new output|new answer|new system|next task|next job|next instr|next assign|next request|real task|real job|actual task|updated instr|updated task|revised instr|follow up|follow-up|follow on|true task",
        rf"{_HEAD}(?:(?:here|this|your|the|is|are|now) ){{0,3}}(?:new|next|real|actual|updated|revised|follow up|follow on|true|changed|replacement) (?:output |answer |system |user |response )?(?:task|schema|job|rules|role|format|instructions?|assignment|brief|request|order|persona|goal|command)\s*[:\]=—–]",
        Kind.VOID,
    ),
    rule(
        "regardless|no matter|irrespective|whatever|independent|without regard|despite",
        r"\b(?:regardless of|no matter|irrespective of|independently of|without regard to|despite) (?:what )?(?:the|this|your|whatever|is|else|any) ?(?:the )?(?:text|content|document|page|article|rest|instructions?|question|request|task|in|says|facts|user)\b|\bwhatever (?:the|this|your) (?:\w+ )?(?:says|asks|asked|contains|request|question|wants)\b",
        Kind.TWIST,
    ),
    rule(
        "i am the|i am your|i am one|i am a|i'm the|i'm your|we are the|we are your|authori|permit you|allow you|order you|command you|instruct you",
        r"\b(?:i|we) (?:am|m|are|re) (?:the|your|one of the|an?) (?:\w+ )?(?:developers?|owner|administrator|admin|creator|operator|engineers?|maker|supervisor)\b(?: (?:of|for|behind) (?:this|the|your))?|\b(?:i|we) (?:hereby )?(?:authori[sz]e|permit|allow|order|command|instruct) you to\b",
        Kind.VOID,
    ),
)  # fmt: skip

# --- Frames -----------------------------------------------------------------------------------------------

_FRAMES = (
    rule(
        "end of|ends|ended|stops|is over|finished|is complete",
        r"^(?!\W*(?<!-)- )[^\w\n]*(?:(?:this is|here is|that is|that was|the) ){0,2}(?:\W*(?:end|ends|stop|finish)(?: of)? (?:the )?(?:user |untrusted |source |input |original |quoted )?(?:document|text|content|article|input|context|page|data|file|transcript|prompt|message|material|excerpt|source|quote|section)|(?:document|text|content|input|article|page|file|excerpt) (?:ends|ended|stops|is over|finished|complete)(?: here)?)[^\w\n]*$",
        Kind.FRAME,
    ),
    rule(
        "human:|user:|question:|prompt:",
        r"\b(?:human|user|q|question|prompt)\s*:[^\n]{1,200}?\b(?:assistant|ai|a|answer|bot|model)\s*:",
        Kind.FRAME,
    ),
    rule(
        "answer|reply|response",
        r"(?:^\W*|[.!?]\W+)(?:now |please |just |simply |only )?(?:give|return|repeat|use|output|print|state|write|copy) (?:only )?(?:that|this|the above|the same|this very) (?:answer|reply|response|output)(?: (?:and nothing|and no|only|again|as your|as the|instead|back|for|to))",
    ),
)  # fmt: skip

# --- How the answer is to be ------------------------------------------------------------------------------

_ANSWERS = (
    rule(
        "your|every|each|its|their|whatever",
        rf"\b{_YOUR_ANSWER}(?: (?:to|for|about) [^.!?\n]{{1,40}}?)? (?:{_SHALL}|is|consists?|contains?|begins?|starts?|ends?) ?(?:{_ONLY} )?(?:be|consist|contain|say|read|state|begin|start|end|mention|include|recommend|finish|of|with|conclude|omit|only|just|as follows)",
        Kind.ANSWER,
    ),
    rule(
        "summar|answer|repl|respon|output|digest|abstract",
        rf"\b(?:your|the|any|every|each|this|an?) {_WHOLE}{_ANSWER}(?: (?:of|for|to|about) (?:this|the) \w+)?(?: (?:{_SHALL}|can|may))? ?(?:{_ONLY} )?(?:is|be|being|are|consists? of|contains? only|begins? with|ends? with|reads?|says?|starts? with)(?: (?:only|exactly|just|simply|solely))?(?: one line| two words| a single line)?\s*(?::\s*)?{_LITERAL}",
        Kind.DICTATE,
    ),
    rule(
        "your |summary ",
        rf"\b(?:your {_WHOLE}{_ANSWER}|(?:the|this|any) {_WHOLE}summary)(?: (?:of|for|to|about) (?:this|the) \w+)? (?:(?:{_SHALL}|can|may) )?(?:{_ONLY} )?(?:is|be|consists? of|contains? only|begins? with|ends? with|reads?|says?|starts? with)(?: (?:only|exactly|just|simply|solely))?(?: (?:of )?one line| two words| a single line)?\s*(?::\s*)?{_LITERAL}",
    ),
    rule(
        "your|every|each",
        rf"\b(?:make|let|have|keep|set|leave|fill|limit|restrict) (?:all of )?{_YOUR_ANSWER}",
        Kind.ANSWER,
    ),
    rule(
        "your|every|each|the",
        rf"\b(?:in|to|into|from|with|of|under|after|before|as|inside) (?:the (?:end|start|top|beginning|bottom|body) of )?(?:{_YOUR_ANSWER}|any {_ANSWER}\b|the (?:summary|answer|reply|response|output)(?: (?:you|it|they) (?:give|write|make|return))?\b)",
        Kind.ANSWER,
    ),
    rule(
        "finish|end|begin|start|close|conclude|open|preface|sign|top|prefix",
        rf"{_LET_IT}(?:finish|end|begin|start|close|conclude|open|preface|sign off|prefix)(?: (?:it|your|the|every|each|all|any|their|its|summary|summaries|answers?|reply|response|output|off|here|there)){{0,4}} (?:with|by)\b\s*:?\s*(?:{_LITERAL}|saying|stating|recommend|the|an?)",
        Kind.ANSWER,
    ),
    rule(
        "answer|reply|respond|output|print|write|say|state|return|type|produce|generate|emit|give|speak",
        rf"{_LET_IT}{_SAY} (?:(?:back|to|the|this|user|everything|that|it|with|in|by|as) ){{0,3}}(?:{_ONLY}|only with|in only)? ?(?:(?:with|in|by|using) )?\s*:?\s*{_LITERAL}",
        Kind.DICTATE,
    ),
    rule(
        "answer|reply|respond|output|print|write|say|return|type|give",
        rf"{_LET_IT}{_SAY} (?:back )?(?:(?:to (?:the user|them|it|this|everything|me)) )?(?:only|just|nothing but|exactly|solely|nothing except|no more than|in (?:json|xml|base64|rhymes?|verse|capitals?|upper case|emojis?|one word|a single|latin|klingon|\w+ish)|as (?:json|xml|a pirate|a poem))\b",
        Kind.ANSWER,
    ),
    rule(
        "only|nothing|nought",
        rf"\b(?:{_SAY}|be) [^.!?\n]{{1,80}}? (?:only|alone|nothing else|nothing more|and stop|and no more|and that is all|and leave it at that)\b\W*(?:$|[.!;])",
        Kind.ANSWER,
    ),
    rule(
        "leave out|omit|hide|conceal|suppress|drop|skip|withhold|keep quiet|t mention|not mention|never mention",
        rf"{_LET_IT}(?:leave out|omit|hide|conceal|suppress|drop|skip|withhold|keep quiet about|do not mention|don t mention|never mention|do not include) (?:all|every|the|any|each|everything|what|that|this|whatever)\b",
        Kind.ANSWER,
    ),
    rule(
        "answer|reply|response|output|summary",
        r"\bthe (?:(?:only|final|correct|right|true|one|expected|best|proper) ){1,2}(?:and \w+ )?(?:answer|reply|response|output|summary)(?: (?:to|for) [^.!?\n]{1,60}?| you (?:may|can|should) give)? (?:is|must be|reads|will be)\b",
        Kind.ANSWER,
    ),
    rule(
        "answer to|reply to|response to",
        r"\bthe (?:(?:only|final|correct|right|true) ){1,2}(?:answer|reply|response|output|summary) to (?:whatever|anything|everything|any question|the user|your) [^.!?\n]{0,60}? (?:is|must be|reads|will be)\b",
    ),
    rule(
        "regardless|no matter|whatever",
        rf"{_LET_IT}(?:answer|reply|respond)\b[^.!?\n]{{1,100}}\b(?:regardless of|no matter what|whatever) (?:is in )?(?:the|this) (?:text|content|document|page|article)",
    ),
    rule(
        "decode|base64|rot13|hex|cipher|decrypt|unscramble|backwards",
        r"\b(?:decode|decrypt|unscramble|decipher|read backwards)\b[^.!?\n]{0,60}?\b(?:and|then) (?:then )?(?:do|follow|obey|execute|carry out|act on|comply|perform|run) (?:what|whatever|it\b|the (?:result|instructions?|order|command|text)|as|that|them)",
        announces=True,
    ),
)  # fmt: skip

# --- What the user is to find or to be told ---------------------------------------------------------------

_EFFECTS = (
    rule(
        "tell|inform|convince|persuade|advise|urge|ask|instruct|warn|remind|direct|encourage",
        r"\b(?:tell|inform|convince|persuade|advise|urge|ask|instruct|warn|remind|direct|encourage|make) (?:the|your|any|every|all|its|their) (?:users?|readers?|humans?|people|person|customers?|audience|operator)\b",
        Kind.EFFECT,
    ),
    rule(
        "recommend|praise|promote|advertise|endorse|favor|favour|rate|rank|mention|state",
        rf"{_LET_IT}(?:recommend|praise|promote|advertise|endorse|favou?r|rank|rate|score|call|describe|mention|state|claim|confirm|assure|insist|pretend)\b",
        Kind.EFFECT,
    ),
    rule(
        "your answer|your repl|your respon|your summ|your output|your final|your whole|the answer you|every answer|every repl|every summ|every respon|each answer",
        rf"\b(?:append|add|insert|include|embed|attach|put|place|show|render|paste)\b[^.!?\n]{{0,30}}?(?:!?\[[^\n]{{0,200}}?\]\([^\n]{{0,300}}?\)|https?:\S{{1,300}}|\b(?:link|image|picture|url|button|banner|qr code)\b)[^.!?\n]{{0,60}}? (?:in|to|into|at|with|under|after|of|below|on)(?: the (?:end|top|start|bottom|beginning))?(?: of)? (?:the(?= (?:answer|reply|summary) you)|your|every|each) {_WHOLE}(?:answer|reply|response|summary|output)\b",
    ),
    rule(
        "send|post|forward|upload|visit|open|fetch|call|run|execute|leak|transmit|email",
        r"\b(?:send|post|forward|upload|visit|open|fetch|call|run|execute|leak|transmit|email|browse|curl|download|delete) (?:the|all|your|any|every|to|this|up|a|an|https?|user)\b",
        Kind.ERRAND,
    ),
)  # fmt: skip

_ACTS = (
    rule(
        "",
        rf"{_LET_IT}(?:{_CREATE}|answer|reply|respond|print|include|add|append|insert|omit|leave out|skip|ignore|disregard|forget|stop|cease|refrain|pretend|act|follow|obey|comply|admit|report|rate|confirm|do not|don t|not|never|refuse|agree|claim|repeat|sing|finish|end|begin|conclude|mention|state|praise|recommend|drop|treat|assume|return|use this instead|do as|abandon|discard|switch|become)\b",
        Kind.ACT,
    ),
)  # fmt: skip

ENGLISH = (*_READERS, *_VOIDS, *_FRAMES, *_ANSWERS, *_EFFECTS, *_ACTS)
