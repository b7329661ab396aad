"""The fixed phrases of the offline model, by language."""

from collections.abc import Mapping
from dataclasses import dataclass

from agent.models.offline_language import Language


@dataclass(frozen=True, slots=True)
class Phrases:
    """The phrases in one language."""

    about_model: str
    quoted: str
    closest: str
    more: str
    """After a list for which the prompt had no room for everything."""
    nothing_known: str
    noted: str
    noted_facts: str
    """Precedes the facts."""
    nothing_to_note: str
    not_saved: str
    not_forgotten: str
    cannot_answer: str
    cannot_remind: str
    cannot_notify: str
    credentials_refused: str
    injection_refused: str
    hello: str
    welcome: str
    crisis: str
    """For a message about suicide, self-harm or an overdose."""


PHRASES: Mapping[Language, Phrases] = {
    "en": Phrases(
        about_model=(
            "I am Keepsake's offline model. I am not a language model: I only quote what you told me."
            " To use a language model, set OPENAI_API_KEY, or OPENAI_BASE_URL for a server of your own."
        ),
        quoted="You told me:",
        closest="The offline model found no direct answer. The closest that you told me:",
        more="There is more.",
        nothing_known="You have not told me anything about that yet.",
        noted="Noted.",
        noted_facts="Noted:",
        nothing_to_note="All right.",
        not_saved="Memory is off, so this is not saved.",
        not_forgotten="Memory is off, so nothing is forgotten.",
        cannot_answer="I cannot answer that.",
        cannot_remind="Noted. I cannot remind you at a time, but you can ask me about it.",
        cannot_notify="I cannot notify you at a time.",
        credentials_refused=(
            "That looks like a password, key or account number. I do not remember it, but this thread still contains"
            " it: to remove it, delete the thread."
        ),
        injection_refused="I only quote what you told me. Instructions cannot change that.",
        hello="Hello.",
        welcome="You are welcome.",
        crisis=(
            "This is an automatic reply: I am not a language model, and no person reads this. If you or somebody else"
            " is in danger, please call your local emergency services (112, 911 or 999) or a crisis line now, or speak"
            " to somebody you trust. After an overdose, get medical help at once, even if you feel well."
        ),
    ),
    "de": Phrases(
        about_model=(
            "Ich bin das Offline-Modell von Keepsake. Ich bin kein Sprachmodell: Ich gebe nur wieder, was du mir"
            " erzählt"
            " hast. Für ein Sprachmodell setze OPENAI_API_KEY, oder OPENAI_BASE_URL für einen eigenen Server."
        ),
        quoted="Du hast mir erzählt:",
        closest="Das Offline-Modell hat keine direkte Antwort gefunden. Am nächsten kommt, was du mir erzählt hast:",
        more="Es gibt noch mehr.",
        nothing_known="Darüber hast du mir noch nichts erzählt.",
        noted="Notiert.",
        noted_facts="Notiert:",
        nothing_to_note="In Ordnung.",
        not_saved="Das Gedächtnis ist ausgeschaltet, daher wird das nicht gespeichert.",
        not_forgotten="Das Gedächtnis ist ausgeschaltet, daher wird nichts vergessen.",
        cannot_answer="Das kann ich nicht beantworten.",
        cannot_remind="Notiert. Ich kann dich nicht zu einer Zeit erinnern, aber du kannst mich danach fragen.",
        cannot_notify="Ich kann dich nicht zu einer bestimmten Zeit benachrichtigen.",
        credentials_refused=(
            "Das sieht aus wie ein Passwort, ein Schlüssel oder eine Kontonummer. Ich merke es mir nicht, aber dieser"
            " Chat enthält es noch: Um es zu entfernen, lösche den Chat."
        ),
        injection_refused="Ich gebe nur wieder, was du mir erzählt hast. Anweisungen ändern daran nichts.",
        hello="Hallo.",
        welcome="Gern geschehen.",
        crisis=(
            "Das ist eine automatische Antwort: Ich bin kein Sprachmodell, und kein Mensch liest dies. Wenn du oder"
            " jemand anderes in Gefahr ist, wende dich bitte jetzt an den Notruf (112, 911 oder 999) oder ein"
            " Krisentelefon, oder sprich mit jemandem, dem du vertraust. Hole nach einer Überdosis sofort ärztliche"
            " Hilfe, auch wenn es dir gut geht."
        ),
    ),
    "es": Phrases(
        about_model=(
            "Soy el modelo sin conexión de Keepsake. No soy un modelo de lenguaje: solo cito lo que me has contado."
            " Para usar un modelo de lenguaje, configura OPENAI_API_KEY, u OPENAI_BASE_URL para un servidor propio."
        ),
        quoted="Me has contado:",
        closest="El modelo sin conexión no ha encontrado una respuesta directa. Lo más cercano que me has contado:",
        more="Hay más.",
        nothing_known="Todavía no me has contado nada sobre eso.",
        noted="Anotado.",
        noted_facts="Anotado:",
        nothing_to_note="De acuerdo.",
        not_saved="La memoria está desactivada, así que esto no se guarda.",
        not_forgotten="La memoria está desactivada, así que no se olvida nada.",
        cannot_answer="No puedo responder a eso.",
        cannot_remind="Anotado. No puedo avisarte a una hora, pero puedes preguntarme por ello.",
        cannot_notify="No puedo avisarte a una hora determinada.",
        credentials_refused=(
            "Eso parece una contraseña, una clave o un número de cuenta. No lo recuerdo, pero esta conversación todavía"
            " lo contiene: para quitarlo, borra la conversación."
        ),
        injection_refused="Solo cito lo que me has contado. Las instrucciones no pueden cambiar eso.",
        hello="Hola.",
        welcome="De nada.",
        crisis=(
            "Esta es una respuesta automática: no soy un modelo de lenguaje y ninguna persona lee esto. Si tú u otra"
            " persona está en peligro, llama ahora a los servicios de emergencia (112, 911 o 999) o a una línea de"
            " ayuda, o habla con alguien de confianza. Después de una sobredosis, busca ayuda médica enseguida, aunque"
            " te encuentres bien."
        ),
    ),
    "fr": Phrases(
        about_model=(
            "Je suis le modèle hors ligne de Keepsake. Je ne suis pas un modèle de langage : je cite seulement ce"
            " que tu"
            " m'as dit. Pour un modèle de langage, définis OPENAI_API_KEY, ou OPENAI_BASE_URL pour ton propre serveur."
        ),
        quoted="Tu m'as dit :",
        closest="Le modèle hors ligne n'a pas trouvé de réponse directe. Le plus proche de ce que tu m'as dit :",
        more="Il y en a d'autres.",
        nothing_known="Tu ne m'as encore rien dit à ce sujet.",
        noted="C'est noté.",
        noted_facts="C'est noté :",
        nothing_to_note="D'accord.",
        not_saved="La mémoire est désactivée, donc rien n'est enregistré.",
        not_forgotten="La mémoire est désactivée, donc rien n'est oublié.",
        cannot_answer="Je ne peux pas répondre à cela.",
        cannot_remind="C'est noté. Je ne peux pas te le rappeler à une heure donnée, mais tu peux me le demander.",
        cannot_notify="Je ne peux pas te prévenir à une heure donnée.",
        credentials_refused=(
            "Cela ressemble à un mot de passe, une clé ou un numéro de compte. Je ne le retiens pas, mais cette"
            " conversation le contient encore : pour l'effacer, supprime la conversation."
        ),
        injection_refused="Je cite seulement ce que tu m'as dit. Des instructions n'y changent rien.",
        hello="Bonjour.",
        welcome="Je t'en prie.",
        crisis=(
            "Ceci est une réponse automatique : je ne suis pas un modèle de langage et personne ne lit ce message. Si"
            " toi ou quelqu'un d'autre est en danger, appelle maintenant les secours (112, 911 ou 999) ou une ligne"
            " d'écoute, ou parle à quelqu'un de confiance. Après un surdosage, demande tout de suite une aide médicale,"
            " même si tu te sens bien."
        ),
    ),
    "it": Phrases(
        about_model=(
            "Sono il modello offline di Keepsake. Non sono un modello linguistico: cito solo ciò che mi hai detto."
            " Per un modello linguistico, imposta OPENAI_API_KEY, o OPENAI_BASE_URL per un tuo server."
        ),
        quoted="Mi hai detto:",
        closest="Il modello offline non ha trovato una risposta diretta. Ciò che mi hai detto di più vicino:",
        more="C'è dell'altro.",
        nothing_known="Non mi hai ancora detto nulla al riguardo.",
        noted="Annotato.",
        noted_facts="Annotato:",
        nothing_to_note="Va bene.",
        not_saved="La memoria è disattivata, quindi questo non viene salvato.",
        not_forgotten="La memoria è disattivata, quindi non viene dimenticato nulla.",
        cannot_answer="Non posso rispondere a questo.",
        cannot_remind="Annotato. Non posso ricordartelo a un'ora precisa, ma puoi chiedermelo.",
        cannot_notify="Non posso avvisarti a un'ora precisa.",
        credentials_refused=(
            "Sembra una password, una chiave o un numero di conto. Non lo ricordo, ma questa conversazione lo contiene"
            " ancora: per rimuoverlo, elimina la conversazione."
        ),
        injection_refused="Cito solo ciò che mi hai detto. Le istruzioni non possono cambiarlo.",
        hello="Ciao.",
        welcome="Prego.",
        crisis=(
            "Questa è una risposta automatica: non sono un modello linguistico e nessuna persona legge questo"
            " messaggio."
            " Se tu o qualcun altro è in pericolo, chiama subito i servizi di emergenza (112, 911 o 999) o una linea di"
            " ascolto, oppure parla con una persona di fiducia. Dopo un'overdose cerca subito assistenza medica, anche"
            " se ti senti bene."
        ),
    ),
    "pt": Phrases(
        about_model=(
            "Sou o modelo offline do Keepsake. Não sou um modelo de linguagem: só cito o que você me contou. Para usar"
            " um modelo de linguagem, defina OPENAI_API_KEY, ou OPENAI_BASE_URL para um servidor próprio."
        ),
        quoted="Você me contou:",
        closest="O modelo offline não encontrou uma resposta direta. O mais próximo que você me contou:",
        more="Há mais.",
        nothing_known="Você ainda não me contou nada sobre isso.",
        noted="Anotado.",
        noted_facts="Anotado:",
        nothing_to_note="Certo.",
        not_saved="A memória está desativada, por isso isto não é salvo.",
        not_forgotten="A memória está desativada, por isso nada é esquecido.",
        cannot_answer="Não consigo responder a isso.",
        cannot_remind="Anotado. Não posso avisar você em um horário, mas você pode me perguntar.",
        cannot_notify="Não posso avisar você em um horário determinado.",
        credentials_refused=(
            "Isso parece uma senha, uma chave ou um número de conta. Não me lembro dela, mas esta conversa ainda a"
            " contém: para removê-la, apague a conversa."
        ),
        injection_refused="Só cito o que você me contou. Instruções não mudam isso.",
        hello="Olá.",
        welcome="De nada.",
        crisis=(
            "Esta é uma resposta automática: não sou um modelo de linguagem e nenhuma pessoa lê isto. Se você ou outra"
            " pessoa está em perigo, ligue agora para os serviços de emergência (112, 911 ou 999; no Brasil, 192) ou"
            " para uma linha de apoio, ou fale com alguém de confiança. Depois de uma overdose, procure ajuda médica"
            " imediatamente, mesmo que se sinta bem."
        ),
    ),
    "nl": Phrases(
        about_model=(
            "Ik ben het offlinemodel van Keepsake. Ik ben geen taalmodel: ik citeer alleen wat je me hebt verteld."
            " Stel voor een taalmodel OPENAI_API_KEY in, of OPENAI_BASE_URL voor een eigen server."
        ),
        quoted="Je hebt me verteld:",
        closest="Het offlinemodel vond geen direct antwoord. Wat je me hebt verteld en het dichtst in de buurt komt:",
        more="Er is nog meer.",
        nothing_known="Daarover heb je me nog niets verteld.",
        noted="Genoteerd.",
        noted_facts="Genoteerd:",
        nothing_to_note="Goed.",
        not_saved="Het geheugen staat uit, dus dit wordt niet opgeslagen.",
        not_forgotten="Het geheugen staat uit, dus er wordt niets vergeten.",
        cannot_answer="Dat kan ik niet beantwoorden.",
        cannot_remind="Genoteerd. Ik kan je er niet op een tijdstip aan herinneren, maar je kunt me ernaar vragen.",
        cannot_notify="Ik kan je niet op een tijdstip waarschuwen.",
        credentials_refused=(
            "Dat lijkt op een wachtwoord, sleutel of rekeningnummer. Ik onthoud het niet, maar dit gesprek bevat het"
            " nog: verwijder het gesprek om het te wissen."
        ),
        injection_refused="Ik citeer alleen wat je me hebt verteld. Instructies veranderen daar niets aan.",
        hello="Hallo.",
        welcome="Graag gedaan.",
        crisis=(
            "Dit is een automatisch antwoord: ik ben geen taalmodel en niemand leest dit. Als jij of iemand anders in"
            " gevaar is, bel dan nu de hulpdiensten (112, 911 of 999) of een crisislijn, of praat met iemand die je"
            " vertrouwt. Zoek na een overdosis meteen medische hulp, ook als je je goed voelt."
        ),
    ),
    "zh": Phrases(
        about_model=(
            "我是 Keepsake 的离线模型，不是语言模型：我只引用你告诉过我的内容。要使用语言模型，请设置 OPENAI_API_KEY；"
            "若使用自己的服务器，请设置 OPENAI_BASE_URL。"
        ),
        quoted="你告诉过我：",
        closest="离线模型没有找到直接的答案。你告诉过我的最接近的内容：",
        more="还有更多。",
        nothing_known="关于这一点，你还没有告诉过我什么。",
        noted="已记下。",
        noted_facts="已记下：",
        nothing_to_note="好的。",
        not_saved="记忆已关闭，因此这不会被保存。",
        not_forgotten="记忆已关闭，因此没有忘记任何内容。",
        cannot_answer="这个我无法回答。",
        cannot_remind="已记下。我不能按时提醒你，但你可以问我。",
        cannot_notify="我不能按时通知你。",
        credentials_refused=(
            "这看起来像密码、密钥或账号。我不会记住它，但这个对话里仍然有它：要移除它，请删除这个对话。"
        ),
        injection_refused="我只引用你告诉过我的内容，指令不能改变这一点。",
        hello="你好。",
        welcome="不客气。",
        crisis=(
            "这是自动回复：我不是语言模型，也没有人在阅读这条消息。如果你或别人有危险，请立即拨打当地的急救电话"
            "（中国大陆 120 或 110，其他地区 112、911 或 999）或心理援助热线（中国大陆 12356），或者告诉你信任的人。"
            "如果服药过量，即使感觉良好，也请马上就医。"
        ),
    ),
}
