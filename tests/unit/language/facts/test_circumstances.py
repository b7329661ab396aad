"""Questions and tasks presuppose facts about their authors, which are kept."""

import pytest

from agent.language.facts.extraction import extract_from_user
from agent.language.facts.statements import mask_unusable, statement_spans
from agent.language.message_analysis import MessageContent


def stated(message: str) -> list[str]:
    return [message[slice(*span)] for span in statement_spans(mask_unusable(message))]


@pytest.mark.parametrize(
    ("message", "words"),
    [
        ("Any tax breaks for a sole trader like myself?", "a sole trader like myself"),
        ("what shoes for someone with flat feet like me", "someone with flat feet like me"),
        ("Was kocht man für einen Veganer wie mich?", "einen Veganer wie mich"),
        ("¿qué deporte va bien para un asmático como yo?", "un asmático como yo"),
        ("quel vélo pour un grand gabarit comme moi ?", "un grand gabarit comme moi"),
        ("像我这样的糖尿病人能吃芒果吗？", "像我这样的糖尿病人"),
        ("ما أفضل رياضة لشخص مصاب بالربو مثلي؟", "رياضة لشخص مصاب بالربو مثلي"),
        ("En tant que diabétique, puis-je manger des dattes ?", "En tant que diabétique"),
        ("作为一个素食者，我该怎么补充蛋白质？", "作为一个素食者"),
        ("كنباتي، ماذا آكل للحصول على البروتين؟", "كنباتي"),
        ("Working nights again, how do I sleep?", "Working nights again"),
        ("off work with shingles, what can I watch?", "off work with shingles"),
        ("Seit Montag wieder Spätdienst, wann soll ich schlafen?", "Seit Montag wieder Spätdienst"),
        ("Recién operado de la rodilla, ¿puedo nadar?", "Recién operado de la rodilla"),
        ("De nouveau en télétravail, comment rester actif ?", "De nouveau en télétravail"),
        ("又开始上夜班了，怎么调整作息？", "又开始上夜班了"),
        ("how do you stay sane when you commute three hours like me", "when you commute three hours like me"),
        ("Wie schläft man gut, wenn man Schicht arbeitet wie ich?", "wenn man Schicht arbeitet wie ich"),
        ("¿cómo se descansa cuando uno trabaja de noche como yo?", "cuando uno trabaja de noche como yo"),
        ("comment manger sain quand on est sur la route comme moi ?", "quand on est sur la route comme moi"),
        (
            "For a cafe with twelve seats in Porto, which coffee machine is best?",
            "For a cafe with twelve seats in Porto",
        ),
        ("what is a safe dose of paracetamol, husband's on warfarin", "husband's on warfarin"),
        ("kitchen is north facing with no window, what herbs grow?", "kitchen is north facing with no window"),
        ("Ward 3 tonight then home, best way to nap??", "Ward 3 tonight then home"),
        ("moving from vim to helix next week, any catch?", "moving from vim to helix next week"),
        ("Grandson lives in Quebec, what parcel service is cheap?", "Grandson lives in Quebec"),
        ("bed frame squeaks at every turn, tips?", "bed frame squeaks at every turn"),
        ("papy perd l'équilibre, quelle canne choisir ?", "papy perd l'équilibre"),
        ("lavoro di notte in ospedale, quando dormo?", "lavoro di notte in ospedale"),
        ("cuido de dois idosos em Recife, como descansar?", "cuido de dois idosos em Recife"),
        ("hoduję gołębie pocztowe, czym karmić zimą?", "hoduję gołębie pocztowe"),
        ("在大阪打工，日语还不行，怎么练？", "在大阪打工，日语还不行"),
        ("卖二手车的，客户砍价太狠怎么办？", "卖二手车的"),
        ("After my hip surgery, when can I drive?", "After my hip surgery"),
        ("nach der Knie-OP, wann darf ich wieder laufen?", "nach der Knie-OP"),
        ("turno de noche en Cruz Roja, ¿cómo entreno?", "turno de noche en Cruz Roja"),
        ("how do I tell the tenants that the lift closes in May?", "the lift closes in May"),
        ("血糖一直偏高，能吃西瓜吗", "血糖一直偏高"),
        ("明年要考注册会计师，怎么安排？", "明年要考注册会计师"),
        ("老婆怀孕五个月，能坐飞机吗", "老婆怀孕五个月"),
        ("他对青霉素过敏，能用头孢吗", "他对青霉素过敏"),
        ("家里两台旧空调，要换新的吗？", "家里两台旧空调"),
        ("متزوجة وعندي طفلين، كيف أوفر؟", "متزوجة وعندي طفلين"),
        ("mieszkam na wsi i mam trzy owce, jak zrobić ogrodzenie?", "mieszkam na wsi i mam trzy owce"),
    ],
)
def test_what_a_question_presupposes_about_its_author_is_a_statement(message: str, words: str) -> None:
    assert stated(message) == [words]
    assert MessageContent.of(message).recallable


