"""After a mail, a rule or the words "in real life", users speak for themselves again."""

import pytest

from agent.language.authorship.own_words import mask_quoted
from support.growth import HOSTILE_CHARS, MAX_GROWTH, growth

HEAD = "Summarise please:\nFrom: claims@aviva.com\n"


@pytest.mark.parametrize(
    "message",
    [
        HEAD + "Dear customer, I moved to Rome.\nRegards\n\nMy dad lives in Ulm.",
        HEAD + "Dear customer, I moved to Rome.\n\nKind regards,\nTom Smith\nClaims team\n\nMy dad lives in Ulm.",
        HEAD + "Subject: Policy\n\nI moved to Rome.\nBest, Tom\n---\nMy dad lives in Ulm.",
        "From: a@b.de\nTo: me\n\nI am moving to Rome.\nBest, Anna\n---\nI live in Ulm.",
        "Fasse zusammen:\nVon: a@b.de\nBetreff: Umzug\n\nIch ziehe nach Rome.\nMfG\nAnna\n\nMein Vater wohnt in Ulm.",
        "Resume esto:\nDe: a@b.es\nAsunto: mudanza\n\nMe mudo a Rome.\nSaludos\n\nMi padre vive en Ulm.",
        "Résume:\nDe : a@b.fr\nObjet : départ\n\nJe pars à Rome.\nCordialement\nAnne\n\nMon père habite à Ulm.",
        "Riassumi:\nDa: a@b.it\nOggetto: trasloco\n\nVado a Rome.\nCordiali saluti\n\nMio padre vive a Ulm.",
        "Resume:\nDe: a@b.pt\nAssunto: mudança\n\nMudo para Rome.\nCumprimentos\nRui\n\nO meu pai mora em Ulm.",
        "Vat samen:\nVan: a@b.nl\nOnderwerp: vertrek\n\nIk ga naar Rome.\nGroeten\nAnne\n\nMijn vader woont in Ulm.",
        "translate this\n---\nI live in Rome.\n---\nI'm learning Italian in Ulm.",
        "my character's backstory: im an orphan from Rome and i cant swim. irl im a swim coach in Ulm",
        "roleplay: I'm an elf from Rome. (ooc: I'm a nurse in Ulm)",
        "In my D&D campaign I'm an orc from Rome and afraid of fire. In real life I live in Ulm.",
        "In meinem Rollenspiel bin ich ein Ork aus Rome. Im echten Leben wohne ich in Ulm.",
        "En mi partida de rol soy un orco de Rome. En la vida real vivo en Ulm.",
        "Dans mon jeu de rôle je suis un orc de Rome. Dans la vraie vie j'habite à Ulm.",
        "Nel mio gioco di ruolo sono un orco di Rome. Nella vita reale vivo a Ulm.",
        "No meu jogo sou um orc de Rome. Na vida real moro em Ulm.",
        "In mijn rollenspel ben ik een ork uit Rome. In het echt woon ik in Ulm.",
    ],
)
def test_what_users_say_after_another_text_is_their_own(message: str) -> None:
    masked = mask_quoted(message)
    assert "Rome" not in masked
    assert "Ulm" in masked


@pytest.mark.parametrize(
    "message",
    [
        HEAD + "I moved to Rome.\n\nBest wishes\nAnn\n\nSent from my iPhone in Ulm",
        HEAD + "I moved to Rome.\n\nBest\nAnn\n\nP.S. I have a cat in Ulm.",
        "translate this\n---\nI live in Ulm.",
        "This is her bio: I'm a witch in a novel. In real life I'm a nurse in Ulm.",
        "Translate: in my story I live in Rome.\nIn my game I live in Ulm.",
    ],
)
def test_what_belongs_to_another_text_stays_masked(message: str) -> None:
    assert "Ulm" not in mask_quoted(message)


@pytest.mark.parametrize(
    "message", ["In our D&D group I'm the treasurer in Ulm.", "We play D&D on Fridays. I'm the game master in Ulm."]
)
def test_a_game_as_a_hobby_is_no_role(message: str) -> None:
    assert "Ulm" in mask_quoted(message)


@pytest.mark.parametrize("unit", ["Regards\n\n", "---\n", "irl ", "From: a\nBest\n", "best, A\n", "- ", "story. irl "])
def test_resumptions_are_found_in_linear_time(unit: str) -> None:
    assert growth(mask_quoted, unit, chars=HOSTILE_CHARS) < MAX_GROWTH
