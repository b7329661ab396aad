"""Questions without a mark, tasks, remarks about an answer, commands and exercises state nothing about the user."""

import pytest

from agent.language.facts.extraction import own_statements
from agent.language.parsing.follow_ups import MAX_FOLLOW_UP_CHARS, is_follow_up
from agent.language.parsing.sentences import is_small_talk
from agent.memory.formation.coverage import uncovered_statements
from support.growth import MAX_GROWTH, growth

QUESTIONS = """
ile nóg ma pająk | czy delfiny śpią | kto napisał Lalkę | jak ugotować jajko na miękko | dlaczego liście żółkną |
co to jest fotosynteza | w którym roku wybuchło powstanie | po co psu wąsy | hoeveel kamers heeft het hart |
hoe vouw je een vliegtuigje | waarom is de lucht blauw | kan je spinazie invriezen | quien invento la bombilla |
cuantas patas tiene una araña | xq los gatos ronronean | que significa altruista | perche le foglie cadono |
che vuol dire effimero | quante corde ha un'arpa | cos'è un ossimoro | pk le ciel est bleu |
est ce que les chats rêvent | combien de côtes a un humain | ça veut dire quoi procrastiner | pq o mar é salgado |
como escrever uma carta formal | quantos ossos tem a mão | wieviele beine hat eine spinne |
kann man nudeln einfrieren | do whales sleep | can pigs swim | is 57 prime | ilu posłów jest w sejmie |
skąd pochodzi słowo herbata | czy pingwiny mają kolana | komu przypisuje się wynalezienie druku |
jak działa lodówka | hoeveel spelers heeft een hockeyteam | waarom slapen katten zoveel |
welke kleur heeft een smaragd | kun je melk invriezen | cuanto mide la torre eiffel | quien escribio el quijote |
q es un oximoron | perche si sbadiglia | quanti lati ha un ottagono | che differenza c'è tra alce e cervo |
pk on bâille | c'est quoi un oxymore | il fait combien sur mars | quantas cordas tem um violino |
quem escreveu os lusíadas | wieviel wiegt ein elefant | kann man käse einfrieren | do snakes have ears |
can horses swim | does honey ever go off
"""
TASKS = """
narysuj zamek na wzgórzu | wymień pięć rzek w Azji | odmień rzeczownik oko | ułóż rymowankę o jesieni |
posortuj: gruszka, jabłko, śliwka | teken een draak met een hoed | maak een quiz over vogels |
zet deze in een tabel | dibuja un castillo en la nube | haz una lista de verbos irregulares |
ordena: mango, pera, kiwi | conjuga salir en pasado | disegna un castello | elenca i pianeti |
coniuga andare al passato | dessine un château | cite trois fleuves d'Asie | conjugue venir au futur |
desenha um castelo | cite cinco rios da Ásia | conjugue ir no passado | erstelle ein Quiz über Vögel |
konjugiere gehen im Perfekt | zeichne ein Schloss | invent a riddle about rain | spell accommodate |
namaluj latarnię morską | wypisz stolice bałkańskie | zamień 5 mil na kilometry | dokończ: Ala ma |
bedenk drie namen voor een kat | maak een gedicht over regen | vervoeg lopen | dibuja un faro |
enumera los planetas | haz un poema sobre la lluvia | disegna un faro | metti in ordine: pera, mela, kiwi |
descrivi un tramonto | dessine un phare | démontre le théorème de pythagore |
trouve un titre pour une histoire de pirates | desenha um farol | faz um poema sobre a chuva | gere três títulos |
zeichne einen leuchtturm | nenne drei flüsse in asien | invent a new board game | make a quiz about rivers
"""
REMARKS = """
you misspelt calendar | you forgot the last line | that's not a limerick | too many emojis | tu te trompes |
tu as oublié la rime | t'as mal compris | te equivocas | te olvidaste del título | ti sbagli | non hai capito |
você errou | du irrst dich | je snapt het niet | zapomniałeś o rymie | pomyliłeś daty | nie, tamto drugie |
you missed the rhyme | you got the date wrong | that's not a sonnet | tu te répètes | te contradices |
ti contraddici | você se enganou | du wiederholst dich | jij vergist je | pomyliłaś się
"""
COMMANDS = """
chmod 644 notes.txt | npm ERR! code ENOENT | git push origin main | fatal: not a git repository |
git rebase -i HEAD~3 | ls -la /etc | docker: command not found | Segmentation fault (core dumped)
"""
EXERCISES = """
Sally has 14 marbles and gives 3 to Ben. How many are left? |
Paul a 12 billes et en perd 4. Combien en reste-t-il ? | Jan heeft 24 knikkers. Hoeveel houdt hij over? |
A train leaves at 8:15 and travels 120 km. When does it arrive? |
Tom has 20 stickers and gives away half. How many are left? |
Eine Urne enthält 4 rote Kugeln. Wie groß ist die Wahrscheinlichkeit für rot?
"""
STATEMENTS = """
maak elke dag soep voor oma | maak meubels van oud hout | teken strips voor een krant | zet om zes uur de wekker |
erstelle Webseiten für Arztpraxen | zeichne gern Pflanzen | spiele ein Instrument, die Oboe |
male eine Stunde am Abend | dibuja cómics para una editorial | ordena los armarios los domingos |
trova lavoro a fatica | disegna gioielli | scrive gialli | range des rayons la nuit |
dessine des plans chez un architecte | garde des enfants à domicile | trouve un peu dur le nouveau traitement |
gera a empresa do pai | desenha bem, a Rita | make candles to sell at markets | make a living as a potter |
draw blood at the clinic | spell my name with two Ls | invent board games | provide childcare |
can speak Welsh and Breton | can drive but no car | do nights at the hospital | do lots of yoga |
does judo on mondays | does nails for a living | are parents of twins | is allergic to wasps | did 20k today |
has colic again | rysuję komiksy | maluje obrazy na zamówienie | zamieniam się zmianą z Olą |
jak byłam mała mieszkałam w Gdyni | jak pada boli mnie kolano | co roku jeździmy na Hel | co drugi dzień biega |
jak zwykle spóźnił się autobus Kuby | kto mnie zna wie że nie lubię kawy | kiedy Zosia śpi, sprząta cały dom |
gdzie mieszkam nie ma zasięgu | narysuj mojego psa Pimpka | wymieniłem uszczelkę w kranie |
ułożyłam puzzle z wnukiem | proszę o ciszę od dwudziestej drugiej | można powiedzieć że wychowała go babcia |
znasz moją córkę Hanię | cuanto antes me mude mejor | quien me conoce sabe que odio el queso |
como arroz todos los días | pq estou grávida | porque vivo lejos | da quando ho cambiato lavoro dormo meglio |
che fatica, il trasloco è finito | en cuanto pueda me mudo a Gijón | como médico trabajo de noche |
como vegetariana evito el caldo | hoe ik woon: in een boot | kan geen noten eten | kann kein Gluten vertragen |
kann man sich nicht vorstellen, Opa ist 100 | haben Zwillinge bekommen | sind gestern nach Ulm gezogen |
sind Vegetarier | ist Lehrerin in Trier | hoeveel ik ook slaap, altijd moe | est enceinte de six mois |
comment j'ai arrêté de fumer : la marche | order 66 pencils for class 4b on monday |
definicja szczęścia: moja Basia | wzór na mnie: kawa i koty | lista de la compra: pan, leche |
ordine dal dentista confermato | formula one fan | regex is what dad calls his budgie |
fais une dépression depuis peu | faz dois anos que o Léo morreu | cria dois gatos e um papagaio |
finde das Gendern doof | leite die Abteilung ab Mai | bilde einen Lehrling aus | zoek een huis in Utrecht |
maak een moeilijke tijd door | recommence le sport lundi | reprends au bureau lundi |
interprète de conférence à Bruxelles | prepara un esame difficile, la Giulia | sai che Giulio si è sposato |
wist je dat Tim vader wordt | ist 34 und Koch | kann nachts ohne Licht nicht schlafen |
can fish all day by the canal | is much older than the rest of the team | sing the alto part in a choir |
spell badly, dyslexic | como açúcar demais | como qualquer coisa | ile można, Kuba dalej kaszle |
proszę mówić głośniej, aparat słuchowy | wiesz że Ola urodziła | it's too painful | still stiff |
quit using heroin in 2019 | too many pills | bro is diabetic |
das ist nicht mehr der Fall, arbeite jetzt bei Bosch | no, ese es el perro de Ana |
nein, die erste Operation war 2019 | trop long le traitement | bof, la nouvelle prothèse frotte | Joe | Bora |
Mia has 3 cats | Tom has 2 kids | Sally is 8 | Emma a deux enfants | Marek jest o 4 lata starszy od Kasi |
make curtains | grep | error in the payroll, still waiting | cat | jak miałem pięć lat złamałem nogę |
co piątek gram w szachy | dom maluje się sam, mąż mówi | czytam dużo reportaży |
ilekroć pada śnieg jeździmy na sanki | narysuj mnie i moją Hanię na rowerze | maak zelf kaas |
teken portretten op de markt | zet elke ochtend koffie voor de buren | hoewel Piet vegan is eet hij vis |
dibujo tebeos | ordena el almacén de noche | quien cuida a mi padre es Lola | disegno mobili per Ikea |
dessine des BD pour vivre | trouve plus le sommeil depuis le divorce | como pouco sal por causa do coração |
faz um mês que a Rita saiu do hospital | cria abelhas no Alentejo | erstelle Steuererklärungen beruflich |
kann keine Milch trinken | sind vegan | ist Zwillingsmutter | can swim but hate cold water | do triathlons |
does ceramics on sundays | are expecting in june | make jam for the village fair | spell it Siobhan not Shivaun |
is older than her brother | has gout again | make a decent living as a roofer | grep is my cat | Tom has asthma |
Sally has 2 kids and a limp | you forgot that I'm coeliac | du hast vergessen, dass ich Veganer bin |
you missed my birthday on 3 May | te olvidaste de que soy celiaco | nie, tamten lekarz był lepszy, doktor Wrona |
non, l'autre genou est opéré | no, the other knee
"""
GREETINGS = """
elo | siema | dzień dobry | goeiemorgen | buondì | vas-y | a ver | né | genug | not what i asked | crikey
"""


