"""What the user is told about requests to remember and to forget: in English for models, translated when offline."""

from collections.abc import Mapping
from dataclasses import dataclass, fields

from agent.models.offline_language import Language


@dataclass(frozen=True, slots=True)
class RequestResults:
    """The results of requests in one language. Those that end with a colon precede what they concern."""

    forgotten_message: str
    forgotten: str
    restored: str
    remembered: str
    not_remembered: str
    nothing_forgotten: str
    nothing_found: str
    nothing_before: str
    choose: str
    choose_more: str
    """Said of a list after what is forgotten."""
    all: str
    failed: str


RESULTS: Mapping[Language, RequestResults] = {
    "en": RequestResults(
        forgotten_message="Forgotten: this message",
        forgotten="Forgotten:",
        restored="Restored:",
        remembered="Remembered:",
        not_remembered="Not remembered:",
        nothing_forgotten="Nothing is forgotten.",
        nothing_found="Nothing like that is remembered.",
        nothing_before="Nothing of the last message is remembered.",
        choose='Nothing is forgotten yet. Which of these do you mean? Reply with numbers, or "yes" for all.',
        choose_more=(
            "These may be about something else as well. Which of them should be forgotten, too?"
            ' Reply with numbers, or "yes" for all.'
        ),
        all=(
            'No memory is deleted. To delete all memories, select "Delete all memories" in the memory panel, or on the'
            ' memory page under "More actions"; for programs, it is DELETE /memories.'
        ),
        failed="The request could not be carried out. Nothing has changed; ask again later.",
    ),
    "de": RequestResults(
        forgotten_message="Vergessen: diese Nachricht",
        forgotten="Vergessen:",
        restored="Wiederhergestellt:",
        remembered="Gemerkt:",
        not_remembered="Nicht gemerkt:",
        nothing_forgotten="Es wurde nichts vergessen.",
        nothing_found="Dazu ist nichts gespeichert.",
        nothing_before="Von der letzten Nachricht ist nichts gespeichert.",
        choose="Noch ist nichts vergessen. Was davon meinst du? Antworte mit Nummern, oder mit „ja“ für alle.",
        choose_more=(
            "Hier geht es vielleicht auch um etwas anderes. Was davon soll auch vergessen werden?"
            " Antworte mit Nummern, oder mit „ja“ für alle."
        ),
        all=(
            "Keine Erinnerung wurde gelöscht. Um alle zu löschen, wähle „Alle Erinnerungen löschen“ im Bereich für"
            " Erinnerungen, oder auf deren Seite unter „Weitere Aktionen“; für Programme ist es DELETE /memories."
        ),
        failed="Die Bitte konnte nicht ausgeführt werden. Nichts hat sich geändert; versuche es später noch einmal.",
    ),
    "es": RequestResults(
        forgotten_message="Olvidado: este mensaje",
        forgotten="Olvidado:",
        restored="Recuperado:",
        remembered="Recordado:",
        not_remembered="No recordado:",
        nothing_forgotten="No se ha olvidado nada.",
        nothing_found="No hay nada guardado sobre eso.",
        nothing_before="No hay nada guardado del último mensaje.",
        choose="Todavía no se ha olvidado nada. ¿A cuál de estos te refieres? Responde con números, o «sí» para todos.",
        choose_more=(
            "Estos quizá traten también de otra cosa. ¿Cuáles debo olvidar también?"
            " Responde con números, o «sí» para todos."
        ),
        all=(
            "No se ha borrado ningún recuerdo. Para borrarlos todos, elige «Delete all memories» en el panel de"
            " recuerdos, o en su página en «More actions»; para programas es DELETE /memories."
        ),
        failed="No se ha podido hacer. No ha cambiado nada; inténtalo más tarde.",
    ),
    "fr": RequestResults(
        forgotten_message="Oublié : ce message",
        forgotten="Oublié :",
        restored="Restauré :",
        remembered="Retenu :",
        not_remembered="Non retenu :",
        nothing_forgotten="Rien n'a été oublié.",
        nothing_found="Rien de tel n'est enregistré.",
        nothing_before="Rien du dernier message n'est enregistré.",
        choose="Rien n'est encore oublié. Lequel veux-tu dire ? Réponds par des numéros, ou « oui » pour tous.",
        choose_more=(
            "Ceux-ci concernent peut-être aussi autre chose. Lesquels faut-il oublier aussi ?"
            " Réponds par des numéros, ou « oui » pour tous."
        ),
        all=(
            "Aucun souvenir n'a été supprimé. Pour tout supprimer, choisis « Delete all memories » dans le panneau des"
            " souvenirs, ou sur leur page sous « More actions » ; pour les programmes, c'est DELETE /memories."
        ),
        failed="La demande n'a pas pu être exécutée. Rien n'a changé ; réessaie plus tard.",
    ),
    "it": RequestResults(
        forgotten_message="Dimenticato: questo messaggio",
        forgotten="Dimenticato:",
        restored="Ripristinato:",
        remembered="Ricordato:",
        not_remembered="Non ricordato:",
        nothing_forgotten="Non è stato dimenticato niente.",
        nothing_found="Non c'è niente di salvato su questo.",
        nothing_before="Dell'ultimo messaggio non è salvato niente.",
        choose=(
            "Non è ancora stato dimenticato niente. Quale di questi intendi? Rispondi con i numeri, o «sì» per tutti."
        ),
        choose_more=(
            "Questi riguardano forse anche altro. Quali devo dimenticare? Rispondi con i numeri, o «sì» per tutti."
        ),
        all=(
            "Nessun ricordo è stato cancellato. Per cancellarli tutti, scegli «Delete all memories» nel pannello dei"
            " ricordi, o nella loro pagina sotto «More actions»; per i programmi è DELETE /memories."
        ),
        failed="Non è stato possibile eseguire la richiesta. Non è cambiato niente; riprova più tardi.",
    ),
    "pt": RequestResults(
        forgotten_message="Esquecido: esta mensagem",
        forgotten="Esquecido:",
        restored="Recuperado:",
        remembered="Lembrado:",
        not_remembered="Não lembrado:",
        nothing_forgotten="Nada foi esquecido.",
        nothing_found="Não há nada guardado sobre isso.",
        nothing_before="Não há nada guardado da última mensagem.",
        choose="Ainda nada foi esquecido. A qual destes te referes? Responde com números, ou «sim» para todos.",
        choose_more=(
            "Estes talvez tratem também de outra coisa. Quais devo esquecer também?"
            " Responde com números, ou «sim» para todos."
        ),
        all=(
            "Nenhuma memória foi apagada. Para apagar todas, escolhe «Delete all memories» no painel das memórias, ou"
            " na sua página em «More actions»; para programas é DELETE /memories."
        ),
        failed="Não foi possível executar o pedido. Nada mudou; tenta mais tarde.",
    ),
    "nl": RequestResults(
        forgotten_message="Vergeten: dit bericht",
        forgotten="Vergeten:",
        restored="Hersteld:",
        remembered="Onthouden:",
        not_remembered="Niet onthouden:",
        nothing_forgotten="Er is niets vergeten.",
        nothing_found="Daarover is niets bewaard.",
        nothing_before="Van het vorige bericht is niets bewaard.",
        choose='Er is nog niets vergeten. Welke van deze bedoel je? Antwoord met nummers, of "ja" voor alle.',
        choose_more=(
            "Deze gaan misschien ook over iets anders. Welke moeten ook vergeten worden?"
            ' Antwoord met nummers, of "ja" voor alle.'
        ),
        all=(
            'Er is geen herinnering gewist. Kies "Delete all memories" in het geheugenpaneel om alles te wissen, of op'
            ' de geheugenpagina onder "More actions"; voor programma\'s is het DELETE /memories.'
        ),
        failed="Het verzoek kon niet worden uitgevoerd. Er is niets veranderd; probeer het later opnieuw.",
    ),
    "zh": RequestResults(
        forgotten_message="已忘记：这条消息",
        forgotten="已忘记：",
        restored="已恢复：",
        remembered="已记住：",
        not_remembered="未记住：",
        nothing_forgotten="没有忘记任何内容。",
        nothing_found="没有保存这方面的内容。",
        nothing_before="上一条消息没有保存任何内容。",
        choose="还没有忘记任何内容。你指的是哪一条？请回复编号，或回复“是”表示全部。",
        choose_more="这些可能也涉及别的事情。哪些也要忘记？请回复编号，或回复“是”表示全部。",
        all=(
            "没有删除任何记忆。要删除全部记忆，请在记忆面板中选择“Delete all memories”，"
            "或在记忆页面的“More actions”中选择；程序请使用 DELETE /memories。"
        ),
        failed="请求未能执行。没有任何改变；请稍后再试。",
    ),
}
ENGLISH = RESULTS["en"]


def translate_results(text: str, language: Language) -> str:
    """Lines of English results in a language, with what they concern unchanged."""
    return "\n".join(_translate(line, RESULTS[language]) for line in text.splitlines())


def _translate(line: str, translated: RequestResults) -> str:
    for field in fields(RequestResults):
        english: str = getattr(ENGLISH, field.name)
        if line.startswith(english):
            return f"{getattr(translated, field.name)}{line[len(english) :]}"
    return line
