"""Words of German, Spanish, French, Italian, Portuguese and Dutch in English, to match questions with statements.

A memory may be in English ("Works at Tesco") and the question in the user's language ("¿Dónde trabajo?"), so that they
share no word. The table contains what users ask about themselves; "es:" precedes a word that has this meaning only in
Spanish texts.
"""

from agent.models.offline_language import Language

_WORDS = {
    "live": (
        "wohne wohnst wohnt wohnen lebe lebst lebt vivo vives vive viven vivir resido habite habites habitons habitent"
        " habiter fr:vis fr:vit vivre abito abiti abita abitiamo vivi vivono moro mora moram morar woon woont wonen"
    ),
    "moved": "umgezogen gezogen mudé mudó mudado déménagé trasferito trasferita mudei mudou verhuisd",
    "work": (
        "arbeite arbeitest arbeitet arbeiten arbeit beruf beruflich job trabajo trabajas trabaja trabajan trabajar"
        " dedico dedica empleo profesión travaille travailles travaillent travailler travail boulot bosse bosses bosser"
        " métier lavoro lavori lavora lavorano lavorare mestiere professione trabalho trabalha trabalham trabalhar"
        " emprego profissão nl:werk nl:werkt werken baan beroep"
    ),
    "home": "zuhause zu-hause wohnort wohnung domicilio domicile residenza woonplaats",
    "city": "stadt ciudad ville città cidade nl:stad",
    "country": "land país pays paese",
    "house": "haus casa maison huis",
    "address": "adresse dirección indirizzo endereço adres",
    "name": (
        "heiße heißt heißen heisse heisst namen vorname nachname llamo llamas llama llaman nombre apellido appelle"
        " appelles appellent nom prénom chiamo chiami chiama chiamano nome cognome chamo chama chamam heet heten naam"
    ),
    "daughter": "tochter töchter hija hijas fille filles figlia figlie filha filhas dochter dochters",
    "son": "sohn söhne hijo fils figlio filho zoon zonen",
    "child": "de:kind kinder hijos enfant enfants figli bambino bambini filhos crianças nl:kind kinderen",
    "wife": "frau ehefrau mujer esposa femme épouse moglie mulher vrouw echtgenote",
    "husband": "mann ehemann marido esposo mari époux marito nl:man echtgenoot",
    "family": "familie familia famille famiglia família gezin",
    "partner": (
        "partnerin freund freundin pareja novio novia copain copine compagnon compagne compagno compagna fidanzato"
        " fidanzata namorado namorada vriend vriendin"
    ),
    "mother": "mutter mama mamá mami madre mère maman mamma mãe moeder",
    "father": "vater papa papá padre père papà pai vader",
    "parent": "eltern padres parents genitori pais ouders",
    "sister": "schwester schwestern hermana hermanas soeur soeurs sœur sœurs sorella sorelle irmã irmãs zus zussen",
    "brother": "bruder brüder hermano hermanos frère frères fratello fratelli irmão irmãos broer broers",
    "grandmother": "oma großmutter abuela mamie grand-mère nonna avó",
    "grandfather": "opa großvater abuelo papy grand-père nonno avô",
    "friend": "freunde amigo amiga amigos ami amie amis amico amica amici",
    "boss": "chef chefin jefe jefa patron patronne capo baas",
    "colleague": "kollege kollegin colega collègue collega",
    "dog": "hund hunde hündin perro perra perros chien chienne chiens cane cani cachorro cachorra cão hond honden",
    "cat": "katze katzen kater gato gata gatos fr:chat fr:chats chatte gatto gatta gatti kat katten poes",
    "pet": "haustier haustiere mascota mascotas animaux animali huisdier huisdieren",
    "birthday": "geburtstag cumpleaños anniversaire compleanno aniversário verjaardag jarig",
    "born": "geboren nací nació né née naissance nato nata nascita nasci nasceu nascimento",
    "allergic": (
        "allergisch allergie allergien allergies alergia alergias alérgico alérgica allergique allergico allergica"
        " allergia alergico allergieën vertrage verträgt intolerant intolerante intolérant intolérante intollerante"
    ),
    "eat": "esse isst essen es:come es:comer comer mange manges manger mangio mangia mangiare eet eten",
    "food": "comida nourriture plat cibo piatto lebensmittel",
    "drink": "trinke trinkt trinken bebo bebe beber bois boit boire bevo beve bere drinkt drinken",
    "like": (
        "de:mag liebe liebt gern gerne gefällt lieblings gusta gustan encanta encantan aime aimes aiment adore préfère"
        " piace piacciono adoro gosto gosta houd hou graag lievelings"
    ),
    "favourite": "favorito favorita favoritos préféré préférée preferito preferita preferido preferida favoriete",
    "colour": "farbe color couleur colore cor kleur",
    "play": (
        "spiele spielst spielt spielen juego juegas juega jugar toco tocas toca tocar joue joues jouent jouer gioco"
        " gioca giocare suono suona suonare jogo joga jogar speel speelt spelen"
    ),
    "instrument": "instrumento strumento",
    "car": "auto wagen coche carro voiture macchina",
    "drive": "fahre fährst fährt fahren conduzco conduce manejo conduis conduit guido guida dirijo dirige rijd rijdt",
    "speak": "spreche spricht sprechen hablo habla parle parles parlo parla falo fala spreek spreekt",
    "language": "sprache sprachen idioma idiomas langue langues lingua lingue língua línguas taal talen",
    "learn": "lerne lernt lernen aprendo aprende apprends apprend imparo impara nl:leer nl:leert",
    "study": (
        "studiere studiert studieren estudio estudias estudia étudie étudies studio studia estudo estuda studeer"
        " studeert"
    ),
    "school": "schule escuela colegio école scuola escola",
    "doctor": "arzt ärztin hausarzt médico médica médecin docteur medico dottore dottoressa nl:arts dokter huisarts",
    "dentist": "zahnarzt zahnärztin dentista dentiste tandarts",
    "appointment": "termin termine cita rendez-vous rdv appuntamento consulta afspraak",
    "exam": "prüfung klausur examen esame prova exame",
    "holiday": "urlaub ferien vacaciones vacances vacanza vacanze férias vakantie",
    "trip": "reise viaje voyage viaggio viagem nl:reis",
    "wedding": "hochzeit boda mariage matrimonio casamento bruiloft",
    "medicine": (
        "medikament medikamente medicamento medicamentos medicina medicinas médicament médicaments farmaco farmaci"
        " medicine remédio remédios medicijn medicijnen"
    ),
    "take": "nehme nimmt nehmen tomo tomas toma prends prend prendre prendo prende neem neemt",
    "married": "verheiratet heirate heiratet casado casada marié mariée sposato sposata getrouwd trouwt",
    "rent": "miete es:alquiler loyer affitto renda aluguel aluguer nl:huur",
    "saved": "gespart spare sparen ahorrado ahorrando ahorrar épargné risparmiato poupado gespaard",
    "diet": "ernähre ernährung dieta dieet alimentation",
    "vegan": "vegano vegana végane veganistisch",
    "vegetarian": "vegetarisch vegetarier vegetarierin vegetariano vegetariana végétarien végétarienne",
    "party": "feier fiesta fête festa feest feestje",
    "weigh": "wiege wiegst wiegt peso pesa pèse pesare weeg weegt",
    "team": "mannschaft verein equipo équipe squadra equipe ploeg",
    "hobby": "hobbys afición aficiones loisir loisirs passe-temps passatempo",
}

