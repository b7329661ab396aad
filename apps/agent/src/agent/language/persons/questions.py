"""Questions for a person or an animal ("What do you know about my sister?"), and the statements about it.

A person has several designations: "my cat", "Miso", and in "Lidl's manager is Ann", "my boss's sister" is Ann's. The
names are those of the statements, so that what is stated of "Miso" answers a question for "my cat", and vice versa.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from agent.language.parsing.sentences import plain_punctuation
from agent.language.pattern_files import load_patterns
from agent.language.persons.names import KnownNames, is_of_user, is_relative_of, links, words_of_name
from agent.language.persons.roles import DERIVED, GROUPS, MAX_CHARS, USER, WIDER, WORDS, Mention, mentions, role_words
from agent.language.text_cache import cache_per_user

MAX_QUESTION_CHARS = 140
FIRST_CHARS = 30
MAX_NAME_WORDS = 3
MAX_TITLE_CHARS = 4
"""A longer first word of a name is no title ("Herr", "Mrs")."""

_PATTERNS = load_patterns("persons/questions.toml")
_FIRST_WORDS = frozenset(WORDS["first"].split())
_ADVICE = load_patterns("parsing/own_questions.toml")["advice"]
_FAMILY = "family"
_TWO_SENTENCES = re.compile(r"[.?!][\s'\")]+\w")
_WORD = re.compile(r"[^\W_]+(?:-[^\W_]+)*")
_HAN = re.compile("[\u3400-\u9fff]")
_EDGES = " \t\r\n.,;:!?\u2026\u3002\uff01\uff1f\u061f\uff0c\"'"


@dataclass(frozen=True, slots=True)
class PersonAnswer:
    """The statements about the persons or animals that a question names, by index."""

    about: tuple[int, ...]
    """All of them, those that give a name first."""
    naming: tuple[int, ...]
    """Those that give a name."""
    by_role: tuple[int, ...]
    """Those that give their role."""
    connecting: tuple[int, ...]
    """Those that give the names of the persons to whom these belong ("My boss is Ann" for "my boss's husband")."""
    rest: str
    """The question without the person."""
    is_general: bool
    """Whether the question asks for everything, or who it is."""
    is_by_name: bool
    """Whether the question names the person by name."""


@dataclass(frozen=True, slots=True)
class _Question:
    person: str
    """The words with the person; the whole question, if it asks for something specific."""
    is_general: bool


@dataclass(frozen=True, slots=True)
class _Target:
    """The persons or animals that a question is for."""

    roles: frozenset[str] = frozenset()
    names: frozenset[str] = frozenset()
    via: frozenset[str] = frozenset()
    """Of relatives of others: what these are to the user."""
    owners: frozenset[str] = frozenset()
    """The names of these others."""

    def is_mentioned(self, mention: Mention) -> bool:
        """Check whether a mention in a statement is of this role."""
        if self.via or self.owners:
            return is_relative_of(mention, self.roles, self.via, self.owners)
        return bool(mention.roles & self.roles) and is_of_user(mention)

    def is_named(self, text: str) -> bool:
        """Check whether a statement contains one of the names."""
        return any(_contains_name(text, name) for name in self.names)


def may_ask(message: str) -> bool:
    """Check whether a message may be a question, by its question mark or its first words."""
    if "?" in message or "\uff1f" in message or message > "\u3400":
        return True
    return not _FIRST_WORDS.isdisjoint(message[:FIRST_CHARS].casefold().split())


def asks_about_person(question: str) -> bool:
    """Check whether a question may be for a person or an animal, by its beginning."""
    return _read(question) is not None


def asks_for_person(question: str) -> bool:
    """Check whether a question is for all that is known of a person, or names one of the user's by what it is."""
    read = _read(question)
    return read is not None and (read.is_general or bool(_own_mentions(read.person)))


def names_own_person(question: str) -> bool:
    """Check whether a question names a person or an animal by what it is to the user, or to another person."""
    return bool(_own_mentions(plain_punctuation(question[:MAX_QUESTION_CHARS])))


