"""Words that answer a question although they differ from its words ("diet": "vegan"), for the offline model."""

from collections.abc import Sequence

from agent.models.word_match import Match, Word, significant_words

_RELATED = {
    "child": "twin triplet baby boy girl toddler",
    "dog": "puppy pup",
    "cat": "kitten",
    "wife husband partner": "married fiancé fiancée",
    "study studying studies": "degree masters bachelor phd course university college",
    "medicine medication": "medicine medication tablet pill inhaler insulin mg dose prescription antibiotic statin",
    "allergy allergies allergic": "allergic allergy allergies intolerant intolerance",
    "diet": "vegan vegetarian pescatarian keto paleo gluten coeliac celiac halal kosher carb meat",
    "weigh weighing weight": "kilo kg lb lbs pound",
    "tall height": "cm foot feet tall metre",
    "phone": "iphone android samsung pixel",
    "exercise sport": "run running swim swimming gym yoga cycle football tennis climb hike pilates",
    "cost price": "cost price pay paid bought",
    "like": "mad obsessed keen fan",
}


def _stems(text: str) -> frozenset[str]:
    return frozenset[str]().union(*significant_words(text))


_RELATED_STEMS = [(_stems(asked), _stems(answers)) for asked, answers in _RELATED.items()]


def is_relative(word: Word) -> bool:
    """Check whether a word means a relative, a friend, a colleague or a pet."""
    return Match(matched=(word,)).is_only_about(())


def with_related(words: Sequence[Word]) -> tuple[Word, ...]:
    """The words of a question, each with the forms of the words that answer it."""
    return tuple(
        _gendered(word).union(*(answers for asked, answers in _RELATED_STEMS if word & asked)) for word in words
    )


def _gendered(word: Word) -> Word:
    """The forms of a word; of a relative, without the form that lacks the ending, because "hermana" is no "hermano"."""
    if not is_relative(word):
        return word
    return frozenset(form for form in word if not any(other != form and other.startswith(form) for other in word))
