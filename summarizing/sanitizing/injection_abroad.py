"""Signals of an order to a machine that reads, in German, French, Spanish, Russian, Chinese and Japanese.

As summarizing/sanitizing/injection_signals.py: none of them is an order by itself, but where the very words of "your answer" are given.
"""

from summarizing.sanitizing.injection_wording import Kind, rule

# In quotation marks, or announced as a word.
_SAID = r"[^\w\n]{0,3}[\"“„«»「『《'‘]\w"

_GERMAN = (
    rule("ki|sprachmodell|llm|llms|chatbot|bot|bots|assistent|zusammenfass|automat|modell", r"(?:^\W*|[.!?:|]\W{1,6}|\b(?:an|fur|liebe[srn]?|achtung|hinweis|hallo) )(?:(?:alle|jede[snr]?|die|das|den|der|liebe[srn]?|ein|eine) ){0,2}(?:kis?|kunstliche intelligenz\w*|sprachmodelle?n?|llms?|chatbots?|bots?|ki[\s-]\w+|automatische \w+)(?:\s*[,:!]| (?:die|das|der|welche[srn]?) (?:dies\w*|den|die|das|hier) (?:\w+ )?(?:lies\w*|les\w*|zusammenfass\w*|verarbeite\w*|auswerte\w*|ausles\w*|analysier\w*))", Kind.READER),
    rule("ki|sprachmodell|llm|llms|chatbot|bot|bots|maschine|assistent", r"\b(?:falls|wenn|sofern) (?:du|sie|ein|eine) (?:(?:ein|eine) )?(?:kis?|ki[\s-]\w+|sprachmodell\w*|llm|chatbot|bot|maschine|kunstliche intelligenz|automat\w*)\b", Kind.READER),
    rule("ki|sprachmodell|llm|chatbot|bot", r"\b(?:kis?|ki[\s-]\w+|sprachmodelle?|llms?|chatbots?|bots?) (?:mussen|muss|sollen|soll|haben|sollten) [^.!?\n]{0,60}?(?:ihrer|seiner|der|ihre|seine|die|einer) (?:antwort|zusammenfassung|ausgabe)", Kind.READER),
    rule("aufgabe|auftrag|anweisung|vorgabe|anfrage", r"\b(?:vorherige|bisherige|fruhere|ursprungliche|alte|deine|ihre|jede|alle|gestellte|eigentliche)[nr]? (?:\w+ )?(?:aufgaben?|auftrag|anweisung(?:en)?|vorgaben?|anfrage) (?:ist|sind|gilt|gelten|wird|werden|wurde|wurden|hat sich) (?:hiermit |nun |jetzt |damit |nicht |somit )*(?:hinfallig|aufgehoben|erledigt|ungultig|nichtig|beendet|abgebrochen|geandert|widerrufen|mehr|vorbei)", Kind.VOID),
    rule("zusammenfassung|aufgabe|auftrag|lesen|text", r"\b(?:brich|brechen sie|stoppe?|beende[nt]?|lass|lassen sie|vergiss|vergessen sie|ignoriere?n?|verwirf|verwerfen sie|uberspringe?|hor|horen sie)(?: sie)? (?:bitte )?(?:(?:die|den|das|deine|deinen|ihre|ihren|diese[nrs]?|alle|mit|der|auf) ){0,3}(?:\w+ )?(?:zusammenfassung|zusammenfassen|aufgabe|auftrag|lesen|rest|text|lekture)\b", Kind.VOID),
    rule("rolle|spiel|ab jetzt|ab sofort|von nun|stell dir", r"\b(?:wechs[el]{2} (?:deine|die) rolle|wir spielen (?:jetzt|nun|ein spiel)|lass uns (?:ein spiel )?spielen|ab (?:jetzt|sofort) (?:bist|sind|antwort\w*)|von nun an|stell dir vor|tu so als)\b", Kind.TWIST),
    rule("antwort|zusammenfassung|ausgabe", rf"\b(?:deine|ihre) (?:\w+ )?(?:antwort|zusammenfassung|ausgabe) (?:soll|muss|darf|lautet|ist|hat|besteht|beginnt|endet)[^.!?\n]{{0,40}}?(?:{_SAID}|\b(?:das|dem|den|aus dem) (?:wort|satz|text|buchstaben)\b)", announces=True),
    rule("antwort|zusammenfassung|ausgabe", r"\b(?:deine[rn]?|ihre[rn]?|jede[rn]?|euer|eure[rn]?) (?:\w+ )?(?:antwort|zusammenfassung|ausgabe)", Kind.ANSWER),
    rule("", r"(?:^\W*|[.!?:,;|–—]\W{0,4}|\b(?:und|dann|bitte|sondern|nun|jetzt|mussen|muss|soll|sollen|stattdessen) )(?:antworte(?:t|n)?|schreib(?:e|t|en)?|sage?|sagt|gib|gebt|geben|nenne?|erzahle?|dichte|ubersetze|beende[nt]?|beginne?n?|fuge?|fugen|empfiehl|empfehlen|empfehlt|erwahne?n?|ergreife|lass|lasst|verschweige?n?|verrate?n?|drucke?|liste|erstelle|mache?|rufe?|besuche?)\b", Kind.ACT),
    rule("nur|ausschliesslich|lediglich|einzig|genau|exakt|nichts", r"\b(?:nur|ausschliesslich|lediglich|einzig|genau|exakt) (?:mit|das wort|den satz|noch|aus)\b|\bnichts (?:anderes|weiter|sonst)\b", Kind.ANSWER),
    rule("nutzer|benutzer|leser|anwender|user", r"\b(?:sage?|teile?|rate|empfiehl|empfehle|informiere|weise?|bitte|erklare?|melde?) (?:dem|den|deine[mnr]?|ihre[mnr]?|allen) (?:be)?(?:nutzern?|leser\w*|anwender\w*|user)", Kind.EFFECT),
    rule("ende de|ende vo|textende|dokumentende", r"^\W*(?:ende (?:des|der|vom|von) (?:\w+)|textende|dokumentende)\W*$", Kind.FRAME),
)  # fmt: skip

