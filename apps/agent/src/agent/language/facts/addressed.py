"""Tell sentences that are addressed to the assistant from statements about the user.

Of what is addressed to the assistant, only a user's lasting preferences about the form of answers are kept: an
instruction that is neither a preference nor a statement may come from another author, in any wording.
"""

import re
from collections.abc import Iterator
from typing import Literal

from agent.language.facts.circumstances import reason_start
from agent.language.facts.policies import states_policy
from agent.language.facts.prescriptions import prescribes
from agent.language.grounding.support import is_about_user
from agent.language.parsing.folding import load_folded_patterns, readings
from agent.language.parsing.function_words import language_of
from agent.language.parsing.sentences import Span, clauses, is_request
from agent.language.text_cache import cache_per_user

Kind = Literal["statement", "preference", "instruction"]

MAX_PREFERENCE_CHARS = 250  # a longer sentence does more than to say how answers should be
MAX_FRAGMENT_WORDS = 8
MAX_LEADS = 6

_IMPERATIVES = ("imperative", "request_ending", "weak_imperative")
_NO_PREFERENCES = ("forbidden", "naming_others", "self_talk", "of_others", "introduction")
_DIRECTIONS = ("imperative", "request_ending", "about_assistant")
_PATTERNS = load_folded_patterns("facts/addressed.toml")
# In a wish without a verb ("short sentences please", "no long words").
_COURTESY = re.compile(
    r"\b(?:please|pls|plz|bitte|por favor|stp|svp|s'il|per favore|alsjeblieft)\b"
    r"|^(?:no|kein\w*|sin|sans|senza|sem|geen)\b",
    re.IGNORECASE,
)
# A capitalised word within a sentence that is no language, nationality or religion.
_NAME = re.compile(
    r"(?<=[\w,] )(?!I\b|I'|TL|Muslim|Jewish|Hindu|Markdown|Python|Celsius|Arabic)[A-Z]"
    r"(?!\w{2,12}(?:ish|ese|ian|ean|can|nch|tch|man|ench|ai|eek|elsh)\b)\w{2,}"
)


def is_addressed(sentence: str) -> bool:
    """Check whether a sentence tells the assistant what to do, or how to answer."""
    return _kind(sentence) != "statement"


def is_answer_preference(sentence: str) -> bool:
    """Check whether a sentence is a user's lasting preference about the form of the answers that they get."""
    return _kind(sentence) == "preference"


def is_lasting_preference(sentence: str) -> bool:
    """Check whether a sentence is a preference for all answers to come, and not only a wish for the next one."""
    if not is_answer_preference(sentence):
        return False
    texts = [one.lower() for one in readings(sentence.strip())]
    if any(_PATTERNS["rewording"].search(one) for one in texts):
        return False
    if any(_PATTERNS["lasting"].search(one) for one in texts):
        return True
    if reason_start(sentence):  # "No emojis, it's for a funeral"
        return False
    is_wrapped, start = _content(texts[0])
    is_once = any(_PATTERNS[name].search(one) for one in texts for name in ("momentary", "single_answer", "product"))
    content = (start if is_wrapped else 0, len(texts[0]))
    # Some requests are recognised only with their accents ("Erklär mir …").
    if is_once or is_request(texts[0], content) or is_request(sentence, (0, len(sentence))):
        return False
    return is_wrapped or any(
        _PATTERNS[name].search(one) for one in texts for name in ("to_user", "all_answers", "diet")
    )


def asks_or_states(text: str, sentence: Span) -> bool | None:
    """Classify a sentence as `is_request` does; a wish for the next answer and self-talk are requests too."""
    if is_naming(text[slice(*sentence)]):
        return False
    kind = is_request(text, sentence)
    if kind is False and is_self_talk(text[slice(*sentence)]):
        return True
    plain = text[slice(*sentence)].replace("\0", " ")
    return True if kind is False and (_is_momentary_wish(plain) or _is_reasoned_wish(plain)) else kind


def is_self_talk(sentence: str) -> bool:
    """Check whether a sentence only says how its author goes on ("Let me start over")."""
    return any(_PATTERNS["self_talk"].match(one.lower()) for one in readings(sentence.strip()))


def _is_momentary_wish(sentence: str) -> bool:
    if not is_answer_preference(sentence) or is_lasting_preference(sentence) or _states_something(sentence):
        return False
    return any(_PATTERNS["single_answer"].search(one.lower()) for one in readings(sentence.strip()))


