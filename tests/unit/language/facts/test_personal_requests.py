"""Requests that mention the life of their author are kept whole; others leave nothing."""

import pytest

from agent.language.facts.extraction import extract_from_user
from agent.language.facts.personal_requests import is_personal_request
from agent.memory.formation.coverage import uncovered_statements


@pytest.mark.parametrize(
    "request_",
    [
        "Which visa does my wife Nino need if she has only the tourist visa until 5 April?",
        "how many shifts do i need at the smoothie place if i make 11 an hour",
        "Could the sertraline I've been on since August be why my hands shake at work?",
        "Write a polite chaser to my accountant, Mr Bellweather, who still hasn't filed my return.",
        "Give me a lunch order, I'm on the keto thing since New Year",
        "Draft a mail to Lindqvist Interiors: the order is 320 plates, due on 31 January",
        "Ab wann lohnt sich eine Sondertilgung, wenn ich noch 86.000 Euro Restschuld habe?",
        "Si mi perra Canela tiene miedo a los petardos, qué hago en las Fallas?",
        "Est-ce raisonnable de descendre la Loire alors que mon épouse sera enceinte de cinq mois ?",
        "Hoe leg ik mijn baas Marjolein uit dat ik maar drie dagen wil werken?",
        "Che cosa cucino stasera per mia suocera che è celiaca e per mio marito Duarte?",
        "Is it worth fencing the far field when I've only got 40 goats on it?",
        "Are there grants for people like me who grew up in a children's home?",
        "What do I say to the neighbour, Wim Haas, whose rooster wakes my twins?",
        "Mag de oven 's nachts aan als ik elke dag om half drie opsta voor het brood?",
        "帮我想想国庆带娃去哪儿,小禾才四岁半,晕车",
        "explain why my lizard pickle isnt eating shes a crested gecko btw",
        "هل يستطيع أخي سامر المقيم في مالمو أن يوكلني ببيع سيارته؟",
    ],
)
def test_a_request_with_details_of_the_users_life_is_kept_whole(request_: str) -> None:
    assert is_personal_request(request_)
    assert uncovered_statements(request_, []) == [request_]


@pytest.mark.parametrize(
    "request_",
    [
        "What is the capital of Peru?",
        "What does my daughter Lena play?",
        "When did my sister Anna move to Berlin?",
        "How many plates did my hotel in Bergen order in March?",
        "Can you forget where I live?",
        "Do you remember what I said about my trip to Rome?",
        "Was spielt meine Tochter Lena?",
        "¿Cómo se llama mi perro?",
        "Où habite ma sœur Claire ?",
        "Waar werkt mijn broer Pim?",
        "我女儿叫什么名字?",
        "Can you help me with a recipe for lentil soup?",
        "How do I boil an egg?",
        "should i use a list or a tuple here?",
        "Why does my cat like me",
        "Tell me a story about a dragon and the 3 knights who fought it near our castle.",
        "Fix my code please, the loop never ends.",
        "Kannst du mir erklären, wie ich eine Datei umbenenne?",
        "¿Me puedes decir cómo se hace una tortilla?",
        "Peux-tu m'expliquer la photosynthèse ?",
        "Chi ha scritto I promessi sposi?",
        "帮我写一首关于春天的诗",
        "ما هي عاصمة النرويج؟",
        "Schreib einen Witz über einen Bäcker, der keine Brötchen mag.",
        "Invente une devise pour un pays imaginaire.",
        'Correct the grammar: "Yesterday I have lost my passport in Madrid."',
        "Vertaal naar het Engels: ik werk al tien jaar bij de bank.",
        "ترجم إلى الإنجليزية: أنا أسكن في بيت قريب من البحر.",
    ],
)
def test_other_requests_leave_nothing(request_: str) -> None:
    assert uncovered_statements(request_, []) == []


@pytest.mark.parametrize(
    "text", ["hmm ok", "Danke, das reicht schon!", "Jajaja muy bueno", "谢谢,明白了。", "Oké, top!", "شكراً جزيلاً"]
)
def test_small_talk_leaves_nothing(text: str) -> None:
    assert uncovered_statements(text, []) == []