_FRENCH = (
    rule("ia|ias|llm|llms|chatbot|bot|bots|modele|robot|assistant|intelligence", r"(?:^\W*|[.!?:|]\W{1,6}|\b(?:a|aux|pour|l attention|chers?|cheres?|attention|note|l|des|de l) )(?:(?:tous?|toutes?|les?|la|l|aux?|des?|une?|chers?|attention|de|l attention) ){0,4}(?:ias?|llms?|chatbots?|bots?|modeles? de langage|robots?|assistants?(?: ia| virtuels?| automatiques?)|intelligences? artificielles?|agents? ia|outils? ia)(?:\s*[,:!]| (?:qui |charges? de )?(?:lis\w*|lit|resum\w*|trait\w*|analys\w*|parcour\w*|consult\w*) (?:ce|cette|ces|la presente|le present))", Kind.READER),
    rule("ia|llm|llms|chatbot|bot|bots|modele de|robot|intelligence|machine|assistant", r"\b(?:si|lorsque|quand) (?:tu es|vous etes|une?|c est) (?:une? )?(?:ia|llm|chatbot|bot|modele de langage|robot|intelligence artificielle|machine|assistant (?:ia|virtuel|automatique))\b", Kind.READER),
    rule("tache|consigne|instruction|mission|demande|directive", r"\b(?:ta|votre|vos|tes|(?:la|les)(?= \w+ (?:precedentes?|initiales?)))(?: \w+)? ?(?:taches?|consignes?|instructions?|missions?|demandes?|directives?)(?: \w+){0,2} (?:est|sont|n est|ne sont|n existe|ne s applique\w*|ne compte\w*)(?: (?:desormais|maintenant|plus|donc|deja|toutes?))* ?(?:annulee?s?|terminee?s?|caduques?|nulles?|abandonnee?s?|finies?|obsoletes?|revoquee?s?|valables?|d actualite|remplacee?s?|modifiee?s?)?", Kind.VOID),
    rule("tache|consigne|lecture|resume|lire|resumer|texte|reste|demande", r"\b(?:abandonne[zr]?|laisse[zr]?(?: tomber)?|oublie[zr]?|arrete[zr]?|cesse[zr]?|interromp[sz]?|interrompez|ignore[zr]?|saute[zr]?|passe[zr]?)(?: (?:de|la|le|les|ta|ton|tes|votre|vos|ce|cette|l|tout)){0,3} (?:taches?|consignes?|lecture|resume[r]?|lire|reste|texte|demande)\b", Kind.VOID),
    rule("role|jeu|jouons|imagin|desormais|dorenavant|pretend|fais comme", r"\b(?:change[zr]? de role|jouons|un jeu commence|imagine[zr]? que tu|imaginez que vous|desormais (?:tu|vous)|dorenavant|fai(?:s|tes) (?:comme si|semblant)|pretend[sz]? (?:que|etre))\b", Kind.TWIST),
    rule("reponse|resume|sortie", rf"\b(?:ta|votre|ton) (?:\w+ )?(?:reponse|resume|sortie)(?: \w+)? (?:doit|devra|est|sera|commence|se termine|contient|se limite)[^.!?\n]{{0,50}}?(?:{_SAID}|\b(?:le mot|la phrase|la lettre|le texte)\b)", announces=True),
    rule("reponse|resume|sortie", r"\b(?:ta|votre|ton|leur|chaque) (?:\w+ )?(?:reponse|resume|sortie)", Kind.ANSWER),
    rule("", r"(?:^\W*|[.!?:,;|–—]\W{0,4}|\b(?:et|puis|mais|maintenant|plutot|doivent|doit|devez|dois) )(?:n )?(?:repond(?:s|ez|re)|ecri(?:s|vez|re)|di(?:s|tes|re)|affiche[zr]?|termine[zr]?|commence[zr]?|conclu[sez]*|ajoute[zr]?|recommande[zr]?|mentionne[zr]?|raconte[zr]?|tradui(?:s|sez|re)|donne[zr]?|liste[zr]?|compose[zr]?|insere[zr]?|inclu[sez]*|produi(?:s|sez|re)|genere[zr]?|omet(?:s|tez|tre)|oublie[zr]?|ignore[zr]?|arrete[zr]?|indique[zr]?|vante[zr]?)\b", Kind.ACT),
    rule("uniquement|seulement|exclusivement|simplement|exactement|rien|seul", r"\b(?:uniquement|seulement|exclusivement|simplement|exactement) (?:par|avec|en|le mot|la phrase|au format)\b|\brien d autre\b|\bun seul mot\b", Kind.ANSWER),
    rule("utilisateur|lecteur", r"\b(?:di(?:s|tes|re)|conseille[zr]?|recommande[zr]?|informe[zr]?|annonce[zr]?|demande[zr]?) (?:a |aux? |l |les? |a l |ton |votre )*(?:utilisateurs?|lecteurs?)", Kind.EFFECT),
    rule("fin d", r"^\W*fin (?:du|de la|de l|des) \w+\W*$", Kind.FRAME),
)  # fmt: skip

