"""Topics of which a user has one at a time: another home, job, diet, car or partner supersedes the earlier one."""

import pytest

from agent.language.removal.extent import contradicted_statements
from agent.language.revision.contradictions import contradicts

STATED_AT = "2026-11-05T10:00:00+00:00"

CHANGED = {
    "home": [
        ("Lives in Leeds with two flatmates", "just moved to York btw, leeds was getting too pricey"),
        ("i stay in Nairobi, Westlands side", "We have relocated to Mombasa since Saturday, me and the family."),
        ("My address is 18 Willow Lane if you need it", "My address has changed, it's 7 Harbour Street now."),
        ("wohn in leipzig südvorstadt", "bin nach halle gezogen, miete war mir zu krass"),
        ("vivo en Valencia, cerca de la playa", "me he mudado a Zaragoza por curro"),
        ("ik woon in Utrecht", "ik ben verhuisd naar Zwolle"),
        ("Moved to Bergen in May", "I'm back in Oslo now, for good."),
    ],
    "work": [
        ("Works at Tesco on the tills", "left the supermarket job, I'm at Aldi now"),
        ("im a staff nurse on the cardiac ward", "got promoted to ward sister!! new job title as of monday"),
        ("arbeite bei Bosch in der Montage", "hab bei der Firma aufgehört, mein neuer Arbeitgeber ist ZF"),
        ("trabalho como garçom num restaurante", "fui promovido a gerente do restaurante!"),
        ("I teach maths at St Aidan's", "I've retired from teaching, 34 years was plenty"),
    ],
    "studies": [
        ("I'm studying biology at Exeter, second year", "switched my degree to marine science, same uni"),
        ("estudio derecho en la complu", "he cambiado de carrera, ahora estudio periodismo"),
        ("Ik studeer psychologie in Groningen", "ben geswitcht van studie, doe nu rechten"),
    ],
    "things": [
        ("Drives a 2012 Ford Fiesta", "sold it, got a Toyota Yaris hybrid"),
        ("Tengo un Seat Ibiza del 2009", "Cambié de coche, ahora tengo un Dacia Sandero."),
        ("i have an iphone 11", "got a new phone finally, switched to a pixel 8"),
        ("I commute on a Brompton folding bike", "The bike got nicked so it's the bus for me"),
    ],
    "people": [
        ("I'm single", "so… i'm seeing someone now! his name's Marcus"),
        ("engaged to Sam", "We got married on Saturday!!"),
        ("Je suis mariée à Philippe", "Philippe et moi avons divorcé cette année."),
        ("Has a wife, Nadia", "me and nadia have separated"),
        ("everyone at work calls me Spud", "dont use that nickname anymore pls"),
    ],
    "health": [
        ("I'm vegetarian", "ive gone vegan since january"),
        ("Sou intolerante à lactose", "não sou intolerante à lactose no fim das contas"),
        ("Has a peanut allergy, quite a severe one", "The allergist says I'm not allergic to peanuts after all!"),
        ("my left knee is still bad after the op", "knee's fully healed, physio signed me off today!"),
        ("I take 50mg sertraline every morning", "doctor upped my sertraline to 100mg"),
    ],
    "numbers": [
        ("im 16", "had my bday yesterday so im 17 now lol"),
        ("I'm twenty-three", "correction: I'm twenty-four"),
        ("my daughter Lily is 4", "lily turned 5 last week!!"),
        ("I speak a little Spanish, A2 maybe", "passed my B2 exam in spanish yesterday!!"),
    ],
}
COMPATIBLE = [
    ("I live in Leeds", "my brother moved to York"),
    ("I live in Oslo", "We moved to a bigger flat"),
    ("Moved to Bergen in May", "I'm back in Oslo until Sunday"),
    ("I live in Porto", "moved to nights this week"),
    ("Lives in York", "we've finally moved to York!"),
    ("I work at Tesco", "my wife got a new job at Aldi"),
    ("I work as a teacher", "I started a side job as a tutor"),
    ("Our company is called Rottly", "my new job starts on Monday"),
    ("I drive a Fiat Panda.", "Driving a rental Kia now while they fix the bumper."),
    ("my phone number ends in 32", "got a new phone, a pixel 8"),
    ("I'm single", "my sister got married"),
    ("Sou alérgica a camarão.", "Na verdade não sou alérgica à lactose."),
    ("I'm vegan", "the vegan restaurant is closed now"),
    ("My son is 4", "my nephew turned 6"),
    ("my older sister is 15", "my other sister is 12 now"),
    ("unsere katze heißt Mimi", "die katze ist jetzt kastriert"),
    ("I live in Ghent", "should I move to Bruges?"),
    ("I'm working on a novel about lighthouses", "I got a new job at Aldi"),
    ("I work out at the gym on Mondays", "got promoted to ward sister!!"),
    ("I'm reading Middlemarch", "switched my degree to marine science"),
    ("I'm a fan of jazz", "I'm a Nuggets fan now"),
    ("I'm single", "I met Sarah for coffee"),
    ("I'm single", "I'm seeing Dr Hale on Monday"),
    ("I'm seeing a physio for my back", "we got engaged!!"),
    ("I'm married to Colin", "I separated the recycling"),
    ("One of my favourite books is Dune", "one of my favourite books is Emma"),
    ("I keep halal", "I've gone vegan"),
]


@pytest.mark.parametrize(("earlier", "later"), [pair for pairs in CHANGED.values() for pair in pairs])
def test_a_change_of_a_topic_supersedes_the_earlier_statement(earlier: str, later: str) -> None:
    assert contradicts(later, earlier, stated_at=STATED_AT)


@pytest.mark.parametrize(("earlier", "later"), COMPATIBLE)
def test_a_statement_about_others_or_other_things_supersedes_nothing(earlier: str, later: str) -> None:
    assert not contradicts(later, earlier, stated_at=STATED_AT)


@pytest.mark.parametrize(
    ("earlier", "later", "outdated"),
    [
        ("I'm single and honestly enjoying it", "i'm seeing someone now", ["I'm single and honestly enjoying it"]),
        ("I live in Leeds and I have two cats.", "just moved to York", ["I live in Leeds"]),
        ("I drive for Uber, mostly nights, my dog is Rex", "new job at Aldi", ["I drive for Uber", "mostly nights"]),
    ],
)
def test_fragments_are_superseded_with_the_clause_before_them(earlier: str, later: str, outdated: list[str]) -> None:
    assert contradicted_statements(later, earlier, stated_at=STATED_AT) == outdated
