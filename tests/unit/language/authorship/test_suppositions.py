"""What a message only supposes is no statement; what it states beside that is."""

import pytest

from agent.language.authorship.own_words import mask_quoted
from support.growth import HOSTILE_CHARS, MAX_GROWTH, growth


@pytest.mark.parametrize(
    "marked",
    [
        "⟦What if I were rich⟧? Anyway, my niece Sofie is allergic to gluten.",
        "⟦What if I got a dog⟧? My flat in Reading is tiny and my girlfriend Tess hates fur.",
        "⟦What if I were rich? I'd buy a boat. Then I would live in Rome⟧. My niece is allergic to gluten.",
        "⟦Was wäre, wenn ich reich wäre? Ich würde ein Boot kaufen⟧. Meine Nichte verträgt kein Gluten.",
        "¿⟦Y si fuera rica? Me compraría un barco⟧. Mi sobrina Sofía es celíaca.",
        "⟦Si fuera vegetariana, ¿qué comería⟧? Pura curiosidad, me encanta el filete.",
        "⟦Et si j'étais riche ? J'achèterais un bateau⟧. Ma nièce Sophie est allergique au gluten.",
        "⟦E se fossi ricca? Comprerei una barca⟧. Mia nipote Sofia è celiaca.",
        "⟦Se eu fosse vegetariana, comia o quê⟧? Só curiosidade, adoro bife.",
        "⟦Wat als ik rijk was? Ik zou een boot kopen⟧. Mijn nichtje heeft een glutenallergie.",
        "⟦What if my character is a nurse? She lives in Rome.⟧",
        "⟦Hypothetically, I am a widower. I live in Rome.⟧",
        "⟦Imagine I'm a nurse in Rome. My kids are 3 and 5.⟧",
    ],
)
def test_only_what_continues_a_supposition_is_masked(marked: str) -> None:
    masked = mask_quoted(marked.replace("⟦", "").replace("⟧", ""))
    own = "".join(part.partition("⟧")[2] for part in ("⟧" + marked).split("⟦"))
    assert masked.replace("\0", "").split() == own.split()


@pytest.mark.parametrize(
    "marked",
    [
        "⟦If I had a barn I'd keep goats⟧",
        "⟦if i ever won a prize i would fly to Peru.⟧ My niece is celiac.",
        "⟦Had I known the price, I'd have stayed home⟧",
        "⟦Wenn ich reich wäre, würde ich ein Schloss kaufen⟧. Meine Nichte verträgt kein Gluten.",
        "⟦Si tuviera una granja, criaría cabras⟧",
        "⟦Si j'avais une ferme, j'élèverais des chèvres⟧",
        "⟦Se avessi una fattoria alleverei capre⟧",
        "⟦Se eu tivesse uma quinta, criaria cabras⟧",
        "⟦Als ik een boerderij had, zou ik geiten houden⟧",
        "⟦لو كان عندي مزرعة لربيت الماعز⟧",
        "If I weren't allergic, I'd have a cat.",
        "If I had nuts I'd die.",
        "If I had to choose I'd take the aisle seat.",
        "if i could pick i'd always sit outside",
        "If I had a fever I took paracetamol.",
        "Wenn ich nicht allergisch wäre, hätte ich eine Katze.",
        "Si no tuviera alergia, tendría un gato.",
        "Si je n'avais pas d'allergie, j'aurais un chat.",
        "Als ik geen allergie had, zou ik een kat nemen.",
        "Imagínate, mi sobrina ya habla.",
        "Immagina, mio nipote cammina.",
        "Imagine-toi que ma fille a sauté une classe.",
        "Stel je voor, mijn zus is gekozen.",
        "تخيل، ابنتي بدأت تمشي.",
        "⟦Imagina que eres un pirata.⟧",
        "⟦Stel je voor dat je een piraat bent.⟧",
        "如果我吃花生，我会过敏。",  # noqa: RUF001  Chinese punctuation
    ],
)
def test_what_the_author_would_do_is_masked_but_not_what_is_so(marked: str) -> None:
    masked = mask_quoted(marked.replace("⟦", "").replace("⟧", ""))
    own = "".join(part.partition("⟧")[2] for part in ("⟧" + marked).split("⟦"))
    assert masked.replace("\0", "").split() == own.split()


@pytest.mark.parametrize(
    "unit", ["if i had ", "si tuviera a ", "wenn ich wäre ", "what if i ", "What if I? I'd. ", "und wenn ich ", "si j'"]
)
def test_suppositions_are_found_in_linear_time(unit: str) -> None:
    assert growth(mask_quoted, unit, chars=HOSTILE_CHARS) < MAX_GROWTH
