"""Compare two statements by their aligned words: the same frame, in which only a value differs.

The newer one supersedes the older one if there is one such value at a time, which depends on the kind of the value
(a time of an event, a count, a name), and on what the user says about the newer statement ("now", "correction").
"""

from dataclasses import dataclass
from itertools import takewhile

from agent.language.parsing.openers import Evidence
from agent.language.words.frames import (
    AT,
    BE,
    Frame,
    Tokens,
    any_token,
    is_unspaced,
    plain,
)

_MANNERS = ("company", "tenure", "on_foot", "remote", "hours", "self_employment", "project")
"""Kinds of adverbs. Values of different kinds are not compared: "alone" does not replace "in Leeds"."""
MAX_VALUE_TOKENS, MAX_UNSPACED_TOKENS, MAX_VERB_TOKENS = 3, 6, 3


def is_outdated(old: Frame, new: Frame) -> bool:
    """Check whether a newer statement certainly makes an older one untrue, by their form."""
    if old.significant.isdisjoint(new.significant):
        return False
    is_partial = (old.is_partial or new.is_partial) and new.evidence < Evidence.CORRECTION
    if not (old.holds and new.holds):
        return old.holds != new.holds and not is_partial and plain(old.tokens) == plain(new.tokens)
    found = _quantities(old, new) or _phrases(old, new)
    if found and found.is_excluded():
        return True
    if is_partial or found is None:
        return not is_partial and new.evidence > Evidence.NONE and _is_reordered(old, new)
    return found.is_single() or (new.evidence > Evidence.NONE and found.is_replaced())


@dataclass(frozen=True, slots=True)
class _Difference:
    """The values in which two frames differ, and the words that they share."""

    old: Frame
    new: Frame
    before: Tokens
    after: Tokens
    prefix: Tokens
    suffix: Tokens

    def is_excluded(self) -> bool:
        """Check whether the newer statement names the older value as wrong ("on Thursday, not Tuesday").

        An event in the past is not about what the user has, although both may begin with the same verb.
        """
        if self.new.is_past and all(any_token("have", [one]) for one in self._shared()):
            return False
        value = set(plain(self.before))
        return any(value <= set(other) and len(other) <= len(value) + 2 for other in self.new.excluded)

    def is_single(self) -> bool:
        """Check whether there is one quantity at a time: the time of an event, or the count of the same thing."""
        subject = plain(self.prefix)
        if not self._are_quantities() or self.old.is_past or self.new.is_past:
            return False
        is_open = any_token("indefinite", self.prefix[:1]) or any_token("pronoun", subject[:1])
        if is_open or any_token("numbered", self.prefix[-1:]):
            return False
        if self.new.significant.isdisjoint(subject) or any_token("identifier", subject):
            return self._is_count() and BE in self.prefix and not any_token("identifier", subject)
        if any_token("several", subject) and any_token("have", subject):
            return False
        if self._is_count():
            return True
        is_event = self.new.has_subject and not (self.new.is_habit or self.old.is_habit)
        return is_event and not any_token("additive", subject)

    def is_replaced(self) -> bool:
        """Check whether a statement that is new replaces the value: a quantity by another, or a phrase at the end."""
        if self.new.evidence < Evidence.CORRECTION and (self.old.is_past or self.new.is_past):
            return False
        if self._are_quantities():
            return True
        if not (self._are_alike() and _is_phrase(self.before, self.old) and _is_phrase(self.after, self.new)):
            return False
        if self.new.significant.isdisjoint(self.prefix):
            return False
        return self.new.is_replacing or (self._is_at_end() and not self._has_several_values())

    def _are_alike(self) -> bool:
        """Check whether the phrases are values of the same kind, and not different things that a subject is or does."""
        if _has_auxiliary(self.before) != _has_auxiliary(self.after) or self._are_predicates():
            return False
        if (self.before[0] in self.old.names) != (self.after[0] in self.new.names):
            return False
        if any_token("indefinite", self.before[:1]) != any_token("indefinite", self.after[:1]):
            return False
        are_adjectives = self._are_of("length", "colour") or self._are_of("colour", "length")
        kinds = ("naming", *_MANNERS)
        return not are_adjectives and all(any_token(one, self.before) == any_token(one, self.after) for one in kinds)

    def _are_predicates(self) -> bool:
        """Check whether the frames share only a subject, so that each value is what it does."""
        subject, *name = self.prefix or ("",)
        is_subject = set(name) <= self.new.names and not self.suffix and not is_unspaced((subject,))
        is_name = subject in self.new.names  # "Omar (wizard)", "Omar takes antihistamines now"
        return is_subject and (self.new.has_subject or is_name) and subject != BE

    def _are_of(self, before: str, after: str) -> bool:
        """Check whether the values are of two kinds of adjectives: "short" does not replace "brown"."""
        return any_token(before, self.before) and any_token(after, self.after)

    def _shared(self) -> set[str]:
        """The significant words that both frames have."""
        return {one for one in self.prefix + self.suffix if one in self.new.significant}

    def _are_quantities(self) -> bool:
        """Check whether both values are numbers, or both are days or times."""
        sides = ((self.before, self.old), (self.after, self.new))
        are_all = all(one in frame.quantities or any_token("joiner", [one]) for value, frame in sides for one in value)
        kinds = _kinds(self.before, self.old), _kinds(self.after, self.new)
        are_times = self.prefix[-1:] == (AT,) and "time" in kinds[0] | kinds[1] <= {"number", "time"}  # 6, 6:15
        return are_all and (are_times or not kinds[0].isdisjoint(kinds[1]))

    def _is_count(self) -> bool:
        """Check for a number of something, or a measure."""
        if (_kinds(self.before, self.old) | _kinds(self.after, self.new)) - {"number", "ordinal", "code"}:
            return False
        is_of_thing = not self.new.significant.isdisjoint(self.suffix) and not any_token("passing", self.suffix[:1])
        return self.new.has_subject or is_of_thing or BE in self.prefix

    def _is_object(self, token: str) -> bool:
        """Check for what a verb is about, beside its value: "I like my coffee black"."""
        is_significant = token in self.new.significant
        return is_significant and not any_token("additive", [token]) and not any_token("function", [token])

    def _is_at_end(self) -> bool:
        is_verb = is_unspaced(self.suffix) and len(self.suffix) <= MAX_VERB_TOKENS
        return not self.suffix or is_verb or not self.new.names.isdisjoint(self.suffix)

    def _has_several_values(self) -> bool:
        if any_token("additive", self.prefix):
            return is_unspaced(self.prefix) or not any(self._is_object(one) for one in self.prefix)
        return self.prefix[-1] == BE and any_token("several", self.prefix) and not any_token("best", self.prefix)


