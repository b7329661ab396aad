"""A change is kept together with the earlier statement that it most likely concerns, where this is not certain."""

from support.client import ApiClient, new_thread
from support.conversations import say, texts

BEFORE, AFTER = "I'm conversational in French", "My French has got rusty, no chance of holding a talk in it now."
BOTH = "I'm conversational in French … My French has got rusty, no chance of holding a talk in it now"

ROOMS = {"kitchen": "red tiles", "attic": "two beds", "cellar": "a stove", "porch": "a swing", "hall": "low beams"}


async def test_a_change_follows_the_statement_that_it_concerns(ada: ApiClient) -> None:
    await say(ada, "I live in Bergen.", BEFORE, AFTER)
    assert sorted(await texts(ada)) == [BOTH, "Lives in Bergen"]
    assert BOTH in " ".join((await ada.send("how good is my French?")).recalled)


async def test_a_change_is_recalled_after_the_statement_before_it_is_formed(ada: ApiClient) -> None:
    await say(ada, "I'm a Lakers fan since birth")
    await ada.send("im done with the lakers. warriors fan now")
    recalled = (await ada.send("What team do I support?")).recalled
    assert recalled == ["Is a Lakers fan since birth … im done with the lakers. warriors fan now"]


async def test_pending_changes_are_told_in_their_order(ada: ApiClient) -> None:
    for statement in ("I'm a Lakers fan since birth", "my lakers shirt got lost", "the lakers are boring now"):
        await ada.send(statement)
    recalled = (await ada.send("Do I like the lakers?")).recalled
    assert recalled == ["I'm a Lakers fan since birth; my lakers shirt got lost … the lakers are boring now"]


async def test_a_standing_memory_is_told_with_its_pending_change_once(ada: ApiClient) -> None:
    await say(ada, "Since childhood I have a shellfish allergy")
    await ada.send("shellfish allergy was a false alarm")
    for message in ("Suggest a dinner, please.", "What allergies do I have?"):
        recalled = (await ada.send(message)).recalled
        assert recalled == ["Since childhood I have a shellfish allergy … shellfish allergy was a false alarm"]


async def test_a_statement_and_its_change_are_formed_together(ada: ApiClient) -> None:
    await ada.send(BEFORE)
    await ada.send(AFTER)
    await ada.flush()
    assert await texts(ada) == [BOTH]


async def test_a_fact_is_replaced_by_the_words_that_state_both(ada: ApiClient) -> None:
    await say(ada, "I'm a Lakers fan since birth", "im done with the lakers. warriors fan now")
    assert await texts(ada) == ["I'm a Lakers fan since birth … im done with the lakers. warriors fan now"]


async def test_an_op_is_an_operation(ada: ApiClient) -> None:
    await say(ada, "my hip op is on the 14th", "my op's been pushed back two weeks")
    assert await texts(ada) == ["my hip op is on the 14th … my op's been pushed back two weeks"]


async def test_an_op_of_another_person_stays_separate(ada: ApiClient) -> None:
    await say(ada, "her op is on the 3rd", "my op's been pushed back a week")
    assert len(await texts(ada)) == len(["hers", "mine"])


async def test_a_fact_that_names_somebody_remains(ada: ApiClient) -> None:
    await say(ada, "My brother Callum lives in Aberdeen.", "Callum has had enough of Aberdeen now")
    joined = "My brother Callum lives in Aberdeen … Callum has had enough of Aberdeen now"
    assert sorted(await texts(ada)) == ["Brother is called Callum", joined]


async def test_a_change_that_is_a_fact_also_follows_the_statement(ada: ApiClient) -> None:
    await say(ada, "I'm working as software tester at Siemens.", "I got promoted to QA lead at Siemens")
    joined = "I'm working as software tester at Siemens … I got promoted to QA lead at Siemens"
    assert sorted(await texts(ada)) == ["Got promoted to QA lead at Siemens", joined]


async def test_an_allergy_that_was_none_is_still_always_recalled(ada: ApiClient) -> None:
    await say(ada, "Since childhood I have a shellfish allergy", "shellfish allergy was a false alarm, I eat prawns")
    recalled = (await ada.send("Suggest a dinner, please.")).recalled
    assert "Since childhood I have a shellfish allergy … shellfish allergy was a false alarm, I eat prawns" in recalled


async def test_a_change_does_not_lose_who_somebody_is(ada: ApiClient) -> None:
    await say(ada, "Our dog Balu is a labrador.", "Balu died last week.")
    [text] = await texts(ada)
    assert text.startswith("Our dog Balu is a labrador … Balu died last week")


async def test_other_sentences_of_the_message_stay_by_themselves(ada: ApiClient) -> None:
    await say(ada, "The flight to Chicago leaves on the 3rd. Zumba was fun.", "Chicago got pushed, no idea until when")
    assert sorted(await texts(ada)) == [
        "The flight to Chicago leaves on the 3rd … Chicago got pushed, no idea until when",
        "Zumba was fun",
    ]