def _is_reasoned_wish(sentence: str) -> bool:
    """Check whether a sentence is a wish for one text, with a reason about others ("Use simple words, Leo is 6")."""
    start = reason_start(sentence)
    wish = sentence[:start].strip(" \t\n,;-")
    texts = [one.lower() for one in readings(wish)]
    if not wish or any(_PATTERNS["lasting"].search(one) for one in texts):
        return False
    is_asked = is_answer_preference(wish) and _COURTESY.search(wish) is not None
    return is_asked or is_instruction(wish) or any(_PATTERNS["weak_imperative"].match(one) for one in texts)


def is_naming(sentence: str) -> bool:
    """Check whether a sentence says what the user is called: a preference, but also a fact about them."""
    return any(_PATTERNS["naming"].match(one.lower()) for one in readings(sentence.strip()))


def is_instruction(sentence: str) -> bool:
    """Check whether a sentence is addressed to the assistant and no preference, so that it states nothing."""
    return _kind(sentence) == "instruction"


@cache_per_user(maxsize=1024)
def is_standing_instruction(sentence: str) -> bool:
    """Check whether a sentence is an instruction and not just a request ("Write a poem").

    A sentence that also states something about the user does not count, unless it is about promotion or the assistant's
    rules.
    """
    if _governs(sentence):
        return True
    if not is_instruction(sentence) or _states_something(sentence):
        return False
    if _PATTERNS["amended"].match(sentence.strip().lower()):
        return False
    is_lasting = any(_PATTERNS["lasting"].search(one.lower()) for one in readings(sentence))
    return is_lasting or is_request(sentence, (0, len(sentence))) is False


def _governs(sentence: str) -> bool:
    """Check whether a sentence regulates what the assistant says to others, what it prefers, or what it may do."""
    texts = [one.lower() for one in _readings(sentence)]
    if prescribes(sentence):
        return True
    if any(_PATTERNS["disclosure"].search(one) for one in texts):
        return True
    if _kind(sentence) == "preference":
        takes_precedence = _NAME.search(sentence) is not None and _PATTERNS["precedence"].search(texts[0]) is not None
        return takes_precedence or states_policy(sentence)
    if any(_PATTERNS["policy"].search(one) for one in texts) or states_policy(sentence):
        return True
    names = ("governed", "precedence", "unchecked", "every_answer")
    is_own = _PATTERNS["own_start"].match(texts[0]) is not None
    return not is_own and any(_PATTERNS[name].search(one) for one in texts for name in names)


def _states_something(sentence: str) -> bool:
    """Check whether a clause of a harmless sentence is about the user."""
    texts = [one.lower() for one in readings(sentence)]
    if any(_PATTERNS[name].search(one) for one in texts for name in ("forbidden", "promotion")):
        return False
    parts = (sentence[slice(*span)].strip() for span, _ in clauses(sentence, (0, len(sentence))))
    return any(is_about_user(part) and _kind_of_clause(part) == "statement" for part in parts)


def own_clauses(sentence: str) -> list[Span]:
    """The spans of the clauses of an instruction in which the user states something ("Before you answer: I …")."""
    colon = sentence.find(": ") + 1
    parts = [(0, colon), (colon, len(sentence))] if colon else [(0, len(sentence))]
    spans = [span for part in parts for span, _ in clauses(sentence, part)]
    return [span for span in spans if _is_own_statement(sentence[slice(*span)].strip())] if len(spans) > 1 else []


def _is_own_statement(clause: str) -> bool:
    if not is_about_user(clause):
        return False
    own = _PATTERNS["own_customers"].match(clause.lower())
    texts = [one.lower() for one in readings(clause[own.end() :] if own else clause)]
    is_harmless = not any(_PATTERNS[name].search(one) for one in texts for name in ("forbidden", "promotion"))
    return is_harmless and _kind(clause) == "statement"


@cache_per_user(maxsize=1024)
def _kind(sentence: str) -> Kind:
    texts = list(_readings(sentence))
    if is_naming(sentence):
        return "preference"
    kinds = [_kind_of_reading(one) for one in texts]
    if kinds[0] == "preference" and not any(_PATTERNS["forbidden"].search(one.lower()) for one in texts):
        return "preference"  # other readings of scripts with look-alike letters may be no words
    if "instruction" in kinds:
        return "instruction"
    return "preference" if "preference" in kinds else "statement"


def _readings(sentence: str) -> Iterator[str]:
    """Yield the readings of a sentence without a last clause on how to take it ("…, don't judge me")."""
    for text in readings(sentence.strip()):
        last = _PATTERNS["reception"].search(text.lower())
        before = text[: last.start()] if last else ""
        yield before if " " in before else text


