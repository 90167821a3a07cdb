"""Words that carry grammar and no fact, in fifteen languages, for counting what an entry loses; data only.

How words are cut from a text and when one of them counts as living is decided in
:mod:`curator_tui.core.losses`.

The list is short on purpose. A word belongs here only if an honest rewrite may drop or exchange it freely:
articles, prepositions, pronouns, auxiliaries, connectives, and the verbs that only frame a fact about a
person or thing (*prefers*, *lives in*, *is called*). Where a grammar word of one language is a plain word
of another (*son*, *ten*, *may*, *us*), it is left out. Words of degree or time (*only*, *always*) are
absent, since dropping one of them changes the fact; so are negations, which count as one and the same word
instead. Words are held as :func:`curator_tui.core.losses.words` folds them: NFKC, case-folded (so *dass*
stands for *daß*), Arabic without article.
"""

from __future__ import annotations

from typing import Final

_ENGLISH = """
a about after also am an and are as at be been being both but by can could did do does doing done for from
get gets got had has have having he her hers him his how i if in into is it its itself just me might mine
must my of off on onto or our ours out over own per shall she should so some such than that the their theirs
them then there these they this those though through thus to too until up upon use used uses using very via
was we were what when where whether which while who whom whose why will with within would you your yours
user
"""

_GERMAN = """
aber als am an auch auf aus bei beim bis da damit dann das dass dein dem den denn der des die dies diese
diesem diesen dieser dieses doch dort du durch ein eine einem einen einer eines er es euch euer für haben
hat hatte hier ich ihm ihn ihnen ihr ihre ihrem ihren ihrer im in indem ins ist ja je jede jedem jeden jeder
jedes kann können man mein mit muss müssen nach noch ob oder sein seine seinem seinen seiner seit sich sie
sind so soll sollen sollte sowie über um und uns unser vom von vor war waren was wegen weil wenn wer werden
wie wir wird wo wurde wurden zu zum zur zwischen
"""

_FRENCH = """
au aux avec c'est ce ceci cela ces cet cette chez comme d'un d'une dans de des donc du elle elles en entre
est et être eu fait il ils je la le les leur leurs lui ma mais me mes moi mon notre nos nous on ont ou où
par pour qu'elle qu'il que qui sa se ses si soit sont sous sur ta te tes toi ton tu un une vos votre vous
"""

_SPANISH = """
al ante aunque bajo como con cual cuando de del desde donde durante el él ella ellas ellos en entre era es
esa ese eso esta estas este esto estos está están fue ha han hay hasta la las le les lo los me mi mis muy
nos nuestra nuestro o para pero por porque que qué se ser si sin sobre son su sus también te tiene tu tus un
una unas uno unos usted y ya yo
"""

_ITALIAN_PORTUGUESE = """
alla alle anche che chi ci con cui da dal dalla degli dei del della delle di e ed gli ha hanno i il io l'ha
le lo loro ma mi ne nei nel nella nelle o per più quando questo questa se si sono sua suo sul sulla tra un
uno una ao aos as com das do dos é ela ele eles em esta este eu foi isso já mas na nas no nos ou para pela
pelo por que são suas seu seus também tem um uma
"""

_DUTCH_SWEDISH_POLISH = """
aan als bij dan dat de deze die dit door een en er haar heeft het hij hun ik in is je kan maar me met mijn
na naar of om onder ook op over te tot uit van voor was wat we wel werd wordt ze zich zij zijn zo att av dem
den det du efter eller ett från för ha han hans har hon i jag med men mig mot när och på sig sin sina ska
som sitt så till under var vi är ale by być co czy dla do gdy go ich ja jak jako jego jej jest już ma mu nad
o od oraz po pod przez przy są się ta tak to tylko u w z za że
"""

_RUSSIAN_UKRAINIAN = """
а будет будут был была были было бы быть в вам вас весь во вот все всё вы да для до его ее её если есть еще
ещё же за и из или им их к как ко когда который которая которые ли мне может мой моя мы на над нам нас наш
него нее неё них но о об он она они оно от по под при с свой свои сам себя со так также там то тоже того той
том тот ты у уже чем что чтобы эта эти это этот я або але би був була були ви від він вона вони воно де є з
зі й його її їх і коли ми про та також те це цей цю що щоб як
"""

_TURKISH = """
ama bir bu da de daha diye en gibi göre hem her için ile ise kadar ki mi mu mı olan olarak oldu sonra şu ve
veya ya
"""

_ARABIC_PERSIAN = """
إلى أن أو إن التي الذي ان او الى ب بها به بعد بين تم ثم حتى ذلك على عن عند عندما غير ف فهو في قبل قد كان
كانت كل كما ل لدى لديه لكن له لها ما مع من منذ منه نحو هذا هذه هناك هو هي هل و وهو وهي ولكن يتم از است اما
این آن با برای تا در را که می های هم یا
"""

_HINDI = """
और का की के को से में पर है हैं था थी थे यह वह ने भी तो या कि जो लिए एक
"""

_FRAMES = """
prefer prefers preferred like likes want wants wish wishes live lives works working called name named enjoy
enjoys keep keeps
bevorzugt mag möchte will wünscht wohnt lebt arbeitet heisst nutzt verwendet benutzt
préfère aime veut souhaite habite vit travaille s'appelle utilise
prefiere quiere gusta desea vive trabaja llama utiliza
preferisce vuole vive lavora chiama prefere gosta quer mora trabalha chama
предпочитает любит хочет живёт живет работает называется зовут использует
يفضل يحب يريد يسكن يعيش يعمل اسمه اسم يستخدم
"""

_DENIALS = """
no not none without never don't doesn't isn't aren't won't can't mustn't shouldn't dislike dislikes avoid
avoids
nicht kein keine keinen keinem keiner keines ohne nie niemals
ne n'est pas sans aucun aucune jamais ni
sin nunca ningún ninguna ninguno non senza não sem
niet geen zonder inte ingen inga utan nie bez
не нет ни без никогда немає
değil yok
لا ليس ليست لم لن بدون دون
नहीं
"""

_HAN = "的了着过是在和与及或也都就而并把被对为于从到给让用有其之所以个我你他她它们这那此会要能可将请等"

NEGATIONS: Final[frozenset[str]] = frozenset(_DENIALS.split())
"""Words that deny. An honest rewrite exchanges one for another (*without*, *no*): they count as one word."""

HAN_FUNCTION: Final[frozenset[str]] = frozenset(_HAN)
"""Ideographs that carry grammar in Chinese, where each character counts by itself."""

FUNCTION_WORDS: Final[frozenset[str]] = frozenset(
    word
    for language in (
        _ENGLISH,
        _GERMAN,
        _FRENCH,
        _SPANISH,
        _ITALIAN_PORTUGUESE,
        _DUTCH_SWEDISH_POLISH,
        _RUSSIAN_UKRAINIAN,
        _TURKISH,
        _ARABIC_PERSIAN,
        _HINDI,
        _FRAMES,
    )
    for word in language.split()
)
"""Case-folded words that never count as a fact."""