def person_answer(question: str, texts: Sequence[str]) -> PersonAnswer | None:
    """Find the statements about the persons or animals that a question is for.

    Args:
        question: one question.
        texts: the statements of one user.

    Returns:
        None if it is for no person or animal of the user.
    """
    read = _read(question)
    if read is None:
        return None
    texts = [plain_punctuation(text[:MAX_CHARS]) for text in texts]
    known = KnownNames.of(texts)
    targets, rest, is_by_name = _targets(read, known, texts)
    if not targets:
        return None
    if not _is_meant(targets, read, rest, texts):
        return None
    by_role = [n for n, text in enumerate(texts) if _mentions_any(text, targets)]
    if not by_role and not is_by_name:
        targets = [replace(one, roles=one.roles | _wider(one.roles)) for one in targets]
        by_role = [n for n, text in enumerate(texts) if _mentions_any(text, targets)]
    about = [n for n, text in enumerate(texts) if n in by_role or any(one.is_named(text) for one in targets)]
    naming = [n for n in about if _names_any(texts[n], targets)]
    ordered = dict.fromkeys([*naming, *(n for n in about if n in by_role), *about])
    connecting = [n for n, text in enumerate(texts) if n not in about and _names_owner(text, targets)]
    is_general = read.is_general and not _WORD.search(rest)
    return PersonAnswer(tuple(ordered), tuple(naming), tuple(by_role), tuple(connecting), rest, is_general, is_by_name)


def _is_meant(targets: Sequence[_Target], read: _Question, rest: str, texts: Sequence[str]) -> bool:
    """Check that the owners of a relative are known ("the boss of Microsoft" is no person of the user)."""
    owners = [owner for target in targets for owner in target.owners]
    is_known = not owners or any(_contains_name(text, owner) for text in texts for owner in owners)
    is_of_user = any(target.via or not target.owners for target in targets)
    return is_known or is_of_user or not (read.is_general or rest)


def _read(question: str) -> _Question | None:
    if len(question) > MAX_QUESTION_CHARS or not may_ask(question):
        return None
    return _read_question(question)


@cache_per_user(maxsize=1024)
def _read_question(question: str) -> _Question | None:
    if _TWO_SENTENCES.search(question):
        return None
    plain = plain_punctuation(question).strip()
    lead = _PATTERNS["lead"].match(plain)
    plain = (plain[lead.end() :] if lead else plain).rstrip(_EDGES)
    if _HAN.search(plain) and (match := _PATTERNS["about_han"].fullmatch(plain)):
        return _Question(next(filter(None, match.groups())), is_general=True)
    if match := _PATTERNS["who_last"].fullmatch(plain):
        return _Question(match["person"], is_general=True)
    if match := _PATTERNS["about"].match(plain) or _PATTERNS["who"].match(plain):
        return _Question(plain[match.end() :].strip(_EDGES), is_general=True)
    is_specific = _PATTERNS["start"].match(plain) and not _ADVICE.search(_without_roles(plain))
    return _Question(plain, is_general=False) if is_specific else None


def _without_roles(text: str) -> str:
    """A text without designations, some of which have words for advice ("my better half")."""
    for _, start, end in reversed(role_words(text)):
        text = f"{text[:start]} {text[end:]}"
    return text


def _targets(question: _Question, known: KnownNames, texts: Sequence[str]) -> tuple[list[_Target], str, bool]:
    """The persons, the question without them, and whether they have a name in it."""
    person = question.person
    if mentioned := _own_mentions(person):
        meant = [one for one in mentioned if one.via] or mentioned
        if any(_FAMILY in one.roles for one in meant) and not question.is_general:  # "Who has allergies in my family?"
            return [], "", False
        targets = [target for one in meant for target in _of_mention(one, known)]
        return targets, _without(person, mentioned, targets), False
    names = _names_in(question, known, texts)
    targets = [_Target(roles=_sole_roles(name, known), names=frozenset({name})) for name in names]
    return targets, _without(person, (), targets), True


def _own_mentions(person: str) -> list[Mention]:
    """What a question calls the user's; a role without a determiner counts in "how many kids do I have"."""
    found = mentions(person)
    own = [one for one in found if one.has_own_word or one.owner not in {USER, ""}]
    if own:
        return own
    bare = [Mention(roles, start, end, USER) for roles, start, end in role_words(person)][:1]
    if _PATTERNS["has_own"].search(person):
        return bare
    return [one for one in found if one.is_named_by_role][:1] or [one for one in bare if one.is_kin]


