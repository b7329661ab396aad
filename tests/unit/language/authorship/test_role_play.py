"""What users say in a role leaves nothing, in several languages; what they state before it does."""

import pytest

from agent.language.authorship.role_play import enters_role, leaves_role, role_start
from agent.memory.formation.coverage import uncovered_statements
from support.growth import MAX_GROWTH, growth

IN_A_ROLE = [
    "Me: I'm the Queen of Denmark. You: a lost tourist. Go!",
    "act as customs officer. me: good morning sir, I am a jeweller from Antwerp",
    "*adjusts monocle* I, Lord Pemberton, own twelve estates and a racing pig.",
    "On joue : je suis un boulanger insomniaque de Dijon, toi le client pressé.",
    "facciamo che io sono il capitano e ho perso la nave",
    "我来演老板\uff0c我破产了\uff0c你安慰我",
    "Tu so als wärst du Bäcker Hans aus Wien. Ich bin deine Kundin Frau Müller und hab drei Hunde.",
    "fai finta di essere mio nonno Gino: io sono tua nipote e vivo in Argentina",
    "haz de mi jefe: yo soy Luis, llego tarde siempre y tengo 4 hijos",
    'you are Captain Merrow now. I\'m the rogue. I say: "I am Vex, and I have three brothers" respond in character',
    "Spiel mal meine Chefin, ich bin Tom und komm jeden Tag zu spät.",
    "schlüpf in die Rolle von Sherlock Holmes. Ich bin Watson und wohne in der Baker Street.",
    "sei mal mein Arzt: ich hab seit Wochen Rückenschmerzen und zwei Kinder",
    "ponte en el papel de mi suegra. Yo soy vegetariana y me llamo Lola.",
    "hazte pasar por un camarero, yo soy alérgico a los frutos secos",
    "joue ma patronne : je suis Léa, j'ai deux enfants et je vis à Metz",
    "mets-toi dans la peau de mon médecin. J'ai mal au dos et je fume.",
    "mettiti nei panni di un cameriere. Io sono celiaca e ho due figli.",
    "fai tu il professore, io sono Marco e non ho studiato",
    "faz de conta que és o meu chefe. Eu chamo-me Rui e tenho três filhos.",
    "finge que você é meu avô: eu moro em Recife e tenho um barco",
    "doe even alsof je mijn baas bent. Ik heet Tim en ik woon in Gent.",
    "kruip in de huid van een kok: ik ben allergisch voor noten",
    "udawaj mojego szefa. Jestem Kasia i mam troje dzieci.",
    "wciel się w lekarza: mam 40 lat i mieszkam w Łodzi",
    "roleplay as my landlord. I'm a tenant with two dogs and I live on the third floor.",
    "play my mum for a sec: I'm 15 and I failed maths",
    "be my customer. I'm the barista and my name is Dot",
    "tu mal so als ob du mein Vermieter wärst: ich bin Student und hab einen Hund",
    "Du spielst jetzt meine Oma, ich bin dein Enkel Paul und hab Hunger.",
    "vamos a hacer un juego de rol: yo soy Ana, vivo en Lima",
    "fais comme si t'étais mon banquier. Moi je suis Karim, j'ai un crédit sur le dos.",
    "prends le rôle d'un recruteur. Je m'appelle Zoé et j'ai 22 ans.",
    "facciamo un gioco di ruolo: tu sei il barista, io sono Ugo e ho tre cani",
    "age como se fosses o meu pai. Eu vivo em Braga.",
    "laten we een rollenspel doen. Jij bent de arts, ik heb diabetes.",
    "odegraj moją mamę: mam 15 lat i dostałam jedynkę",
    "you're Queen Isolde now. I am her knight and I have a lame horse. Stay in character!",
    "bir garson gibi davran: ben Ayşe, iki çocuğum var",
]
BEFORE_A_ROLE = [
    ("I have two dogs. Pretend you're a vet. I'm a farmer with 40 cows.", "two dogs", "40 cows"),
    ("Ich wohne in Graz. Tu so, als wärst du mein Chef. Ich bin Koch.", "Graz", "Koch"),
    ("Mi perro se llama Taco. Haz de veterinario: yo tengo tres gatos.", "Taco", "tres gatos"),
    ("Vivo a Bari. Fai finta di essere un oste: io sono un pirata.", "Bari", "pirata"),
    ("Mam psa. Udawaj lekarza. Mam cukrzycę.", "psa", "cukrzyc"),
    ("Moro em Lisboa. Faz de conta que és um pirata. Eu sou o capitão.", "Lisboa", "capit"),
    ("J'habite à Lyon. Joue le rôle du juge. Je suis voleur.", "Lyon", "voleur"),
    ("I'm a baker in Leeds. Now play my boss: I'm late every day.", "Leeds", "late"),
    ("Ich habe zwei Katzen. Spiel mal den Tierarzt: ich hab ein Pferd.", "Katzen", "Pferd"),
    ("Soy de Bilbao. Finge ser un camarero. Yo soy alérgico.", "Bilbao", "alérgico"),
    ("Ik woon in Delft. Doe alsof je een piraat bent. Ik ben de kapitein.", "Delft", "kapitein"),
]
NO_ROLES = [
    "ich spiele Geige und wohne in Bonn",
    "mein Sohn spielt den Hans in der Schulaufführung",
    "you are right, I'm a nurse",
    "you are so kind. I'm Dana and I live in Cork",
    "hago de voluntaria en un refugio los sábados",
    "faccio finta di niente con mia suocera, vive con noi",
    "mia figlia fa il medico a Torino",
    "joue la carte de l'humour, je suis prof de maths",
    "mon fils joue au foot à Metz",
    "ik speel piano en woon in Gent",
    "gram w tenisa w środy",
    "moja córka udaje, że śpi, mam dwójkę dzieci",
    "I play the cello and my sister plays my old violin",
    "my mum is a pretend pirate at the fair, she lives in Hull",
    "be my guest, I'm vegan though",
    "I used to be in character as a mascot, now I'm a teacher",
    "Ich tu mich schwer mit Zahlen, ich bin Legasthenikerin",
    "spiel mir bitte nichts vor, ich bin traurig wegen Opa",
    "you are now my favourite app. I'm Pia from Kiel",
    "mi hermana hace de Julieta en el teatro del barrio",
    "mijn zoon speelt keeper bij FC Gent",
    "o meu pai faz de tudo em casa, é eletricista",
    "be my guest at the wedding sounds odd, I'm getting married in May",
    "fais un effort, je suis daltonien",
]


