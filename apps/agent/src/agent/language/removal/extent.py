"""Find the parts of an old text that a newer statement makes untrue, so that the others can remain."""

from collections.abc import Sequence
from itertools import pairwise

from agent.language.dates.notes import split_date_note
from agent.language.parsing.sentences import compile_any, sentences
from agent.language.removal.completeness import (
    concerns_other_clause,
    is_complete_rest,
    lists_other_things,
    removes_other_day,
    removes_other_thing,
)
from agent.language.removal.phrases import is_phrase, outdated_phrases
from agent.language.removal.redaction import Redaction
from agent.language.revision.changes import reports_death
from agent.language.revision.contradictions import MAX_COMPARED_CHARS, contradicts
from agent.language.revision.departures import companion_in, departed, is_companion
from agent.language.words import frames
from agent.language.words.content import content_of, stems, words_of
from agent.language.words.parts import given_name, has_other_subject, other_subject, shared_start, split_parts
from agent.language.words.spelling import spelled_like, with_accents
from agent.language.words.verbless import counts_things

MAX_ITEM_WORDS = 3  # of a list

# Between the parts of a list, and in a part that only adds to what precedes it ("I'm single and enjoying it").
_CONJUNCTION = compile_any(
    r"\b(?:and|or|und|y|e|et|en|plus|\u0438)\s{1,3}(?:(?:also|auch|tambi\u00e9n|aussi)\s{1,3})?$"
)
_REASON = compile_any(r"(?<=\w) (?:because|cuz|cause|cos|since|weil|porque|parce que|perché|omdat) (?=\w+ \w)")
# The last two items of a list ("Mira und ich").
_LAST_ITEMS = compile_any(r"[\w'-]+ (?:and|or|und|y|e|et|en) [\w'-]+\W*")
_DEPENDENT = compile_any(r"\b(?:it|that|this|there|them)\b|^(?:with|without|mit|ohne|con|sin|avec|sans|senza|sem)\b")
_OBJECT = compile_any(r"\w (?:it|them|that)(?: so far| a lot| so much| already| too| now)?[ .!]{0,3}$")
# People or pets with whom the user lives, also in another home.
_COMPANY = compile_any(r"\s{0,3}\b(?:with|mit|con|avec|com|met)\s{1,3}")
_HOME = compile_any(
    r"(?:i'm |i am |we're |we are |i |we |wir |ich |ik |j'|je |nous |on )?(?:living|lives?|based|wohnen?|leben?|vivo"
    r"|vivimos|habite|habitons|vis|vivons|abito|abitiamo|viviamo|moro|moramos|vivemos|woon|wonen)\b"
)
# The end of a clause about a pet or person that the user has, whose name may follow.
_OWNED = compile_any(
    r"\b(?:have|has|'ve|got|habe|hab|tengo|tenemos|ai|avons|ho|abbiamo|tenho|temos|heb|hebben) (?:ich |wir )?(?:an?|one"
    r"|eine?n?|une?|una?|uma?|een) (?:[\w-]{2,15} ){0,2}[\w-]{2,20}$"
)
# The beginning of a sentence about a person in the sentence before, and of one about several people.
_PRONOUN = compile_any(r"(?:he|she|they|his|her|er|sie|él|ella|il|elle|lui|lei|ele|ela|hij|zij)\b")
_JOINT_SUBJECT = compile_any(
    r"(?:my|our|mis?|nuestr[oa]s|meine?|unsere?|mes|nos) [\w-]{2,20}(?: [\w'-]{1,20})? (?:and|und|y|et|e|en)"
    r" (?!(?:i|ich|yo|moi|io|eu|ik)\b)[\w'-]{1,20} \w"
)
# A part that says what the one before it is.
_REFERRING = compile_any(r"(?:that's|thats|das ist|c'est|eso es|es mi|è la mia|è il mio|é o meu|é a minha|dat is)\b")
# The end of a relationship, and the subject of what both did together, which one of them may not do alone.
_SEPARATION = compile_any(
    r"\b(?:broken? up|break(?:ing)? up|split(?:ting)?(?: up)?|separated|divorc\w{1,3}|getrennt|separ\w{2,5}"
    r"|sépar\w{1,4}|divor\w{2,5}|hemos roto|rompimos|rompu|lasciat[ioae]|uit elkaar|geschieden|gescheiden)\b"
)
_JOINT_WITH_USER = compile_any(
    r"(?:(?:i|me|ich|yo|moi|io|eu|ik) (?:and|und|y|et|e|en) (?:[\w'-]{1,20} ?){1,3}"
    r"|(?:[\w'-]{1,20} ){1,3}(?:and|und|y|et|e|en) (?:i|me|ich|yo|moi|io|eu|ik)\b)"
)
# Several animals or people with their names, of whom the others remain when one has died.
_COUNTED_NAMES = compile_any(
    r"\b(?:two|three|four|five|six|[2-9]|zwei|drei|vier|fünf|dos|tres|cuatro|cinco|deux|trois|quatre|cinq|due|tre"
    r"|quattro|dois|duas|três|quatro|twee|vijf) (?:[\w-]{2,20} ){0,2}[\w-]{2,20}"
    r"(?:,|:|,? (?:called|named|namens|llamad[oa]s|qui s'appellent|chiamat[ie]|chamad[oa]s|genaamd|-|\u2013))?"
    r" (?P<names>[\w'-]{2,20}(?:, [\w'-]{2,20}){0,5}),? (?:and|und|y|e|et|en|&) (?P<last>[\w'-]{2,20})"
)