_ENGLISH: dict[str, str] = {word: english for english, words in _WORDS.items() for word in words.split()}

_PEOPLE = (
    "daughter son child wife husband partner mother father parent sister brother grandmother grandfather friend boss"
    " colleague dog cat pet"
)
PEOPLE = frozenset(_PEOPLE.split())
"""Whom a question may be about; a statement that shares nothing else with it may say something different."""

_QUESTION_WORDS = (
    "qué quién quiénes dónde adónde cuándo cuánto cuánta cuántos cuántas cuanto cuantos cuantas cuál cuáles cuales cómo"
    " puedo puede puedes debo wie wieviel viele viel welche welcher welches welchen welchem warum kann kannst wem wen"
    " woher wohin macht mache machst hace hacen hago haces fait fais fa faccio faz faço doet doe où quoi comment"
    " combien quel quelle quels quelles est-ce peux peut quale quali quanti quante quanto cosa come perché posso può"
    " qual quais quantos quantas onde pode hoe hoeveel waarom welk welke kan mag dime sag dis dimmi diga alguna algún"
    " irgendein"
)
QUESTION_WORDS = frozenset(_QUESTION_WORDS.split())
"""Words without content of questions, which `agent.language.parsing.function_words` does not contain."""


def english(word: str, language: Language) -> str | None:
    """A case-folded word of another language in English, if the table contains it."""
    return _ENGLISH.get(f"{language}:{word}") or _ENGLISH.get(word)


def is_known_only_here(word: str, language: Language) -> bool:
    """Check whether a word has a meaning of its own in this language, although it is a function word of another."""
    return f"{language}:{word}" in _ENGLISH
