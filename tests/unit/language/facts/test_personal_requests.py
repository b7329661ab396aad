"""Requests that mention the life of their author are kept whole; others leave nothing."""

import pytest

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