@pytest.mark.parametrize("message", IN_A_ROLE)
def test_what_is_said_in_a_role_leaves_nothing(message: str) -> None:
    assert uncovered_statements(message, []) == []


@pytest.mark.parametrize(("message", "stated", "played"), BEFORE_A_ROLE)
def test_a_statement_before_a_role_is_kept(message: str, stated: str, played: str) -> None:
    [kept] = uncovered_statements(message, [])
    assert stated in kept
    assert played not in kept


@pytest.mark.parametrize("message", NO_ROLES)
def test_a_statement_that_mentions_play_gives_no_role(message: str) -> None:
    assert role_start(message, (0, len(message))) is None
    assert uncovered_statements(message, []) != []


@pytest.mark.parametrize("unit", ["play my a ", "spiel den a", "you are A ", ", a", "tu a a ", "a gibi "])
def test_the_search_for_a_role_takes_linear_time(unit: str) -> None:
    assert growth(lambda text: role_start(text, (0, len(text))), unit, chars=4_000) < MAX_GROWTH


@pytest.mark.parametrize(
    ("message", "is_role"),
    [
        ("pretend you're my boss and I'm asking for a raise", True),
        ('write me a short speech. pretend you\'re him: "I play golf"', False),
        ("schreib einen Brief, tu so als wärst du mein Opa", False),
        ('pretend you are a vampire: "I have lived in Prague for 300 years"', False),
    ],
)
def test_a_text_in_somebodys_voice_begins_no_role_play(message: str, *, is_role: bool) -> None:
    assert enters_role(message) is is_role


@pytest.mark.parametrize(
    "message", ["how do I tell my boss Martin I'm leaving", "che regalo faccio a mia suocera Teresa"]
)
def test_a_question_for_advice_leaves_the_role(message: str) -> None:
    assert leaves_role(message)