async def test_several_changes_follow_each_other(ada: ApiClient) -> None:
    later = "Chicago is back on for now, leaving the 12th"
    await say(ada, "Flying to Chicago on the 3rd.", "Chicago got pushed, no idea until when", later)
    [text] = await texts(ada)
    assert text.startswith("Flying to Chicago on the 3rd")
    assert text.endswith(f"Chicago got pushed, no idea until when … {later}")


async def test_several_changes_of_one_thread_are_formed_together(ada: ApiClient) -> None:
    thread = new_thread()
    statements = ("I'm a Lakers fan since birth", "im done with the lakers", "the lakers won me back, fan again now")
    for statement in statements:
        await ada.send(statement, thread=thread)
    await ada.flush()
    told = " ".join(await texts(ada))
    assert all(told.count(statement) == 1 for statement in statements)
    assert not any(text.endswith("…") for text in await texts(ada))


async def test_all_statements_about_a_person_are_kept_with_the_change(ada: ApiClient) -> None:
    before = ("Our dog Balu is a labrador.", "My brother walks Balu on Sundays.")
    await say(ada, *before, "Balu died last week.")
    told = " ".join(await texts(ada))
    assert all(statement.rstrip(".") in told for statement in before)


async def test_what_many_statements_name_is_no_change_of_one(ada: ApiClient) -> None:
    before = [f"The {room} of the cottage has {things}." for room, things in ROOMS.items()]
    await say(ada, *before, "The cottage finally has a new roof.")
    assert len(await texts(ada)) == len(before) + 1


async def test_a_new_medicine_follows_the_only_known_one(ada: ApiClient) -> None:
    await say(ada, "I take warfarin", "the doctor switched me to apixaban")
    assert await texts(ada) == ["I take warfarin … the doctor switched me to apixaban"]


async def test_a_new_medicine_stays_by_itself_if_several_are_known(ada: ApiClient) -> None:
    before = ("I take warfarin", "I take lisinopril in the mornings")
    await say(ada, *before, "the doctor switched me to apixaban")
    assert sorted(await texts(ada)) == [*before[::-1], "the doctor switched me to apixaban"]


async def test_a_pending_change_is_told_with_the_only_thing_that_it_can_mean(ada: ApiClient) -> None:
    await ada.send("can't stand cats tbh")
    await ada.send("ok theyve grown on me, my flatmate's one won me over")
    recalled = (await ada.send("how do i feel about cats?")).recalled
    assert recalled == ["can't stand cats tbh … ok theyve grown on me, my flatmate's one won me over"]


async def test_a_pending_correction_changes_its_statement(ada: ApiClient) -> None:
    thread = new_thread()
    for message in ("la cita del pasaporte es el martes", "no, perdón, es el jueves"):
        await ada.send(message, thread=thread)
    recalled = (await ada.send("¿Qué día es mi cita del pasaporte?")).recalled
    assert recalled == ["la cita del pasaporte es el jueves"]


async def test_statements_of_a_person_stay_separate(ada: ApiClient) -> None:
    thread = new_thread()
    for statement in ("priya ist vegan", "priya hat den test bestanden"):
        await ada.send(statement, thread=thread)
    await ada.flush()
    assert sorted(await texts(ada)) == ["priya hat den test bestanden", "priya ist vegan"]


async def test_undo_restores_the_statement_before(ada: ApiClient) -> None:
    await say(ada, BEFORE, AFTER)
    [memory] = await ada.memories()
    (await ada.http.post(f"/memories/{memory['id']}/undo")).raise_for_status()
    assert await texts(ada) == [BEFORE]


async def test_the_joined_statements_are_forgotten_together(ada: ApiClient) -> None:
    await say(ada, BEFORE, AFTER)
    thread = new_thread()
    await ada.send("Forget everything about my French.", thread=thread)
    await ada.send("all of them", thread=thread)
    assert await texts(ada) == []


async def test_deleting_the_joined_memory_deletes_the_version_before_it(ada: ApiClient) -> None:
    await say(ada, BEFORE)
    [before] = await ada.memories()
    await say(ada, AFTER)
    [joined] = await ada.memories()
    (await ada.http.delete(f"/memories/{joined['id']}")).raise_for_status()
    for memory in (before, joined):
        answer = await ada.http.get(f"/memories/{memory['id']}/history")
        assert "French" not in answer.text
    assert "French" not in " ".join((await ada.send("how good is my French?")).recalled)


async def test_no_other_user_is_concerned(ada: ApiClient, bob: ApiClient) -> None:
    await say(ada, BEFORE)
    await say(bob, AFTER)
    assert await texts(ada) == [BEFORE]
    assert await texts(bob) == [AFTER.rstrip(".")]