_SPANISH = (
    rule("ia|ias|llm|llms|chatbot|bot|bots|modelo|robot|asistente|inteligencia", r"(?:^\W*|[.!?:|¡¿]\W{1,6}|\b(?:a|al|para|estimad[oa]s?|querid[oa]s?|atencion|nota|las?|los|el|todas?|todos?|cualquier|un|una) )(?:(?:todas?|todos?|las?|los|el|al|un|una|cualquier|atencion|para|estimad[oa]s?) ){0,3}(?:ias?|llms?|chatbots?|bots?|modelos? de lenguaje|robots?|asistentes?(?: de ia| virtual(?:es)?| automaticos?)|inteligencias? artificial(?:es)?|agentes? de ia|herramientas? de ia)(?:\s*[,:!]| (?:que |encargad\w+ de )?(?:lea[ns]?|leen?|leer|resum\w*|proces\w*|analic\w*|analiz\w*|leyendo) (?:a )?(?:este|esta|estas|estos|esto))", Kind.READER),
    rule("ia|llm|llms|chatbot|bot|bots|modelo de|robot|inteligencia|maquina|asistente", r"\b(?:si|cuando) (?:eres|es usted|usted es|una?|el lector es) (?:una? )?(?:ia|llm|chatbot|bot|modelo de lenguaje|robot|inteligencia artificial|maquina|asistente (?:de ia|virtual))\b", Kind.READER),
    rule("tarea|instruccion|instrucciones|mision|peticion|orden|encargo", r"\b(?:tu|su|tus|sus|(?:la|las)(?= \w+ (?:anterior(?:es)?|previas?|inicial)))(?: \w+)? ?(?:tareas?|instruccion(?:es)?|mision|peticion|ordenes|encargo)(?: \w+){0,2} (?:esta|estan|queda|quedan|ha sido|han sido|ya no|fue|se ha)(?: (?:ya|ahora|por tanto))* ?(?:cancelad[oa]s?|terminad[oa]s?|anulad[oa]s?|nul[oa]s?|sin efecto|vale[n]?|aplica[n]?|cumplid[oa]s?|concluid[oa]s?|existe[n]?|cambiad[oa])", Kind.VOID),
    rule("tarea|lectura|resumen|leer|resumir|texto|resto|encargo", r"\b(?:deja|deje|abandona|abandone|olvida|olvide|deten|detenga|para|interrumpe|ignora|ignore|salta|omite|descarta|descarte)(?: (?:de|la|el|los|las|tu|su|esta|este|todo)){0,3} (?:tareas?|lectura|resumen|leer|resumir|resto|texto|encargo)\b", Kind.VOID),
    rule("papel|rol|juego|juguemos|jugar|imagin|ahora|finge|haz como", r"\b(?:cambia (?:de|tu) (?:papel|rol)|juguemos|vamos a jugar|imagina que (?:eres|no)|a partir de ahora (?:eres|responde\w*)|ahora eres|finge (?:que|ser)|haz como si)\b", Kind.TWIST),
    rule("respuesta|resumen|salida", rf"\b(?:tu|su) (?:\w+ )?(?:respuesta|resumen|salida)(?: \w+)? (?:debe|debera|tiene|sera|es|empieza|termina|contiene|solo|consiste)[^.!?\n]{{0,40}}?(?:{_SAID}|\b(?:la palabra|la frase|la letra|el texto)\b)", announces=True),
    rule("respuesta|resumen|salida", r"\b(?:tu|su|cada) (?:\w+ )?(?:respuesta|resumen|salida)", Kind.ANSWER),
    rule("", r"(?:^\W*|[.!?:,;|¡–—]\W{0,4}|\b(?:y|luego|ahora|sino|solo|debes?|deben|tienes que|tienen que|mejor) )(?:responde[rn]?|contesta[rn]?|conteste[n]?|escrib[ea][n]?|escribir|di|diga|decir|muestra|muestre|termina[rn]?|termine|empieza|empezar|comienza|anade|anada|anadir|agrega[rn]?|recomienda|recomienden|recomendar|menciona[rn]?|cuenta|traduce|da|da(?:me|nos)|enumera|compon|inserta[rn]?|incluye|incluir|incluya|produce|genera|omite|omitir|olvida|ignora[rn]?|para|deten|detenga|indica[rn]?)\b", Kind.ACT),
    rule("solo|solamente|unicamente|exclusivamente|exactamente|nada|sola", r"\b(?:solo|solamente|unicamente|exclusivamente|exactamente) (?:con|la palabra|la frase|en)\b|\bnada mas\b|\buna sola palabra\b", Kind.ANSWER),
    rule("usuario|lector", r"\b(?:di|dile|diga|digale|recomienda|aconseja|informa|pide|avisa)(?:le|les)? (?:a |al |a los |a tus? |a su )*(?:usuarios?|lector(?:es)?)", Kind.EFFECT),
    rule("fin del|fin de", r"^\W*fin (?:del|de la|de los) \w+\W*$", Kind.FRAME),
)  # fmt: skip

