"""Results of requests are paragraphs of Markdown in the user's language."""

from agent.models.request_results import ENGLISH, RESULTS, translate_results


def test_each_result_is_a_paragraph_and_a_list_follows_its_title() -> None:
    results = [f"{ENGLISH.forgotten} Likes cheese", ENGLISH.choose, "1. Has a dog", "2. Has a cat"]
    german = RESULTS["de"]
    expected = f"{german.forgotten} Likes cheese\n\n{german.choose}\n1. Has a dog\n2. Has a cat"
    assert translate_results("\n".join(results), "de") == expected