def _of_mention(one: Mention, known: KnownNames) -> list[_Target]:
    roles = _expanded(one.roles)
    if one.via or one.owner not in {USER, ""}:
        via = _expanded(one.via)
        owners = known.of_roles(via) if via else frozenset({one.owner})
        own_roles = via or frozenset[str]().union(*known.roles_of(one.owner))
        names = known.of_relatives(roles, own_roles, owners)
        return [_Target(roles, names, own_roles, owners)]
    targets = [_Target(roles, known.of_roles(roles))]
    for role in one.roles:
        for owner, relative in DERIVED.get(role, ()):
            via, relatives = frozenset({owner}), frozenset({relative})
            owners = known.of_roles(via)
            targets.append(_Target(relatives, known.of_relatives(relatives, via, owners), via, owners))
    return targets


def _expanded(roles: frozenset[str]) -> frozenset[str]:
    return roles.union(*(GROUPS.get(role, frozenset()) for role in roles))


def _wider(roles: frozenset[str]) -> frozenset[str]:
    return frozenset(wider for role in roles for wider in WIDER.get(role, ()))


def _names_in(question: _Question, known: KnownNames, texts: Sequence[str]) -> list[str]:
    """The names in a question: one of a person or an animal of the user, or what it asks for altogether."""
    if not question.is_general:
        named = {name for link in known.links for name in link.names}
        return sorted(name for name in named if _contains_name(question.person, name, folded=True))
    name = question.person
    is_name = 0 < len(name.split()) <= MAX_NAME_WORDS and len(name) > 1
    wanted = rf"(?<![\w-]){re.escape(name)}(?![\w-])"
    found = (re.search(wanted, text, re.IGNORECASE) for text in texts) if is_name else iter(())
    written = next((match[0] for match in found if match and not match[0][0].islower()), "")
    return [written] if written else []


def _sole_roles(name: str, known: KnownNames) -> frozenset[str]:
    """The roles of a person of the user with a name, without those that others have, too."""
    own = frozenset[str]().union(*known.roles_of(name))
    return frozenset(role for role in own if _are_one(known.of_roles(frozenset({role}))))


def _are_one(names: frozenset[str]) -> bool:
    return len({words_of_name(name)[-1] for name in names}) == 1


def _contains_name(text: str, name: str, *, folded: bool = False) -> bool:
    """Check whether a text contains a name, in capitals unless the text or the name has none."""
    flags = re.IGNORECASE if folded or name.islower() or text.islower() else re.NOFLAG
    words = name.split()
    parts = [name, words[-1], *(words[:1] if len(words) > 1 and len(words[0]) > MAX_TITLE_CHARS else [])]
    pattern = "|".join(re.escape(part) for part in dict.fromkeys(parts) if len(part) > 1)
    wanted = f"(?:{pattern})" if _HAN.search(name) else rf"(?<![\w-])(?:{pattern})s?(?![\w-])"
    return bool(pattern) and re.search(wanted, text, flags) is not None


def _without(text: str, mentioned: Sequence[Mention], targets: Sequence[_Target]) -> str:
    """The other words of a question."""
    for one in sorted(mentioned, key=lambda one: -one.start):
        text = f"{text[: one.start]} {text[one.end :]}"
    for name in {name for one in targets for name in one.names}:
        text = re.sub(rf"(?<![\w-]){re.escape(name)}(?![\w-])", " ", text, flags=re.IGNORECASE)
    return _PATTERNS["determiner"].sub(" ", text)


def _mentions_any(text: str, targets: Sequence[_Target]) -> bool:
    return any(target.is_mentioned(one) for one in mentions(text) for target in targets)


def _names_any(text: str, targets: Sequence[_Target]) -> bool:
    return any(
        target.is_mentioned(link.mention) or not link.names.isdisjoint(target.names)
        for link in links(text)
        for target in targets
    )


def _names_owner(text: str, targets: Sequence[_Target]) -> bool:
    owners = {owner for target in targets for owner in target.owners}
    return bool(owners) and any(is_of_user(link.mention) and not link.names.isdisjoint(owners) for link in links(text))