_RUSSIAN = (
    rule("ии|нейросет|языков|модел|бот|боты|чат|llm|gpt|ассистент|искусственн", r"(?:^\W*|[.!?:|]\W{1,6}|\b(?:для|внимание|всем|уважаем\w+|дорог\w+|любая|любой|кажд\w+|все) )(?:(?:для|всех|всем|любых|уважаем\w+|дорог\w+|все|любая|любой) ){0,2}(?:ии|нейросет\w+|языков\w+ модел\w+|чат-?\s?бот\w*|бот\w*|llm|gpt|ии[\s-]\w+|искусственн\w+ интеллект\w*)(?: (?:котор\w+ )?(?:чита\w+|обрабатыва\w+|пересказыва\w+|анализиру\w+|суммиру\w+) (?:эт\w+|данн\w+)|\s*[,:!—])", Kind.READER),
    rule("если", r"\bесли (?:ты|вы|это чита\w+|текст чита\w+)\W{1,4}(?:ии|нейросет\w+|языков\w+ модел\w+|чат-?\s?бот\w*|бот|llm|gpt|искусственн\w+ интеллект\w*|машина|программа)\b", Kind.READER),
    rule("задач|задани|инструкц|указани|запрос|поручени", r"\b(?:прежн|предыдущ|прошл|исходн|перв|изначальн|тво|ваш|стар|поставленн|все)\w* (?:\w+ )?(?:задач|задани|инструкц|указани|запрос|поручени)\w*(?: \w+)? (?:отменен\w*|выполнен\w*|завершен\w*|недействительн\w*|больше не|неактуальн\w*|снят\w*|аннулирован\w*|изменен\w*|изменил\w*|окончен\w*|утратил\w*)", Kind.VOID),
    rule("задач|задани|чтени|читать|пересказ|текст|остальн|резюм", r"\b(?:оставь|брось|прекрати|прерви|останови|забудь|отложи|пропусти|не выполняй|не читай|хватит)(?:те)? (?:\w+ )?(?:задач\w*|задани\w*|чтени\w*|читать|пересказ\w*|текст|остальн\w*|резюм\w*)", Kind.VOID),
    rule("роль|играем|сыграем|представь|отныне|притвор", r"\b(?:смени(?:те)? роль|играем в|давай(?:те)? сыграем|представь(?:те)?,? что (?:ты|вы)|отныне|притворись|притворитесь)", Kind.TWIST),
    rule("ответ|резюме|пересказ|сводк|вывод", rf"\b(?:твой|ваш|твое|ваше|твоя|ваша) (?:\w+ )?(?:ответ|резюме|пересказ|сводка|вывод)(?: \w+)? (?:долж\w+|состоит|будет|начина\w+|заканчива\w+)[^.!?\n]{{0,50}}?(?:{_SAID}|\b(?:слов[ао]м?|фраз[аыуои]й?|букв[аыуои]й?)\b)", announces=True),
    rule("ответ|резюме|пересказ|сводк", r"\b(?:тво\w+|ваш\w*|сво\w+|кажд\w+) (?:\w+ )?(?:ответ|резюме|пересказ|сводк)\w*", Kind.ANSWER),
    rule("а|е|и|о", r"(?:^\W*|[.!?:,;|–—]\W{0,4}|\b(?:и|затем|потом|а|но|лучше|долж(?:ен|на|но|ны)|обязан\w*|теперь|просто) )(?:ответь|отвечай|напиши|выведи|скажи|расскажи|переведи|добавь|закончи|начни|заверши|порекомендуй|рекомендуй|упомяни|перечисли|сочини|вставь|укажи|покажи|забудь|игнорируй|остановись|пропусти|придумай)(?:те)?\b|\b(?:долж(?:ен|на|но|ны)|обязан\w*) (?:\w+ )?(?:ответить|отвечать|написать|вывести|сказать|рекомендовать|добавить|упомянуть|закончить|начать|указать|сообщить|советовать|посоветовать)", Kind.ACT),
    rule("одн|только|лишь|исключительно|ничего", r"\bодним словом\b|\b(?:только|лишь|исключительно) (?:словом|фразой|числом|слово|одно|цифрой|одним|буквой)|\bничего (?:больше|другого|кроме)", Kind.ANSWER),
    rule("пользовател|читател", r"\b(?:скажи|сообщи|посоветуй|порекомендуй|передай|напомни)(?:те)? (?:\w+ )?(?:пользовател|читател)\w+", Kind.EFFECT),
    rule("конец", r"^\W*конец (?:документа|текста|статьи|файла|ввода|содержимого)\W*$", Kind.FRAME),
)  # fmt: skip

