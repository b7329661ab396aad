"""Many statements that matter for every message: those that concern the message itself are in its prompt first."""

from support.client import ApiClient, new_thread

ABOUT_MUM = [
    "I'm looking after my mum, she's 84 and was diagnosed with vascular dementia in the spring. I don't really know "
    "what I'm doing honestly.",
    "She lives on her own in Kendal, I'm in Lancaster so about 40 minutes away. My brother is in Canada and no help.",
    "At the moment a carer comes twice a day, Monday to Friday. Her name is Joyce.",
    "it costs 24 pounds an hour",
    "She takes donepezil 5mg in the evening and amlodipine in the morning. And she's allergic to penicillin.",
    "I've gone down to three days a week at the library to manage all this. I work tues to thurs",
    "we looked at two homes, Beech Lodge and St Cuthbert's. Beech Lodge is £1,150 a week and St Cuthbert's is 1,320",
]
BAKERY = [
    "opening a tiny bakery in Margate with my friend Suki, we thought of Crumb & Co or Salt Bun",
    "someone in ramsgate has already got salt bun so we're calling it Little Rye",
    "rent is 950 a month and we've borrowed 20k from my dad",
]


async def test_statements_about_the_message_are_in_its_prompt(ada: ApiClient) -> None:
    thread = new_thread()
    for text in ABOUT_MUM:
        await ada.send(text, thread=thread)
    for question, answer in (("where does my mum live?", "Kendal"), ("what days do I work?", "tues to thurs")):
        assert any(answer in text for text in (await ada.send(question)).recalled), question


async def test_a_question_about_a_thing_of_the_user_recalls_what_was_just_said(ada: ApiClient) -> None:
    thread = new_thread()
    for text in BAKERY:
        await ada.send(text, thread=thread)
    assert any("Little Rye" in text for text in (await ada.send("what's the bakery called")).recalled)
