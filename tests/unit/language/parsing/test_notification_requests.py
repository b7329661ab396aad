"""Requests for reminders and alarms."""

import pytest

from agent.language.facts.extraction import own_statements
from agent.language.message_analysis import MessageContent
from agent.language.parsing.notification_requests import is_alarm, is_notification_request, is_reminder
from agent.language.requests.notifications import asks_for_notification, asks_for_reminder, without_notifications

REMINDERS = [
    "send me a reminder tonight to feed the cat",
    "I'd like a reminder on the 3rd to renew my passport",
    "can you schedule a reminder every Monday at 8 to put the bins out",
    "notify me on Tuesday about the parcel",
    "ping me at 5 to pick up Mia",
    "Text me tomorrow morning so I don't oversleep my interview",
    "give me a nudge on Friday to pay the rent",
    "pls make me a reminder: dentist on 4 March",
    "I need a reminder for mum's birthday on 12 May",
    "could you set up a daily reminder for my insulin at 8am?",
    "message me next week about the boiler service",
    "Mach mir eine Erinnerung für Freitag: Miete zahlen",
    "Schick mir morgen eine Erinnerung, dass ich den Tierarzt anrufe",
    "Kannst du mich um 18 Uhr daran erinnern, die Wäsche aufzuhängen?",
    "Ich brauche eine Erinnerung an Papas Geburtstag am 3. Mai",
    "Sag mir morgen Bescheid, dass ich das Auto abholen muss",
    "mets-moi un rappel demain à 9h pour appeler le médecin",
    "Envoie-moi un rappel vendredi pour le loyer",
    "Préviens-moi mardi pour le colis",
    "Ponme un recordatorio para el viernes: pagar el alquiler",
    "Mándame un aviso mañana para llamar a mi madre",
    "Avísame el martes de lo del paquete",
    "¿Puedes recordarme mañana que compre pan?",
    "Mettimi un promemoria per venerdì: pagare l'affitto",
    "Mandami un promemoria domani per chiamare il medico",
    "Avvisami martedì per il pacco",
    "Me manda um lembrete amanhã para ligar pro banco",
    "Cria um lembrete para sexta: pagar o aluguel",
    "Me avisa na terça sobre a encomenda",
    "Stuur me morgen een herinnering om de huur te betalen",
    "Zet een herinnering voor vrijdag: tandarts",
    "Waarschuw me dinsdag voor het pakket",
    "明天早上九点提醒我给妈妈打电话",
    "给我设个周五交房租的提醒",
    "星期二通知我取包裹",
]
ALARMS = [
    "Set an alarm for 7am",
    "wake me up at 6",
    "Ping me when it's 5pm",
    "Set a timer for 10 minutes",
    "can you wake me tomorrow at 6:30 please",
    "start a 25 minute timer",
    "alarm for 5.45 tomorrow pls",
    "set my alarm for 7 on weekdays",
    "countdown from 10 minutes please",
    "Stell einen Wecker für 7 Uhr",
    "Weck mich um 6",
    "Stell bitte einen Timer auf 10 Minuten",
    "Weckst du mich morgen um halb sieben?",
    "pon una alarma a las 7",
    "Despiértame a las 7",
    "Pon un temporizador de 10 minutos",
    "mets un réveil à 6h",
    "Réveille-moi à 7h demain",
    "lance un minuteur de 10 minutes",
    "metti una sveglia alle 7",
    "Svegliami alle 6",
    "imposta un timer di 10 minuti",
    "coloca um alarme para as 7",
    "Me acorda às 6",
    "põe um temporizador de 10 minutos",
    "zet een wekker om 7 uur",
    "maak me wakker om 6 uur",
    "zet een timer op 10 minuten",
    "定一个七点的闹钟",
    "明天六点叫醒我",
]
OTHERS = [
    "This song reminds me of my ex",
    "He reminded me to buy milk",
    "What did I want to be reminded of?",
    "Remind me what we talked about",
    "Remind me of my sister's name",
    "My alarm is set for 7",
    "I set an alarm for 5 every day because of my shift",
    "my wife wakes me up at 6",
    "The fire alarm in our building went off at 3am",
    "I woke up at 6",
    "I'm alarmed by my blood results",
    "My smart watch sends me a reminder to stand up every hour",
    "Tom texts me every morning",
    "They will notify me on Tuesday about the job",
    "Mum pinged me about Sunday lunch",
    "Can you tell me how to set an alarm on an iPhone 15?",
    "Write a reminder email to my tenant about the rent",
    "Draft a text to remind Anna about the party on Friday",
    "How do I get the kettle timer to stop?",
    "I keep my egg timer next to the stove",
    "I got a reminder from the dentist for 4 March",
    "Mein Wecker klingelt um 6",
    "Meine Frau weckt mich immer um 6",
    "Erinnere mich, wie Annas Hund heißt",
    "Mi alarma suena a las 6",
    "Mon réveil sonne à 6h",
    "La mia sveglia suona alle 6",
    "O meu despertador toca às 6",
    "Mijn wekker gaat om 6 uur",
    "我的闹钟六点响",
    "我妻子每天六点叫我起床",
    "We got a letter that the water will be off on Tuesday",
    "give me a hint for question 3",
    "message from my boss: meeting moved to 3pm on Thursday",
    "text me is a song by DIIV",
    "wake me up is my favourite song by Avicii",
]


def test_a_reminder_is_recognised_and_kept() -> None:
    assert [text for text in REMINDERS if not is_reminder(text) or is_alarm(text)] == []
    assert [text for text in REMINDERS if not MessageContent.of(text).recallable] == []


def test_an_alarm_is_recognised_and_states_nothing() -> None:
    assert [text for text in ALARMS if not is_alarm(text) or is_reminder(text)] == []
    assert [text for text in ALARMS if own_statements(text) or MessageContent.of(text).recallable] == []


def test_an_alarm_with_a_purpose_is_kept() -> None:
    texts = ["Set an alarm for 7, I have a flight to Oslo", "Weck mich um 6, ich habe eine Prüfung"]
    assert [text for text in texts if not asks_for_notification(text) or not MessageContent.of(text).recallable] == []


def test_other_sentences_ask_for_no_notification() -> None:
    assert list(filter(is_notification_request, OTHERS)) == []


@pytest.mark.parametrize(
    ("message", "rest"),
    [
        ("I'm at work. Remind me at 6 to buy milk. Also, what's 3+4?", "I'm at work. Also, what's 3+4?"),
        ("Set a timer for 10 minutes. My eggs are from Lidl.", "My eggs are from Lidl."),
        ("Wake me up at 6!", ""),
    ],
)
def test_requests_are_found_among_other_sentences(message: str, rest: str) -> None:
    assert asks_for_notification(message)
    assert asks_for_reminder(message) == ("Remind" in message)
    assert without_notifications(message) == rest