def _is_reordered(old: Frame, new: Frame) -> bool:
    """Check for a preference of the same things in another order."""
    is_ordered = any_token("order", new.tokens) and old.tokens != new.tokens
    return is_ordered and sorted(old.significant) == sorted(new.significant)


def _quantities(old: Frame, new: Frame) -> _Difference | None:
    """The quantities in which two frames differ; None if they differ in something else."""
    start = _shared(old.tokens, new.tokens)
    prefix, old_rest, new_rest = new.tokens[:start], old.tokens[start:], new.tokens[start:]
    before, after = _leading_quantities(old_rest, old), _leading_quantities(new_rest, new)
    if not before or not after:
        return None
    old_tail, new_tail = plain(old_rest[len(before) :]), plain(new_rest[len(after) :])
    # An update may omit what is known, or add since when it holds.
    longer, shorter = sorted((old_tail, new_tail), key=len, reverse=True)
    is_aligned = old_tail == new_tail or (new.evidence and longer[: len(shorter)] == shorter)
    is_of_another = any_token("have", plain(prefix)[-1:]) and len(new_tail) > len(old_tail)  # "29", "three children"
    if not is_aligned or is_of_another or new.significant.isdisjoint(prefix + shorter):
        return None
    return _Difference(old, new, plain(before), plain(after), prefix, shorter)


def _leading_quantities(tokens: Tokens, frame: Frame) -> Tokens:
    """The quantities at the beginning with their prepositions."""
    found = takewhile(lambda one: one in frame.quantities or one == AT or any_token("joiner", [one]), tokens)
    quantities = tuple(found)
    return () if frame.quantities.keys().isdisjoint(quantities) else quantities


def _kinds(value: Tokens, frame: Frame) -> set[str]:
    """The kinds of the quantities in a value of a frame."""
    return {kind for token in value for kind in frame.quantities.get(token, ())}


def _phrases(old: Frame, new: Frame) -> _Difference | None:
    """The only difference between two frames; None if there is none, or more than one."""
    start = _shared(old.tokens, new.tokens)
    tail = _shared(old.tokens[start:][::-1], new.tokens[start:][::-1])
    stop = len(new.tokens) - tail
    before, after = _value(old.tokens[start : len(old.tokens) - tail]), _value(new.tokens[start:stop])
    prefix, suffix = new.tokens[:start], new.tokens[stop:]
    if not before or not after or set(before) & set(after) or new.significant.isdisjoint(prefix + suffix):
        return None
    if _differ(old.tokens[start], new.tokens[start]):
        return None
    return _Difference(old, new, before, after, prefix, suffix)


def _shared(one: Tokens, other: Tokens) -> int:
    """The number of equal tokens at the beginning."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))


def _is_phrase(value: Tokens, frame: Frame) -> bool:
    limit = MAX_UNSPACED_TOKENS if is_unspaced(value) else MAX_VALUE_TOKENS
    return len(value) <= limit and not any_token("function", value) and frame.quantities.keys().isdisjoint(value)


def _differ(one: str, other: str) -> bool:
    """Check for two different prepositions: "with Ryanair" does not replace "to Lisbon", or "in York"."""
    are_prepositions = all(token == AT or any_token("function", [token]) for token in (one, other))
    if not are_prepositions or AT not in {one, other}:
        return are_prepositions and one != other
    return any_token("accompanying", [one]) or any_token("accompanying", [other])


def _has_auxiliary(value: Tokens) -> bool:
    """Check for a value with such a verb of its own ("is tired"), which replaces none with another ("sleeps")."""
    return BE in value or any_token("have", value)


def _value(tokens: Tokens) -> Tokens:
    """A value without its preposition."""
    return tokens[1:] if tokens[:1] == (AT,) or any_token("function", tokens[:1]) else tokens