def _messages(text: str) -> list[str]:
    return [message.strip() for line in text.strip().splitlines() for message in line.split(" |") if message.strip()]


@pytest.mark.parametrize(
    "message", [*_messages(QUESTIONS + TASKS + REMARKS + COMMANDS + EXERCISES), "ps aux | grep nginx"]
)
def test_what_concerns_only_the_answer_leaves_nothing(message: str) -> None:
    assert own_statements(message) == []
    assert uncovered_statements(message, []) == []


@pytest.mark.parametrize("message", _messages(STATEMENTS))
def test_a_statement_that_begins_like_one_of_them_is_kept(message: str) -> None:
    assert not is_follow_up(message)
    assert not is_small_talk(message)


@pytest.mark.parametrize("message", _messages(GREETINGS))
def test_an_interjection_is_small_talk(message: str) -> None:
    assert is_small_talk(message)


@pytest.mark.parametrize(
    "part", ["jak ", "czy że ", "como se ", "do cats ", "hoe een ", "git -a ", "a bag has 1 ", "tu te "]
)
def test_the_time_grows_linearly(part: str) -> None:
    assert growth(lambda text: is_follow_up(text[:MAX_FOLLOW_UP_CHARS]), part) < MAX_GROWTH
    assert growth(is_follow_up, part) < MAX_GROWTH