# Who remains after a death ("it's just Bo left"), and the ends of clauses, which may be about the others.
_SURVIVOR = compile_any(
    r"\b(?:(?:just|only)(?: got)?|nur noch|bleibt|s[oó]lo(?: nos)?(?: queda)?|reste|plus que|rest[ao]|rimane|alleen)"
    r" [\w'-]{2,20}"
)
_CLAUSE_END = compile_any(r"[,.;:!?] |\b(?:but|so|aber|pero|mais|mas|maar) ")


def contradicted_statements(new: str, old: str, *, stated_at: str) -> list[str]:
    """The sentences of an old text that a new one contradicts; of each, only these parts, if others remain true."""
    if not contradicts(new, old, stated_at=stated_at):
        return []
    new = spelled_like(with_accents(new), old)
    found: list[str] = []
    is_death, is_outdated, before = reports_death(new), False, ""
    for start, stop in sentences(old[:MAX_COMPARED_CHARS]):
        sentence = old[start:stop].strip()
        if found[-1:] == [before] and not is_death and counts_things(sentence):
            found.pop()  # "Just moved to Leeds. Many boxes."
        before = sentence
        if is_death and is_outdated and _PRONOUN.match(sentence):
            found.append(sentence)
            continue
        is_outdated = bool(sentence) and contradicts(new, sentence, stated_at=stated_at)
        if is_death and (names := _names_of_dead(new, sentence)) is not None:
            found += names
        elif is_outdated and not (is_death and _JOINT_SUBJECT.match(sentence)):
            outdated = _contradicted_in_sentence(new, sentence, stated_at)
            found += () if _is_reason(new, sentence, stated_at) else _separable(outdated, sentence, new)
    return found


def _is_reason(new: str, sentence: str, stated_at: str) -> bool:
    """Check whether a new text contradicts only the reason in a sentence ("… because my girlfriend is Chilean")."""
    reason = _REASON.search(sentence)
    return reason is not None and not contradicts(new, sentence[: reason.start()], stated_at=stated_at)


def _separable(outdated: Sequence[str], sentence: str, new: str) -> Sequence[str]:
    """The outdated parts of a sentence; none if the others would be no statement, or would lose something true."""
    rest = without_statements(sentence, outdated, new)
    if rest.rstrip().endswith("?"):
        return _with_question(rest, sentence, new)
    if _names_only_day(rest):
        return [sentence]
    if rest and any(map(_REFERRING.match, outdated)):
        return ()  # "I love the Lakers, that's my team"
    if not is_complete_rest(rest, sentence, outdated) or concerns_other_clause(sentence, outdated, new):
        return ()
    if (
        _SEPARATION.search(new)
        and (joint := _JOINT_WITH_USER.match(sentence))
        and all(one in joint[0] for one in outdated)
    ):
        return ()  # "Sam and I are buying a house"
    is_of_other = removes_other_thing(sentence, new) or lists_other_things(sentence, new)
    return () if removes_other_day(sentence, outdated, new) or (not rest and is_of_other) else outdated


