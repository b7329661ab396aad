"""Questions for the conversation itself."""

import pytest

from agent.language.said.conversation import ConversationQuestion, conversation_question

QUESTIONS = {
    "answer": [
        "repeat that",
        "Can you say that again, please?",
        "what was your last suggestion?",
        "what did you just say",
        "Wiederhole das bitte.",
        "Was hast du gerade gesagt?",
        "Peux-tu répéter ?",
        "¿Puedes repetir eso?",
        "Puoi ripetere per favore?",
        "Repete isso",
        "Kun je dat herhalen?",
        "你刚才说了什么？",
    ],
    "question": [
        "what did i just ask?",
        "What was my last question again?",
        "Was habe ich dich gerade gefragt?",
        "Qu'est-ce que je viens de te demander ?",
        "¿Qué te acabo de preguntar?",
        "Cosa ti ho chiesto?",
        "O que é que eu perguntei?",
        "Wat vroeg ik net?",
        "我刚才问了什么？",
    ],
    "first": [
        "what did I say first?",
        "wait, what did I tell you in my first message?",
        "Was war meine erste Nachricht?",
        "Quel était mon premier message ?",
        "¿Qué te dije al principio?",
        "Qual era il mio primo messaggio?",
        "Qual foi a minha primeira mensagem?",
        "Wat was mijn eerste vraag?",
        "我的第一条消息是什么？",
    ],
    "thread": [
        "Summarize our conversation so far",
        "what were we talking about?",
        "what have you learned from this conversation?",
        "Fass unser Gespräch bitte zusammen",
        "Résume notre conversation",
        "Resume esta conversación",
        "Riassumi la nostra conversazione",
        "Resume a nossa conversa",
        "Vat ons gesprek samen",
        "总结一下我们的对话",
    ],
}
ABOUT = {
    "what did you say about the pasta recipe?": "the pasta recipe",
    "you said something about stretching, what was it?": "stretching",
    "which gift ideas did you give me for Leo?": "Leo",
    "Was hast du mir über den Garten gesagt?": "Garten",
    "Qu'est-ce que tu m'as dit sur le vélo ?": "vélo",
    "¿Qué me dijiste sobre la receta?": "receta",
    "Cosa mi hai consigliato per il viaggio?": "viaggio",
    "O que me disseste sobre a receita?": "receita",
    "Wat zei je over het recept?": "recept",
    "关于面条，你说了什么？": "面条",
}
OTHERS = [
    "please repeat that exercise daily, my physio said",
    "My teacher asked me to repeat that year.",
    "What did the president say yesterday?",
    "My last suggestion at work was rejected",
    "I just asked my landlord for a new boiler.",
    "what did I tell you yesterday?",
    "what did you do yesterday?",
    "summarise this article about conversation",
    "what did my sister say about the pasta recipe?",
    "say hello again to Tom",
    "was hat mein Chef gesagt?",
    "qu'est-ce que Paul a dit ?",
    "¿qué me dijo mi jefe sobre la reunión?",
    "我老板说了什么？",
]


@pytest.mark.parametrize(("kind", "message"), [(kind, one) for kind, ones in QUESTIONS.items() for one in ones])
def test_a_question_for_the_conversation_is_recognised(kind: str, message: str) -> None:
    question = conversation_question(message)
    assert question is not None
    assert (question.kind, question.topic) == (kind, "")


@pytest.mark.parametrize(("message", "topic"), ABOUT.items())
def test_a_question_for_an_answer_names_its_topic(message: str, topic: str) -> None:
    assert conversation_question(message) == ConversationQuestion("about", topic)


@pytest.mark.parametrize("message", OTHERS)
def test_other_messages_are_no_questions_for_the_conversation(message: str) -> None:
    assert conversation_question(message) is None
