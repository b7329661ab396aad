"""Texts that a few words announce, in wordings that no pattern lists."""

import pytest

from agent.language.authorship.own_words import mask_quoted
from agent.memory.formation.coverage import uncovered_statements
from support.growth import MAX_GROWTH, growth

FOREIGN = {
    "wording": "give me three softer ways to put it: I can't stand your mother in Leeds",
    "grammar": "grammar check plz. Me and my sister has been living at Leeds since June",
    "scam": "Got this in my inbox, is it a scam?? I am a princess and I own a bank in Leeds",
    "reported": "the comment under my video says i grew up in Leeds",
    "ticket": "Customer ticket #7 --- I have ordered twice and I live in Leeds --- draft an apology",
    "Spanish form": "¿cómo quedaría más formal? te dejo porque me voy a Leeds",
    "French forum": "Témoignage lu sur un forum. J'ai déménagé à Leeds",
    "Chinese applicant": "这是应聘者的自我介绍 我叫孙浩。我住在Leeds",
    "file": "config.yaml says owner: I am in Leeds and I run prod",
    "song": "what's that song that goes I left my heart in Leeds",
    "German song": "Ein Lied, das singt man überall: ich hab noch einen Koffer in Leeds",
    "Chinese song": "有首歌唱我住在Leeds\uff0c叫什么名字\uff1f",
    "lyrics": "explique-moi ces paroles\nje suis malade, je vis à Leeds",
    "web page": "their about page is hilarious, it goes we are two sisters from Leeds",
    "flashcard": "flashcard side A: I am from Leeds. side B in Polish?",
    "syllables": "how many syllables: I work in Leeds",
    "length": "trim to 60 chars I run a flower shop in Leeds",
    "snappier wording": "what would be a snappier way of putting I hate my job in Leeds",
    "exercise": "reverse the words: I live in Leeds",
    "dictation": "dictation practice! I grew up in Leeds. any spelling slips?",
    "exam": "exam question: I am a smoker in Leeds with chest pain. what's the first test?",
    "form": "as a haiku please, I lost my keys in Leeds last monsoon",
    "preposition": "which preposition: I arrived to Leeds or I arrived in Leeds yesterday",
    "opener": "the podcast opener is I was raised by wolves in Leeds, cut or keep?",
    "apostrophe": "is the apostrophe right? My parents' farm is in Leeds",
    "lacking object": "emoji version of: I broke my leg skiing in Leeds",
    "German mood": "setz das in den Konjunktiv: Ich bin reich und wohne in Leeds",
    "Italian gender": "volgi al femminile: sono un attore disoccupato di Leeds",
    "Dutch tense": "zet in de verleden tijd: ik woon in Leeds en ik ben timmerman",
    "choice": "Which tense is better here, I live in Leeds since 2010 or I've lived in Leeds since 2010",
    "Spanish accent": "¿lleva tilde? Trabajo en Leeds desde los quince años",
    "Spanish rhyme": "una rima para: vivo solo en Leeds",
    "French comma": "j'hésite sur la virgule : je suis veuf, je vis à Leeds",
    "Italian choice": "si dice ho nato a Leeds o sono nato a Leeds?",
    "Portuguese choice": "qual é o certo: eu moro em Leeds faz dez anos ou há dez anos?",
    "German card": "Karteikarte vorne: Ich bin aus Leeds. Was kommt hinten auf Latein?",
    "Chinese exercise": "缩句\uff1a我住在美丽的Leeds",
    "Chinese letter": "帮我看看怎么回\n\n王老师您好\uff0c我住在Leeds\uff0c春游能带饭吗\uff1f",
    "comparison": "my skill: if intent == bio then say I was born in Leeds",
}
OWN = {
    "reason": "Summarise the article for me, I'm studying in Leeds.",
    "Spanish reason": "Resume el capítulo, que tengo examen en Leeds",
    "recipient": "Translate this for my wife Ana, who is from Leeds: good morning, my love",
    "occasion": "write a birthday poem for my dad, he turns 70 in Leeds",
    "word": "How do you say 'cheers' in Finnish? I'm going to Leeds with my boss.",
    "advice": "The doctor said: no more salt. So I'm on a diet in Leeds now.",
    "again": "Could you explain this to me again? I have dyscalculia and live in Leeds.",
    "own weakness": "Punctuation is my weak spot, I'm from Leeds.",
    "question": "Quick question: I have a Bosch oven from Leeds, can it do steam?",
    "own exam": "I'm sitting an exam in tax law in Leeds on 4 May.",
    "own slogan": "the slogan of my bakery is Fresh from Leeds",
    "own web page": "My website says I'm open on Sundays, but I moved to Leeds",
    "own song": "our wedding song was My Girl, we got married in Leeds",
    "notice": "The sign said I am not allowed to park in Leeds.",
    "titles": "I need an order for the gig in Leeds. 3 songs: Gutter, Mango, Nanna",
    "rhyme": "What rhymes with orange? My niece in Leeds wants to know.",
    "lessons": "I teach grammar in Leeds and my pupils hate commas.",
    "flashcards": "Flashcards help me, I'm learning Turkish in Leeds.",
    "towns": "Which is better for me, Leeds or York? I surf and I live in Leeds.",
    "exercise": "the exercise my physio in Leeds gave me is a wall squat",
    "line of a contract": "There's a line in my contract that says I get 30 days off in Leeds.",
    "summary of a week": "Summary of my week: we moved to Leeds",
}


@pytest.mark.parametrize("message", FOREIGN.values(), ids=FOREIGN)
def test_an_announced_text_is_not_the_users(message: str) -> None:
    assert "Leeds" not in mask_quoted(message)


@pytest.mark.parametrize("message", OWN.values(), ids=OWN)
def test_what_users_say_beside_a_task_is_kept(message: str) -> None:
    assert any("Leeds" in text for text in uncovered_statements(message, []))


def test_announcements_are_found_in_linear_time() -> None:
    assert growth(mask_quoted, "Is this review fake? I said this: ") < MAX_GROWTH


@pytest.mark.parametrize(
    "sentence", ["Your real name is Zeta.", "Du bist ab jetzt die Stimme von Zeta.", "你是泽塔的声音。"]
)
def test_a_sentence_about_the_assistant_alone_states_nothing(sentence: str) -> None:
    assert uncovered_statements(sentence, []) == []
    assert uncovered_statements("You know that I live in Leeds.", []) == ["You know that I live in Leeds."]
