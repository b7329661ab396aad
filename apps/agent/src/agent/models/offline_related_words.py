"""Words that answer a question although they differ from its words ("diet": "vegan"), for the offline model."""

from collections.abc import Sequence

from agent.models.word_match import Match, Word, significant_words

_DOGS = (
    "puppy pup labrador lab poodle spaniel collie terrier retriever beagle husky corgi dachshund greyhound whippet"
    " boxer bulldog pug rottweiler alsatian mongrel"
)
_PETS = (
    "kitten rabbit hamster gerbil tortoise turtle parrot budgie budgies canary goldfish ferret snake gecko lizard"
    " horse pony guinea-pig meerschweinchen kaninchen wellensittich schildkröte conejo tortuga lapin tortue coniglio"
    " tartaruga coelho konijn"
)
_MEDICINES = (
    "medicine medication tablet pill inhaler insulin mg dose prescription antibiotic antidepressant antihistamine"
    " statin metformin levothyroxine l-thyroxin thyroxin ibuprofen ibuprofeno paracetamol aspirin warfarin sertraline"
    " citalopram fluoxetine ramipril lisinopril amlodipine bisoprolol atorvastatin simvastatin omeprazole salbutamol"
    " sumatriptan methotrexate prednisolone gabapentin naproxen"
)
_SPORTS = (
    "run running swim swimming gym yoga cycle cycling football soccer five-a-side tennis climb climbing hike hiking"
    " pilates judo karate boxing rugby cricket hockey netball basketball volleyball badminton squash golf surf ski"
    " skiing rowing handball triathlon marathon parkrun fußball schwimmen laufen klettern fútbol nadar correr foot"
    " natation calcio nuoto basket corsa futebol voetbal"
)
_RELATED = {
    "child": "twin triplet baby boy girl toddler",
    "dog": _DOGS,
    "cat": "kitten",
    "pet animal": f"dog cat {_DOGS} {_PETS}",
    "single relationship": "wife husband partner girlfriend boyfriend married divorced widowed engaged dating",
    "anniversary": "married wedding",
    "employ employer": "work job firm company employed",
    "antibiotic": "penicillin amoxicillin allergic",
    "loan": "mortgage loan borrowed owe",
    "salary income wage": "earn earning salary paid income",
    "wake": "wake alarm up",
    "smoke smoker": "smoke smoker smoking cigarette cigarettes vape tobacco rollies",
    "drink alcohol": "alcohol teetotal teetotaller teetotaler sober beer wine booze",
    "drink beverage": "tea coffee espresso cappuccino latte juice water cola coke lemonade cocoa beer wine",
    "vegan vegetarian": "vegan vegetarian pescatarian meat fish dairy",
    "meat": "vegetarian vegan meat steak pescatarian",
    "wife husband partner": "married fiancé fiancée missus",
    "study studying studies": "degree masters bachelor phd course university uni college",
    "medicine medication tablet pill": _MEDICINES,
    "allergy allergies allergic": (
        "allergic allergy allergies intolerant intolerance coeliac celiac unverträglichkeit laktoseintoleranz"
        " nussallergie pollenallergie heuschnupfen celíaco celíaca intolerante intolérant intolérante intollerante"
        " celiaco celiaca"
    ),
    "diet": "vegan vegetarian pescatarian keto paleo gluten coeliac celiac halal kosher carb meat",
    "health illness disease condition": (
        "asthma asthmatic migraine migraines diabetes diabetic epilepsy arthritis blood pressure diagnosed allergic"
        " ulcer injury pain bad"
    ),
    "weigh weighing weight": "kilo kg lb lbs pound",
    "tall height": "cm foot feet tall metre",
    "phone": "iphone android samsung pixel",
    "car vehicle": "drive car van",
    "language": "speak fluent bilingual",
    "boss manager": "boss manager supervisor",
    "exercise sport": _SPORTS,
    "hobby hobbies": f"{_SPORTS} hobby knit sew paint draw sing choir garden photography fish bake dance chess",
    "instrument": (
        "guitar piano violin cello flute drums trumpet trombone banjo ukulele saxophone clarinet harp accordion"
    ),
    "holiday vacation trip": "holiday vacation trip flight fly travel abroad",
    "cost price": "cost price pay paid bought",
    "like": "mad obsessed keen fan",
    "dislike hate": "hate dislike detest loathe stand",
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