def _names_only_day(rest: str) -> bool:
    """Check whether nothing but a day or a time remains ("exam in two weeks, on the 17th")."""
    content = content_of(split_date_note(rest)[0])
    return is_phrase(rest) and bool(content.quantities) and not (content.things | content.persons)


def _with_question(rest: str, sentence: str, new: str) -> Sequence[str]:
    """A sentence with the question that it ends with, which is no statement by itself; none if it states more."""
    question = frames.clauses(sentence)[-1]
    stated = stems(rest.removesuffix(question))
    return [sentence] if stated <= stems(new) else ()


def without_statements(text: str, statements: Sequence[str], new: str) -> str:
    """A text without statements that a newer text makes untrue; empty if nothing else is left."""
    messages = frozenset({""})
    for statement in statements:
        text = Redaction.exact(statement, new, messages).redact(text, messages, is_verbatim=True)
    return text


def _contradicted_in_sentence(new: str, sentence: str, stated_at: str) -> list[str]:
    """The parts of an outdated sentence that a new text contradicts; the sentence, if these are all."""
    who = departed(new)
    if who and is_companion(who, sentence):
        named = companion_in(who, sentence)
        if named or not content_of(new).quantities:  # "so it'll be eight of us"
            return named
    found: list[str] = []
    for clause in filter(None, _contradicted_clauses(new, sentence, stated_at) or [sentence]):
        found += _contradicted_phrases(new, clause, stated_at) or _contradicted_details(new, clause, stated_at)
    return found


def _names_of_dead(death: str, sentence: str) -> list[str] | None:
    """The names that a death removes from a list with others, who survive; None if there is no such list.

    "Two dogs, Rex and Bo" stays as it is after the death of Rex: without his name, Bo's would not belong to it. If the
    sentence ends with the list and nobody survives, it is the whole sentence.
    """
    counted = _COUNTED_NAMES.search(sentence)
    names = [*counted["names"].split(", "), counted["last"]] if counted else []
    if counted is None:
        return None
    reports = [one for one in _CLAUSE_END.split(_SURVIVOR.sub("", death)) if reports_death(one)]
    dead = [name for name in names if words_of(name) <= words_of(" ".join(reports) or death)]
    is_at_end = not sentence[counted.end() :].strip(" .!")
    if len(dead) == len(names):
        return [sentence] if is_at_end else None
    return [name for name in dead if not (is_at_end and name == names[0])]


def _contradicted_details(new: str, clause: str, stated_at: str) -> list[str]:
    """The parts of an outdated clause that a new text contradicts, or the phrases of these; else the whole clause."""
    parts = _contradicted_parts(new, clause, stated_at)
    return [one for part in parts for one in _contradicted_phrases(new, part, stated_at) or [part]] or [clause]


def _contradicted_clauses(new: str, sentence: str, stated_at: str) -> list[str]:
    """The clauses of a sentence that a new text contradicts, and the details after them; none if these are all.

    Each of several independent clauses may have parts that remain true, so all of these are given.
    """
    clauses = frames.clauses(sentence)
    found: list[str] = []
    is_outdated, is_about_dead = False, _is_about_dead(new, clauses[0], stated_at)
    for clause, is_detail in zip(clauses, _are_details(sentence, clauses), strict=True):
        depends = is_outdated and ((is_detail and not frames.is_independent(clause)) or _refers_back(clause))
        shares_subject = is_about_dead and not frames.has_named_subject(clause)
        wordings = (clause, *_with_name(sentence, clause))
        is_contradicted = any(contradicts(new, one, stated_at=stated_at) for one in wordings)
        is_outdated = depends or shares_subject or is_contradicted
        found += [clause] if is_outdated else []
    if reports_death(new):  # "I have a dog, Rex"
        found += [one for one, name in pairwise(clauses) if name in found and " " not in name and _OWNED.search(one)]
    if not found:
        return _contradicted_detail(new, sentence, clauses, stated_at)
    return found if len(found) < len(clauses) or all(map(frames.is_independent, clauses)) else []


