"""What the user says is right instead of something that is remembered."""

import pytest

from agent.memory.editing.right_statement import right_statement


@pytest.mark.parametrize(
    ("known", "text", "right"),
    [
        ("My birthday is on 4 May", "it's 14 May", "My birthday is on 14 May"),
        ("I'm 34", "35", "I'm 35"),
        ("I live in Hull", "no, it's Bath", "I live in Bath"),
        ("My cat is called Tim", "its jim", "My cat is called Jim"),
        ("My boss is Linda", "her name is Lydia", "My boss is Lydia"),
        ("Ich bin 40.", "41", "Ich bin 41."),
        ("My email is a@b.com", "a@c.com", "My email is a@c.com"),
        ("My sister lives in Oslo", "She lives in Bergen.", "My sister lives in Bergen"),
        ("I have two kids", "I have three", "I have three kids"),
        ("I live in Leeds", "I live in York now", "I live in York now"),
        ("I work as a nurse", "I'm a paramedic", "I'm a paramedic"),
        ("我住在上海", "我住在北京", "我住在北京"),
    ],
)
def test_a_value_or_a_statement_is_right(known: str, text: str, right: str) -> None:
    assert right_statement([known], text) == right


@pytest.mark.parametrize(
    "text", ["thanks", "what is the capital of France?", "ok", "Write a poem.", "it's complicated"]
)
def test_other_messages_state_nothing_instead(text: str) -> None:
    assert right_statement(["I live in Leeds"], text) is None