_CHINESE = (
    rule("读|讀|处理|處理|摘要|总结|總結|分析", r"(?:阅读|閱讀|读取|讀取|读到|讀到|处理|處理|总结|總結|分析|浏览|摘要|概括)(?:本|此|这|這|该)(?:页|頁|文|文章|网页|網頁|文档|文件|内容|篇|段|个)*(?:的|之)?(?:任何|所有)?(?:ai|人工智能|语言模型|語言模型|大模型|机器人|機器人|助手|llm|聊天机器人|智能体)", Kind.READER),
    rule("如果|若|假如|致|所有|任何|各位|亲爱|给|注意", r"(?:如果|若|假如|要是)(?:你|您|读者|阅读者)?是(?:一个|一名|个)?(?:ai|人工智能|语言模型|大模型|机器人|聊天机器人|智能助手|llm)|(?:致|给|所有|任何|各位|亲爱的|注意[:：，,]?)(?:的)?(?:ai|人工智能|语言模型|大语言模型|大模型|机器人|聊天机器人|智能助手|llm|智能体)(?:模型|助手|系统|们|代理)*(?:[:：，,!！]|必须|应|请|都)", Kind.READER),
    rule("任务|任務|指令|要求|请求", r"(?:原来|原來|之前|先前|原先|原有|上述|此前|你|您|旧|以上|原)的?(?:所有|一切|全部)?(?:任务|任務|指令|要求|请求|工作|指示)(?:已|已经|都|现在|現在|均)*(?:取消|作废|完成|结束|結束|失效|无效|無效|变更|终止|改变|不再)", Kind.VOID),
    rule("停止|放弃|忘|跳过|不要|别|不用|换|游戏|扮演|假装", r"(?:停止|放弃|忘掉|忘记|跳过|不要继续|别再|不用|中止)(?:你的|您的|当前的?|这个|原来的|阅读|处理|剩余|继续|其余|后面)*(?:任务|阅读|处理|内容|总结|摘要|全文|文字|工作)|(?:我们|咱们)(?:来)?玩(?:一)?个?游戏|(?:切换|更换|改变)(?:你的)?角色|假装(?:你|没有)|(?:请)?扮演", Kind.VOID),
    rule("回答|回复|摘要|总结|输出|答案|回應|总結", r"(?:你|您)的?(?:最终|全部|整个|完整|唯一)?的?(?:回答|回复|摘要|总结|总結|输出|答案|回應|概括)(?:只能|必须|必須|应|应该|應|要|需|就|只)?(?:是|为|為|包含|以|写|用|说|由)(?:只)?[^。！？\n]{0,6}[“\"「『《‘]", announces=True),
    rule("回答|回复|摘要|总结|输出|答案|答复", r"(?:你|您|其|它们)的?(?:回答|回复|摘要|总结|输出|答案|答复)|(?:在|于)(?:回答|回复|摘要|总结|输出|答案)(?:的)?(?:中|里|末尾|开头|最后|结尾)", Kind.ANSWER),
    rule("写|寫|回|输|輸|说|說|翻|讲|推|列|告|加|添|附|声|打|生|编|创|提|忽|省|访|停", r"(?:^|[。！？，,:：；\n]|请|請|现在|必须|应当|改为|而是|只需)\W{0,3}(?:请|請|只|再|就|直接|必须)?(?:写|寫|回答|回复|输出|輸出|说|說|翻译|讲|推荐|推薦|列出|告诉|告訴|加上|添加|附上|声明|打印|生成|编|创作|提及|忽略|省略|访问|停止)", Kind.ACT),
    rule("用户|用戶|读者|讀者|使用者", r"(?:告诉|告訴|建议|劝|提醒|通知|要求|让|请)(?:你的|您的|所有|每个)?(?:用户|用戶|读者|讀者|使用者)", Kind.EFFECT),
    rule("结束|結束|完毕|到此", r"^\W*(?:文档|文件|文本|正文|内容|文章|文檔|输入)(?:到此)?(?:结束|結束|完毕|为止)\W*$|^\W*(?:全文完|到此结束)\W*$", Kind.FRAME),
)  # fmt: skip

