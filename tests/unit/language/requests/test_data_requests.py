"""Requests to export, import, see or delete the data of a user."""

import pytest

from agent.language.requests.control_requests import control_request, may_concern_data

FORMS = {
    "transfer": [
        "export my memories",
        "can I download everything you know about me?",
        "how do I export my data?",
        "I want to import my memories from ChatGPT",
        "wie kann ich meine Erinnerungen exportieren?",
        "exporta mis recuerdos",
        "comment exporter mes souvenirs ?",
        "esporta i miei ricordi",
        "quero exportar as minhas memórias",
        "kan ik mijn herinneringen exporteren?",
        "导出我的记忆",
        "give me a copy of my data",
        "how can I back up my memories?",
        "export everything you know about me",
        "exportiere meine Daten",
        "quiero descargar mis datos",
        "je voudrais télécharger mes données",
        "posso scaricare i miei dati?",
        "como posso descarregar os meus dados?",
        "download mijn gegevens",
        "如何导出我的数据",
        "Under GDPR Article 15 I request a copy of my personal data.",
        "Give me a copy of all my data (GDPR)",
        "could you send me all the data you have about me as a JSON file?",
        "how do I get my data out of here?",
        "can I bring over my memories from ChatGPT?",
        "is there a way to upload my ChatGPT history here",
        "I'd like to move my memories to another app",
        "importiere meine Erinnerungen aus ChatGPT",
        "Ich möchte eine Kopie meiner Daten haben",
        "kann ich alles, was du über mich weißt, herunterladen?",
        "¿cómo puedo importar mis recuerdos de ChatGPT?",
        "dame una copia de todos mis datos",
        "je veux importer mes souvenirs depuis ChatGPT",
        "envoie-moi une copie de mes données",
        "vorrei importare i miei ricordi da ChatGPT",
        "voglio una copia dei miei dati",
        "como posso descarregar tudo o que sabes sobre mim?",
        "quero uma cópia dos meus dados",
        "hoe kan ik mijn herinneringen uit ChatGPT importeren?",
        "ik wil een kopie van mijn gegevens",
        "我想从ChatGPT导入我的记忆",
        "给我一份我的数据的副本",
    ],
    "view": [
        "how do I see what you know?",
        "where can I see my memories?",
        "how can I edit what you remembered",
        "where can I find everything you know about me?",
        "how do I delete a memory?",
        "wo sehe ich, was du über mich weißt?",
        "wie kann ich meine Erinnerungen bearbeiten?",
        "¿dónde puedo ver lo que sabes de mí?",
        "où puis-je voir ce que tu sais de moi ?",
        "dove posso vedere i miei ricordi?",
        "onde posso ver as minhas memórias?",
        "waar kan ik zien wat je over mij weet?",
        "在哪里可以看到你知道我的什么？",
        "怎么查看我的记忆？",
    ],
    "account": [
        "delete my account",
        "how do I close my account?",
        "Lösche mein Konto",
        "quiero borrar mi cuenta",
        "supprime mon compte",
        "elimina il mio account",
        "apaga a minha conta",
        "verwijder mijn account",
        "删除我的账号",
        "I want to delete my account",
        "close my account please",
        "ich möchte mein Konto löschen",
        "cómo puedo eliminar mi cuenta?",
        "comment supprimer mon compte ?",
        "voglio cancellare il mio account",
        "quero apagar a minha conta",
        "ik wil mijn account verwijderen",
        "注销我的账户",
        "erase my account permanently",
        "I want to delete my account and all my data",
        "wipe everything and close my account",
        "Ich möchte mein Konto mit allen Daten löschen",
        "quiero eliminar mi cuenta para siempre",
        "je veux supprimer mon compte définitivement",
        "vorrei chiudere il mio account",
        "quero encerrar a minha conta",
        "hoe kan ik mijn account opzeggen?",
        "我想注销我的账号",
    ],
}


@pytest.mark.parametrize(("control", "message"), [(control, one) for control, ones in FORMS.items() for one in ones])
def test_a_request_is_recognised_by_its_form(control: str, message: str) -> None:
    found = control_request(message)
    assert found is not None
    assert found.control == control


@pytest.mark.parametrize(
    "message",
    [
        "Could you put all my memories into a spreadsheet and export it?",
        "I have moved on, so please get my account removed.",
        "Ich hätte gern meine Daten gelöscht.",
        "me gustaría que mis datos se borraran",
        "mes données, tu peux les exporter ?",
        "i miei dati si possono scaricare?",
        "os meus dados podem ser exportados?",
        "kunnen mijn gegevens verwijderd worden?",
        "把我的记忆都导出成文件",
    ],
)
def test_a_sentence_that_may_concern_the_users_data_is_noticed_in_any_words(message: str) -> None:
    assert may_concern_data(message)


@pytest.mark.parametrize("message", ["I play chess.", "My memory is bad.", "Delete the paragraph.", "删除第二段"])
def test_other_sentences_do_not_concern_the_users_data(message: str) -> None:
    assert not may_concern_data(message)