@pytest.mark.parametrize(
    "message",
    [
        "how do you treat a person like me?",
        "why does my cat like me",
        "how can i make a girl like me",
        "Using pandas, how do I merge two frames?",
        "how does it feel when you are famous",
        "For a computer with 8 GB of RAM, which Linux is best?",
        "For a recipe with eggs, what can replace milk?",
        "do you know what my options are",
        "After lunch, can I swim?",
        "how do i save it as a pdf with bookmarks?",
        "明天北京下雨吗",
        "Can you forget where I live?",
        "World War 2 ended in 1945, who signed the surrender?",
        "mass = 5 kg, find the force",
        "A train leaves at 8:15 and stops twice, when does it arrive?",
        "estudo de caso, como fazer?",
        "maman en arabe, comment on dit ?",
        "小明有5个苹果，吃了2个，还剩几个？",
        "在中国读大学，一般要多少钱？",
        "Was the war won in 1945.",
        "Did the Romans have soap? I wonder.",
        "狗不能吃巧克力，为什么？",
        "如果他有哮喘，该怎么办",
        "爷爷用英语怎么说，奶奶呢",
        "ما معنى متزوج، وما جمعها؟",
        "jaka jest stolica Czech, a jaka Słowacji?",
        "Speaking of cats, can I feed mine tuna?",
        "As a rule, do I need salt?",
        "最近有什么好电影，能推荐吗？",
        "كيف حالك، ماذا تفعل؟",
        "compose a limerick on a vegan butcher",
        "Complete the sentence with a colour",
        "reply to this in two lines",
    ],
)
def test_other_questions_and_requests_state_nothing(message: str) -> None:
    assert stated(message) == []


@pytest.mark.parametrize(
    "message",
    [
        "thats awesome ty!!",
        "That's exactly what I needed",
        "Das ist ja klasse, danke dir!",
        "cheers that helped loads 😀",
        "jaja gracias tía",
        "شكرا يا صديقي",
        "das ganze nochmal als liste",
        "¡qué maravilla, mil gracias!",
    ],
)
def test_praise_is_small_talk(message: str) -> None:
    assert not MessageContent.of(message).recallable


def test_a_number_before_a_noun_is_no_lead_word() -> None:
    assert stated("My second favourite colour is teal.") == ["My second favourite colour is teal."]
    assert stated("Second favourite colour: teal.") == ["Second favourite colour: teal."]
    assert [fact.text for fact in extract_from_user("Second, I live in Bath.")] == ["Lives in Bath"]


@pytest.mark.parametrize(
    ("message", "words"),
    [
        ("we feed two greyhounds raw meat what do they need in winter", "we feed two greyhounds raw meat"),
        ("abito da sola con due gatti cosa devo comprare per un trasloco", "abito da sola con due gatti"),
        ("boss is my uncle and he yells what do i text him first", "boss is my uncle and he yells"),
        ("Had the same Toyota for twenty years. What replaces it?", "Had the same Toyota for twenty years."),
        ("For my wife, who is coeliac, what can I bake?", "For my wife, who is coeliac, what can I bake?"),
        ("Please always give me prices in pounds, my clients pay in francs", "my clients pay in francs"),
        ("Oma hat Parkinson, welches Besteck hilft?", "Oma hat Parkinson"),
        ("nephew is fourteen, barely eats, sleeps all day, what helps?", "fourteen, barely eats, sleeps all day"),
        ("How do I insure a boat here in Split?", "How do I insure a boat here in Split?"),
        ("¿Qué seto crece en un patio umbrío en Soria como el mío?", "en Soria como el mío?"),
        ("context: esp32, no wifi. write me a logger", "esp32, no wifi."),
        ("Per mio padre, che è sordo, quale telefono compro?", "Per mio padre, che è sordo, quale telefono compro?"),
    ],
)
def test_a_statement_is_found_beside_a_question(message: str, words: str) -> None:
    assert any(words in one for one in stated(message))


@pytest.mark.parametrize(
    "message",
    [
        "Scrivi una lettera al condominio: il cane del terzo piano abbaia dalle 6",
        "Schreib eine Nachricht an die Gäste: das Freibad öffnet um 9",
        "escribe un correo a los socios: la cuota sube a 30 euros",
        "escreve uma mensagem para os alunos: a aula de 12 passa para 14",
    ],
)
def test_a_dictated_message_is_a_statement_in_other_languages_too(message: str) -> None:
    assert stated(message) == [message]


@pytest.mark.parametrize(
    "message",
    [
        "Übersetze den Brief: ich wohne in Kassel und arbeite nachts",
        "Corrige la carta: vivo en Lugo con mi tía",
        "Traduci il messaggio: abito a Lecce da 3 anni",
    ],
)
def test_a_message_to_work_on_states_nothing(message: str) -> None:
    assert stated(message) == []
