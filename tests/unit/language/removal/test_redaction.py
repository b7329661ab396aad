"""Texts without the parts that are outdated or forgotten."""

import pytest

from agent.language.removal.remainder import remainder
from agent.language.words.parts import remove_parts


@pytest.mark.parametrize(
    ("text", "removed", "rest"),
    [
        ("We've moved! New address is 3 Mill Lane, Otley.", "Otley", "We've moved! New address is 3 Mill Lane"),
        ("Ich habe eine Katze, einen Hund. Wir wohnen in Ulm.", "Hund", "Ich habe eine Katze. Wir wohnen in Ulm."),
        ("I own a boat, a car.\nWe live in York.", "car", "I own a boat.\nWe live in York."),
        ("我喜欢猫\uff0c也喜欢狗。我住在成都。", "狗", "我喜欢猫。我住在成都。"),
        ("I own a boat. We live in York.", "train", "I own a boat. We live in York."),
    ],
)
def test_the_other_parts_remain_separated(text: str, removed: str, rest: str) -> None:
    assert remove_parts(text, lambda part: removed in part) == rest


@pytest.mark.parametrize(
    ("old", "new", "rest"),
    [
        ("I'm vegan and allergic to nuts.", "I'm not vegan anymore.", "allergic to nuts."),
        ("I'm vegan and coeliac.", "I'm not vegan anymore.", "I'm coeliac."),
        (
            "Ich bin Vegetarier und vertrage keine Laktose.",
            "Ich bin kein Vegetarier mehr.",
            "Ich vertrage keine Laktose.",
        ),
        ("I take ramipril, metformin and aspirin.", "The doctor stopped the aspirin.", "I take ramipril, metformin"),
        ("I take ramipril and metformin.", "I don't take ramipril anymore.", "I take metformin."),
        ("I take metformin and my wife takes warfarin.", "I stopped taking metformin.", "my wife takes warfarin."),
        ("I play tennis on Mondays and chess on Fridays.", "I gave up tennis.", "I play chess on Fridays."),
        ("I work at Tesco on weekdays and teach yoga on Sundays.", "I quit Tesco.", "I teach yoga on Sundays."),
        ("My mum is 81 and lives in Seville.", "My mum turned 82.", "My mum lives in Seville."),
        ("My mum is 81 and lives in Seville. I'm 50.", "My mum died yesterday.", "I'm 50."),
        ("Our cat Luna is 15 and diabetic, my dog is Rex.", "Luna didn't make it.", "my dog is Rex."),
        ("I've been sober for 4 years, sponsor is called Rick.", "I relapsed on Friday.", "sponsor is called Rick."),
        ("I have two cats, Plume and Felix, and a parrot.", "Felix died.", "I have two cats, Plume, a parrot."),
        ("I take aspirin, bisoprolol and metformin.", "No more aspirin for me.", "I take bisoprolol and metformin."),
        (
            "I take ramipril 5 mg in the morning and a statin.",
            "My ramipril was increased to 10 mg.",
            "I take a statin.",
        ),
        ("I take sertraline 50mg and the pill.", "I've been taken off sertraline.", "I take the pill."),
        ("I live in York with Theo and our twins.", "We moved to Durham.", "I live with Theo and our twins."),
        ("We live in Leeds with Beryl, who has diabetes.", "we moved to Hull", "We live with Beryl, who has diabetes."),
        ("Vivo en Madrid con Jorge y soy celíaca.", "Nos hemos mudado a Valencia.", "Vivo con Jorge y soy celíaca."),
        ("Moro em Braga e trabalho num banco.", "Mudei-me para o Porto.", "trabalho num banco."),
        ("Vivo a Torino e ho una Fiat Panda.", "Ho venduto la Panda.", "Vivo a Torino"),
        ("I study biology, second year, and I row.", "I dropped biology and switched to law.", "I row."),
        ("My husband George and I live in Truro. He has asthma.", "George died last night.", "I live in Truro."),
        ("My grandparents Ada and Bo live in Ulm.", "Bo died.", "My grandparents Ada and Bo live in Ulm."),
        ("I'm a junior developer at Spotify.", "Got promoted to senior today!", "I'm a junior developer at Spotify."),
        ("Uses Notion for notes and Todoist for tasks", "I ditched Notion.", "Uses Todoist for tasks"),
        ("Juego al pádel, no puedo comer marisco.", "Ya no juego al pádel.", "no puedo comer marisco."),
        ("I subscribe to Netflix, Sky and Spotify.", "I cancelled Netflix.", "I subscribe to Sky and Spotify."),
        (
            "Mijn dochter Fleur zit op hockey, is 11 en heeft een notenallergie.",
            "fleur is gestopt met hockey, ze zit nu op turnen",
            "Mijn dochter Fleur is 11 en heeft een notenallergie.",
        ),
        ("I code in Python with VS Code on a ThinkPad.", "I ditched VS Code.", "I code in Python on a ThinkPad."),
        ("Ich arbeite als Tischler in Kassel.", "Ich wohne nicht mehr in Kassel.", "Ich arbeite als Tischler."),
        ("I'm learning Spanish with Duolingo for Peru.", "I quit Duolingo.", "I'm learning Spanish for Peru."),
        ("I'm training for the marathon in May with Tom.", "The marathon was cancelled.", "I'm training with Tom."),
        ("I play tennis with Ana on Sundays.", "I don't play with Ana anymore.", "I play tennis on Sundays."),
        (
            "I have an interview at Zalando on Monday at 2pm.",
            "They moved the interview to Friday at 10.",
            "I have an interview at Zalando.",
        ),
        (
            "My flight to Lima leaves on Friday at 7am.",
            "My flight was moved to Monday at 9am.",
            "My flight to Lima leaves.",
        ),
        (
            "My flight to Lima leaves on Friday at 7am.",
            "My flight got delayed to 11am.",
            "My flight to Lima leaves on Friday.",
        ),
        (
            "We're getting married on May 12th in Bath.",
            "We moved the wedding to June 4th.",
            "We're getting married in Bath.",
        ),
        ("Has type 2 diabetes and high blood pressure", "My blood pressure is back to normal.", "Has type 2 diabetes"),
        ("My flight is on Tuesday at 3 (1 December 2026)", "My flight was moved to Thursday at 4.", ""),
        ("Plays the violin in a quartet", "I no longer play in the quartet.", "Plays the violin"),
        (
            "My sister Clara lives in Bonn with her two kids.",
            "Clara moved to Ulm.",
            "My sister Clara lives with her two kids.",
        ),
        ("Lives with my girlfriend Sara in Leeds", "Sara and I broke up.", "Lives in Leeds"),
        ("I work at Siemens as an engineer.", "I quit my job at Siemens.", ""),
        ("I'm flying to Rome on Friday with Ana.", "We moved the flight to Saturday.", "I'm flying to Rome with Ana."),
        ("My flight to Lima leaves on Friday at 7.", "My flight is on Saturday now.", "My flight to Lima leaves at 7."),
        ("My brother Max works for SAP in Walldorf.", "My brother Max quit SAP.", ""),
        ("I share a flat in Ulm with Jo and Mia.", "Jo moved out.", "I share a flat in Ulm with Mia."),
        ("I live with Jo and Mia in Berlin.", "Jo moved out.", "I live with Mia in Berlin."),
        ("I study law in Padua and live with Ana.", "I dropped out of law school.", "I live with Ana."),
        ("I have two kids, Ana and Tom.", "We had our third child.", "I have kids, Ana and Tom."),
        ("I have a dog and a cat, Milo.", "We gave the cat away.", "I have a dog"),
        ("I use Notion for notes and Todoist for tasks.", "I switched to Obsidian.", "I use Todoist for tasks."),
        ("My boss is Karen and my best colleague is Tom.", "My boss is Kwame now.", "my best colleague is Tom."),
        ("I share a flat with Ben and Ana.", "Ben ist ausgezogen.", "I share a flat with Ana."),
        ("Ben is my brother.", "Ben moved out.", "Ben is my brother."),
        ("I have a cat and a rabbit.", "Sad news: the cat died, but I got the job at HP!", "I have a rabbit."),
        (
            "I play tennis on Mondays.",
            "Two updates: tennis is on Fridays now, and the gym is on Tuesdays.",
            "I play tennis.",
        ),
        (
            "We're flying to Lisbon on March 3rd with Carla.",
            "Change of plans: we're going to Porto, not Lisbon.",
            "We're flying on March 3rd with Carla.",
        ),
        (
            "J'habite à Lyon avec mon copain Hugo, je fais de l'escalade.",
            "Hugo et moi, on n'est plus ensemble.",
            "J'habite à Lyon, je fais de l'escalade.",
        ),
        (
            "I live in Leeds, I'm allergic to nuts and my rent is 900.",
            "my rent is 950",
            "I live in Leeds, I'm allergic to nuts",
        ),
        (
            "Ich programmiere in Python mit VS Code auf einem ThinkPad.",
            "Zwei Neuigkeiten: Kwame ist mein Chef, und ich bin von VS Code auf Zed umgestiegen.",
            "Ich programmiere in Python auf einem ThinkPad.",
        ),
        ("From this week my shift starts at 10.", "My shift starts at 11 now.", ""),
        ("On Mondays I play tennis. I have a dog.", "I gave up tennis.", "I have a dog."),
        ("I have a dog. On Mondays I play tennis.", "I gave up tennis.", "I have a dog."),
        ("Has a dog", "I have a cat now.", "Has a dog"),
        ("Lives in Oslo", "I moved to Bergen.", ""),
    ],
)
def test_the_other_parts_of_an_outdated_statement_remain(old: str, new: str, rest: str) -> None:
    assert remainder(old, new, stated_at="2026-11-05T10:00:00+00:00") == rest


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Sam and I are buying a house in Otley, our solicitor is Anita.", "me and sam have split up"),
        ("Sam and I have a joint account at Nationwide.", "me and Sam broke up"),
        ("Me and Dan run a market stall on Sundays.", "I split up with Dan"),
        ("Ich und Jan renovieren ein altes Haus.", "Jan und ich haben uns getrennt"),
    ],
)
def test_what_both_did_is_not_said_of_one_after_a_separation(old: str, new: str) -> None:
    assert remainder(old, new, stated_at="2026-11-05T10:00:00+00:00") == old
