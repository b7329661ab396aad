"""What a message only supposes is no statement; what it states beside that is."""

import pytest

from agent.language.authorship.own_words import mask_quoted
from agent.language.facts.extraction import extract_from_user
from agent.memory.formation.coverage import uncovered_statements
from support.growth import HOSTILE_CHARS, MAX_GROWTH, growth


@pytest.mark.parametrize(
    "marked",
    [
        "⟦Poniamo che io abbia 71 anni e due pensioni: quante tasse pagherei⟧?",
        "⟦If a rich aunt ever left me her castle I'd never lift a finger again⟧. My niece is celiac.",
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
        "如果我吃花生，我会过敏。",
    ],
)
def test_what_the_author_would_do_is_masked_but_not_what_is_so(marked: str) -> None:
    masked = mask_quoted(marked.replace("⟦", "").replace("⟧", ""))
    own = "".join(part.partition("⟧")[2] for part in ("⟧" + marked).split("⟦"))
    assert masked.replace("\0", "").split() == own.split()


@pytest.mark.parametrize(
    "message",
    [
        "Wenn ich nach Dänemark ziehen würde, müsste ich dann da Steuern zahlen?",
        "gdybym wygrał w lotto to kupiłbym dom w Zakopanem",
        "if she moved in with me we'd have to convert the dining room, but I don't think I could do it",
        "wenn ich morgen kündigen würde, bräuchte ich dann einen Grund?",
        "falls ich im Lotto gewinnen würde, dürfte ich dann aufhören zu arbeiten?",
        "gdybyśmy mieli ogród, to hodowalibyśmy kury",
        "gdyby mój szef był milszy to bym został",
        "if my brother left his wife I'd have to take the kids",
        "if he were to move out we'd need a lodger",
        "wenn wir ein drittes Kind hätten, müssten wir dann umziehen?",
        "wenn ich mich selbstständig machen würde, sollte ich dann eine GmbH gründen?",
        "gdybym była bogata to kupiłabym jacht",
        "gdybym miał psa, wychodziłbym częściej",
        "gdyby moja żona dostała pracę w Oslo to byśmy się przeprowadzili",
        "if mum moved in we'd have to sell the piano",
        "if they had another baby they'd need a bigger car",
        "w serialu który oglądam główna bohaterka mieszka w Rzymie i ma trzech mężów haha",
        "in the series I'm watching the main character lives in Rome and has three husbands",
        "en la serie que veo la protagonista vive en Roma y tiene tres maridos",
        "in der Serie, die ich gerade gucke, wohnt die Hauptfigur in Rom und hat drei Hunde",
        "dans le livre que je lis le héros habite à Nice et il est veuf",
        "nel film che ho visto ieri il protagonista è celiaco e vive a Bari",
        "no livro que estou a ler a personagem principal mora em Faro e tem cinco gatos",
        "in het boek dat ik lees woont de hoofdpersoon in Delft en heeft ze een hond",
        "in the movie we watched last night the main character was a widower from Perth",
        "in the novel I'm reading the protagonist has diabetes",
        "en la película que vi ayer el protagonista era celíaco y vivía en Lima",
        "im Film gestern war die Hauptfigur Imker und hatte vier Töchter",
        "dans la série que je regarde l'héroïne est infirmière et vit à Brest",
        "nella serie che guardo la protagonista abita a Torino",
        "na série que vejo a protagonista tem três filhos",
        "in de serie die ik kijk is de hoofdpersoon blind",
        "w książce, którą czytam, bohater jest lekarzem i ma dwóch synów",
        "w filmie główny bohater mieszkał w Paryżu",
        "in de serie die ik kijk is de moeder verslaafd en woont ze in haar auto, ken je die?",
        "in dem Buch, das ich lese, ist die Mutter krank und wohnt in einem Wohnwagen",
        "dans la série que je regarde, la mère est alcoolique et elle vit dans sa voiture",
        "en la serie que estoy viendo la madre es adicta y vive en su coche",
        "nella serie che sto guardando la madre ha il cancro e vive in macchina",
        "na série que estou a ver a mãe é viciada e vive no carro",
        "w książce, którą czytam, ojciec ma cukrzycę",
        "the guy in the book I'm reading has MS and two sons",
        "der Typ in dem Roman, den ich gerade lese, wohnt in seinem Auto",
    ],
)
def test_a_supposition_or_a_plot_leaves_nothing(message: str) -> None:
    assert extract_from_user(message) == []
    assert uncovered_statements(message, []) == []


@pytest.mark.parametrize(
    "message",
    [
        "Wenn ich nicht arbeiten müsste, wäre ich bei meinen Kindern in Jena",
        "gdybym nie miał alergii, miałbym kota",
        "I'm watching a series with my wife on Fridays",
        "in the book club I'm the main organiser and I live in Leeds",
        "in der Serie A spielt mein Cousin",
        "en la serie que veo sale mi prima Lola",
        "if my brother visits we go to the lake in Annecy",
        "if she comes home late she gets a headache",
        "if I came home late my dad would be angry, I grew up in Cork",
        "my main character trait is impatience, my wife says",
        "w serialu zagrał mój kuzyn z Gdyni",
        "mój syn czyta książkę, w której bohater jest smokiem",
        "Wenn ich Nüsse esse, bekomme ich Ausschlag",
        "gdybym nie był uczulony, jadłbym orzechy",
        "in the show my sister directs, my son plays a tree",
        "im Film gestern hat mein Nachbar mitgespielt",
        "in der Serie meines Lebens: ich bin wieder Single",
        "in the series of talks I give I focus on bees",
        "wenn ich Milch trinke, wird mir schlecht",
        "Wenn ich könnte, wäre ich in Wien bei Oma, sie ist krank",
        "if my knee hurts I take ibuprofen 400",
        "in the show I'm watching the mother reminds me of my mum, who has cancer",
        "I'm reading a book about my illness, MS",
        "dans le livre que je lis, ma sœur est citée",
        "in het boek dat ik lees staat een recept van mijn oma",
        "w książce, którą czytam, jest moja ulica",
        "if mum calls I always pick up, she lives alone",
        "nel film di mio fratello recito io",
    ],
)
def test_a_condition_or_a_film_beside_a_fact_is_kept(message: str) -> None:
    assert extract_from_user(message) or uncovered_statements(message, [])


@pytest.mark.parametrize(
    "unit",
    [
        "if i had ",
        "si tuviera a ",
        "wenn ich wäre ",
        "what if i ",
        "What if I? I'd. ",
        "und wenn ich ",
        "si j'",
        "in the film a ",
        "gdyby bym ",
    ],
)
def test_suppositions_are_found_in_linear_time(unit: str) -> None:
    assert growth(mask_quoted, unit, chars=HOSTILE_CHARS) < MAX_GROWTH