@pytest.mark.parametrize(
    "request_",
    [
        "Schreib mir ne Nachricht an meine Chefin Frau Kessler, dass ich später komme weil ich um 9 nen Termin hab",
        "schreib ner Freundin, dass ich am Freitag nicht kann, weil ich um 18 Uhr Elternabend hab",
        "comprei um carro novo, um Peugeot 208, como faço o seguro?",
        "de hond van de buren heet Boris en blaft de hele nacht, wat kan ik doen?",
        "schreib meinem Bruder, dass ich im Mai nach Ulm ziehe",
        "formuliere eine Mail an die Schule, dass Mia wegen Scharlach bis Freitag fehlt",
        "escríbele a mi jefa que el lunes no voy porque opero a mi perro a las 10",
        "écris à ma voisine que je pars à Lyon samedi parce que mon père se fait opérer",
        "scrivi a mia sorella che arrivo venerdì perché ho un colloquio alle 15",
        "escreve à minha chefe que amanhã não vou porque o meu filho tem febre",
        "schrijf mijn baas dat ik dinsdag later kom omdat ik om 9 uur naar de tandarts moet",
        "napisz do mojej szefowej, że we wtorek przyjdę później, bo o 9 mam dentystę",
        "write my boss Dana a note that I'm late on Tuesday because I have the dentist at 9",
        "me compré una moto, una Vespa 125, cómo la aseguro?",
        "j'ai acheté un chien, un beagle, je le nourris comment ?",
        "ho comprato una casa a Lucca, come scelgo il mutuo?",
        "hab mir ein E-Bike gekauft, ein Cube, wie versichere ich das?",
        "kupiłem auto, Skodę Fabię, jak je ubezpieczyć?",
        "der Nachbarshund heißt Boris und bellt die ganze Nacht, was kann ich tun?",
        "el perro de los vecinos se llama Boris y ladra toda la noche, qué hago?",
        "schreib ne SMS an meinen Vermieter Herrn Braun, dass die Heizung seit Montag kaputt ist",
        "bitte schreib meiner Mutter, dass wir erst am 24. kommen, weil Lena arbeiten muss",
        "schreib meiner Trainerin dass ich wegen dem Knie zwei Wochen ausfalle",
        "dile a mi casero en un mensaje que la caldera no va desde el martes",
        "rédige un sms pour mon chef, je suis en arrêt jusqu'au 12 mars",
        "scrivi un messaggio al mio capo che domani lavoro da casa perché ho la febbre",
        "escreve uma mensagem ao senhorio a dizer que a torneira da cozinha pinga desde segunda",
        "stuur mijn zus een bericht dat ik zondag om 14 uur kom met Bram",
        "napisz wiadomość do sąsiada, że jego pies szczeka w nocy",
        "text my sister that I can't come Friday because I've got parents' evening at 6",
        "vendi a minha bicicleta, uma Specialized, que recibo faço?",
        "ik heb een auto gekocht, een Fiat 500, hoe verzeker ik die?",
        "the neighbours' dog is called Boris and barks all night, what can i do?",
        "le chien des voisins s'appelle Boris et aboie toute la nuit, que faire ?",
        "il cane dei vicini si chiama Boris e abbaia tutta la notte, cosa posso fare?",
        "pies sąsiadów nazywa się Boris i szczeka całą noc, co mogę zrobić?",
        "o cão dos vizinhos chama-se Boris e ladra a noite toda, o que faço?",
    ],
)
def test_what_a_message_to_write_tells_is_kept(request_: str) -> None:
    assert uncovered_statements(request_, []) != []
    assert all(fact.kind == "user" for fact in extract_from_user(request_))


@pytest.mark.parametrize(
    "request_",
    [
        "schreib mir eine Nachricht an die Bank",
        "schreib einen Text, dass Bäume wichtig sind",
        "schreib ein Gedicht darüber, dass der Frühling kommt",
        "write a note that says thank you",
        "escribe un texto sobre la primavera",
        "was kann ich kochen?",
        "hoe maak ik brood?",
        "como faço pão em casa?",
        "wie schreibe ich eine Bewerbung?",
        "schreib einer Freundin eine nette Nachricht",
        "napisz wiersz o wiośnie",
        "scrivi una storia su un drago, che vola di notte",
        "schreib eine kurze Nachricht, dass es regnet",
        "schreib mir ein Rezept für Brot",
        "dime un poema",
        "rédige un texte sur la mer",
        "schrijf een gedicht over de herfst",
        "text me a joke",
        "napisz list motywacyjny",
        "what can i do against fog?",
        "escreve um conto sobre um rei que perdeu a coroa",
    ],
)
def test_a_task_without_details_leaves_nothing(request_: str) -> None:
    assert uncovered_statements(request_, []) == []
    assert extract_from_user(request_) == []


@pytest.mark.parametrize(
    ("message", "fact"),
    [
        ("can you remind me that I have physio on tuesday at 2?", "I have physio on tuesday at 2"),
        ("Remind me that my trip to Japan is in May.", "my trip to Japan is in May."),
        ("kannst du mich erinnern, dass ich am Dienstag Physio habe?", "ich am Dienstag Physio habe"),
        ("¿me recuerdas que tengo fisio el martes a las 2?", "tengo fisio el martes a las 2"),
        ("tu peux me rappeler que j'ai le kiné mardi 14h ?", "j'ai le kiné mardi 14h"),
        ("mi ricordi che ho la fisio martedì alle 14?", "ho la fisio martedì alle 14"),
        ("podes lembrar-me que tenho fisio terça às 14h?", "tenho fisio terça às 14h"),
        ("kun je me eraan herinneren dat ik dinsdag fysio heb?", "ik dinsdag fysio heb"),
        ("możesz mi przypomnieć, że mam fizjo we wtorek o 14?", "mam fizjo we wtorek o 14"),
    ],
)
def test_a_request_for_a_reminder_states_the_fact(message: str, fact: str) -> None:
    assert uncovered_statements(message, []) == [fact]


@pytest.mark.parametrize(
    "message",
    [
        "can you remind me what I have on tuesday?",
        "can you remind me when my trip is?",
        "tu peux me rappeler ce que j'ai mardi ?",
        "me recuerdas cuándo tengo fisio?",
    ],
)
def test_a_request_for_a_known_fact_states_nothing(message: str) -> None:
    assert uncovered_statements(message, []) == []