def _contradicted_detail(new: str, sentence: str, clauses: Sequence[str], stated_at: str) -> list[str]:
    """The later clause without which a sentence is not contradicted ("I'm saving for a house, got 20k so far")."""
    for clause in filter(frames.is_independent, clauses[1:]):
        before, _, after = sentence.partition(clause)
        if not contradicts(new, f"{before.rstrip(' ,;')}{after}", stated_at=stated_at):
            return [clause]
    return []


def _contradicted_parts(new: str, clause: str, stated_at: str) -> list[str]:
    """The parts of a list ("vegan and allergic to nuts") that a new text contradicts; none if these are all."""
    parts = split_parts(clause)
    first = previous = parts[0]
    is_outdated: dict[str, bool] = {}
    is_about_dead = _is_about_dead(new, first, stated_at)
    for part, is_detail in zip(parts, _are_details(clause, parts), strict=True):
        company = () if is_outdated.get(first, True) else _in_company(clause, first, part)
        alone = (part, f"{shared_start(first, part)} {part}", *_with_name(clause, part), *company)
        wordings = () if is_detail else alone
        is_outdated[part] = any(contradicts(new, one, stated_at=stated_at) for one in wordings) or (
            is_outdated[previous] if is_detail else is_about_dead and not frames.has_named_subject(part)
        )
        previous = part
    return [] if all(is_outdated.values()) else [part for part, value in is_outdated.items() if value]


def _refers_back(clause: str) -> bool:
    """Check whether a clause only says something about the thing in the clause before it ("and I'm loving it")."""
    return _OBJECT.search(clause) is not None and len(stems(clause)) <= 1


def _with_name(sentence: str, part: str) -> tuple[str, ...]:
    """A part with the subject of its sentence and the name that another part gives it ("My son Leo is 4")."""
    subject, name = other_subject(sentence), given_name(sentence)
    if not name or name in f"{subject} {part}":
        return ()
    predicate = part.removeprefix(subject).strip()
    return () if predicate == part and frames.has_named_subject(part) else (f"{subject} {name} {predicate}",)


def _in_company(clause: str, first: str, part: str) -> tuple[str, ...]:
    """A part after the words that it shares with the others of a list of people ("I share a flat with Jo and Mia")."""
    return (f"{first} with {part}",) if _COMPANY.match(clause, clause.find(first) + len(first)) else ()


def _contradicted_phrases(new: str, part: str, stated_at: str) -> list[str]:
    """The phrase of a part that a new text contradicts; none if the rest is outdated too, or after a death."""
    if reports_death(new):
        return []
    return outdated_phrases(part, new, lambda text: contradicts(new, text, stated_at=stated_at))


def _is_about_dead(new: str, first: str, stated_at: str) -> bool:
    """Check whether the subject of a sentence, which begins with a part, has died."""
    return reports_death(new) and has_other_subject(first) and contradicts(new, first, stated_at=stated_at)


def _are_details(text: str, parts: Sequence[str]) -> list[bool]:
    """Whether each part of a text only adds to what precedes it ("in Ulm, second year"), and is no item of a list."""
    starts: list[int] = []
    for part in parts:
        starts.append(text.find(part, starts[-1] + 1 if starts else 0))
    joined = [_CONJUNCTION.search(text, 0, start) is not None for start in starts]
    joined[-1] = joined[-1] or _LAST_ITEMS.fullmatch(parts[-1]) is not None
    details = []
    for number, part in enumerate(parts):
        is_listed = joined[number] or (any(joined[number:]) and len(part.split()) <= MAX_ITEM_WORDS)
        is_with = number == 1 and _COMPANY.fullmatch(text, starts[0] + len(parts[0]), starts[1])
        is_home = is_with and _HOME.match(parts[0])
        details.append(number > 0 and not is_home and (not is_listed or _DEPENDENT.search(part) is not None))
    return details
