"""Where texts are analysed: short ones in the calling thread, long ones elsewhere."""

import os
import threading

import pytest

from agent.text_process import INLINE_CHARS, INLINE_COMPARED_CHARS, analyse, compare


@pytest.mark.parametrize(("chars", "is_inline"), [(INLINE_COMPARED_CHARS, True), (INLINE_COMPARED_CHARS + 1, False)])
async def test_long_texts_are_compared_in_a_thread(chars: int, *, is_inline: bool) -> None:
    assert (await compare(threading.get_ident, chars=chars) == threading.get_ident()) is is_inline


@pytest.mark.parametrize(("chars", "is_inline"), [(INLINE_CHARS, True), (INLINE_CHARS + 1, False)])
async def test_a_long_text_is_analysed_in_a_process(chars: int, *, is_inline: bool) -> None:
    assert (await analyse(os.getpid, chars=chars) == os.getpid()) is is_inline