def _kind_of_reading(text: str) -> Kind:
    kinds = [_kind_of_clause(text)]
    if kinds[0] != "preference":
        spans = [span for span, _ in clauses(text, (0, len(text)))]
        parts = [part for span in spans if " " in (part := text[slice(*span)].strip())] if len(spans) > 1 else []
        kinds += [_kind_of_clause(part) for part in parts if not _PATTERNS["trigger"].match(part.lower())]
    if "instruction" in kinds:
        return "instruction"
    return "preference" if "preference" in kinds else "statement"


def _kind_of_clause(text: str) -> Kind:
    lower = _PATTERNS["aside"].sub("", text.lower())
    is_wrapped, start = _content(lower)
    condition = _PATTERNS["condition"].match(lower, start)
    is_for_others = _PATTERNS["trigger"].match(lower[start:]) and not _PATTERNS["own_clause"].search(lower, start)
    content = lower[condition.end() if condition else start :]
    is_own = _is_own(lower[:start], content, is_wrapped=is_wrapped)
    if not is_for_others and _is_preference(text[start:], content, is_wrapped=is_wrapped, is_own=is_own):
        return "preference"
    is_directed = is_wrapped or bool(is_for_others) or _is_directed(content)
    return "instruction" if is_directed and not is_own else "statement"


def _content(lower: str) -> tuple[bool, int]:
    """Whether a clause begins with a wish about the assistant ("I want you to …"), and where its content begins."""
    start, is_wrapped = 0, False
    for _ in range(MAX_LEADS):
        wrapper = _PATTERNS["wrapper"].match(lower, start)
        part = wrapper or _PATTERNS["lead"].match(lower, start)
        if not part or part.end() == start:
            break
        start, is_wrapped = part.end(), is_wrapped or wrapper is not None
    return is_wrapped, start


def _is_directed(content: str) -> bool:
    """Check whether a clause tells an assistant what to do."""
    if any(_PATTERNS[name].search(content) for name in _DIRECTIONS):
        return True
    if _PATTERNS["own_clause"].search(content) or _PATTERNS["errand"].match(content):
        return False
    if _names_assistant(content) and not is_about_user(content):
        return True
    is_imperative = _PATTERNS["weak_imperative"].match(content) is not None
    return is_imperative and any(_PATTERNS[name].search(content) for name in ("cue", "forbidden"))


def _names_assistant(content: str) -> bool:
    """Check whether a clause has a pronoun of the second person."""
    if _PATTERNS["second_person"].search(content):
        return True
    return _PATTERNS["du"].search(content) is not None and language_of(content) != "fr"


def _is_preference(text: str, content: str, *, is_wrapped: bool, is_own: bool) -> bool:
    if len(content) > MAX_PREFERENCE_CHARS or any(_PATTERNS[name].search(content) for name in _NO_PREFERENCES):
        return False
    if _PATTERNS["promotion"].search(content) and not _is_own_choice(text, content):
        return False
    if is_own:
        return bool(_PATTERNS["wish"].match(content) and _PATTERNS["answer_noun"].search(content))
    has_form = _PATTERNS["form"].search(content) is not None
    if is_wrapped or any(_PATTERNS[name].search(content) for name in _IMPERATIVES):
        return has_form or any(_PATTERNS[name].search(content) for name in ("to_user", "diet"))
    is_short = len(content.split()) <= MAX_FRAGMENT_WORDS
    is_wish = _PATTERNS["wish"].match(content) and _PATTERNS["answer_noun"].search(content)
    return bool(is_wish or (has_form and is_short and not _is_directed(content)))


def _is_own(before: str, content: str, *, is_wrapped: bool) -> bool:
    """Check whether a clause is about its speaker; what follows "I want you to" is not, but "My rule: I …" is."""
    if is_wrapped and ":" not in before:
        return False
    return _PATTERNS["self"].match(content) is not None and not _PATTERNS["request_ending"].search(content)


def _is_own_choice(text: str, content: str) -> bool:
    """Check whether what is to be recommended is for the user, and not a named product."""
    if _PATTERNS["german"].search(content):  # where every noun is capitalised
        return bool(_PATTERNS["to_user"].search(content) and _PATTERNS["form"].search(content))
    is_for_user = _PATTERNS["to_user"].search(content) or _PATTERNS["negative_promotion"].search(content)
    return is_for_user is not None and not _NAME.search(text)