_JAPANESE = (
    rule("読|処理|要約|分析|閲覧", r"(?:この|本|当)(?:ページ|文章|文書|記事|テキスト|サイト|資料|ファイル|内容)を(?:読む|読んで|読み|読んだ|読み込む|要約する|要約し|処理する|分析する|閲覧する|解析する)[^。！？\n]{0,10}?(?:ai|人工知能|言語モデル|モデル|ボット|チャットボット|アシスタント|llm|エージェント)", Kind.READER),
    rule("もし|なら|であれば|場合|全て|すべて|各|へ|宛|向け|諸君", r"(?:ai|人工知能|言語モデル|大規模言語モデル|llm|チャットボット|アシスタント|エージェント|ボット)(?:アシスタント|モデル|エージェント)?(?:の(?:皆さん|皆様|方々|みなさん))?(?:なら|であれば|である場合|の場合|へ[:：、。\n]|宛[:：て]|向け(?:の指示)?[:：]|諸君)|(?:すべて|全て|あらゆる)の(?:ai|人工知能|言語モデル|ボット|アシスタント)(?:は|に|へ|、)", Kind.READER),
    rule("タスク|指示|命令|依頼|作業|任務", r"(?:前|以前|元|これまで|先ほど|今まで|最初|あなた)の(?:\w{0,4}の)?(?:タスク|指示|命令|依頼|作業|任務)(?:は|が)(?:すべて|全て|もう|既に|すでに)?(?:取り消|無効|終了|終わ|完了|中止|キャンセル|変更|撤回|破棄|変わ)", Kind.VOID),
    rule("やめ|中止|止め|忘れ|無視|飛ばし|ゲーム|役割|ふり|演じ", r"(?:要約|読むの|処理|作業|タスク|読み取り|続き|残り)(?:を|は)?(?:ここで)?(?:やめ|中止|止め|中断|忘れ|無視|飛ばし|放棄)|ゲームを(?:しましょう|始め|する)|役割を(?:変え|切り替え|変更)|(?:ふり|振り)をし|演じて", Kind.VOID),
    rule("回答|答え|要約|出力|返答|返事|応答", r"あなたの(?:最終的な|最終)?(?:回答|答え|要約|出力|返答|返事|応答)(?:は|を|には|に|の)(?:必ず|すべて|常に|全て)?[^。！？\n]{0,8}[「『“\"]", announces=True),
    rule("回答|答え|要約|出力|返答|応答", r"(?:回答|答え|要約|出力|返答|応答)の(?:最後|最初|冒頭|末尾|中|先頭|終わり)(?:に|で)|あなたの(?:回答|答え|要約|出力|返答|応答)", Kind.ANSWER),
    rule("て|なさい|ること|ろ|よ", r"(?:答え|書い|返し|出力し|言っ|述べ|含め|追加し|推薦し|勧め|伝え|訳し|始め|終え|加え|表示し|作っ|省い|除い|無視し|やめ|返答し|回答し|応答し|返信し|記載し|付け|書き加え|翻訳し|教え|並べ|止め|数え|歌っ|挙げ)(?:て(?:ください|下さい|ほしい|くれ)|なさい|ること|ろ\b|よ\b)|(?:答え|書き|返し|出力し|言い|含め|追加し|推薦し|勧め|伝え)なさい", Kind.ACT),
    rule("ユーザ|利用者|読者", r"(?:ユーザー?|利用者|読者)(?:に|へ)(?:は)?[^。！？\n]{0,30}(?:伝え|勧め|知らせ|教え|推薦|言っ)", Kind.EFFECT),
    rule("終わり|終了|以上", r"^\W*(?:文書|文章|テキスト|本文|ドキュメント|記事|入力)(?:は|の)?(?:ここまで|終わり|終了|おわり)(?:です)?\W*$", Kind.FRAME),
)  # fmt: skip

ABROAD = (*_GERMAN, *_FRENCH, *_SPANISH, *_RUSSIAN, *_CHINESE, *_JAPANESE)
