"""The part of OpenAI's API that chat clients use, with the memory of the user."""
