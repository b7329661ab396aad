"""Extractions of a good model that are kept, and of a misled one that get in."""

from collections.abc import Sequence
from datetime import timedelta
from functools import partial
from itertools import groupby

import psycopg

from support.client import ApiClient, Json, new_thread
from support.scripted_openai import ScriptedOpenAI
from support.searxng import Searx

from .formation_dates import fill_in, local_day, said_at
from .formation_script import WEB_CLASSES, CaseScript, ScriptedCase
from .formation_service import PAGE, databases, flush, folded, for_each, keepsake, new_user, say, stored
from .formation_sets import Row, rows
from .tip_figures import Outcome, Result, Share
from .tip_sets import Split

SEARCH_RESULT = {
    "title": "Visitors' guide",
    "url": "https://guide.example/",
    "content": "Everything about it, in brief.",
}
OWN_TEXT = "[own text]"
GROUPS = {"memory": "facts", "procedural": "facts", "episode": "episodes", "profile": "profile sentences"}

Labelled = tuple[Split, Row]


async def good_model() -> list[Result]:
    """Whether the text, or the user's own sentence, is stored and recalled."""
    script = CaseScript()
    with databases() as new_database, ScriptedOpenAI() as model:
        script.install(model.script)
        database = new_database()
        async with keepsake(model.base_url, DATABASE_URL=database) as url:
            found = await for_each(rows("good_model"), partial(_keep, url, database, script))
    pairs = [(row, outcome) for (_, row), outcome in zip(rows("good_model"), found, strict=True)]
    kinds = [(GROUPS[row["kind"].partition(":")[0]], outcome) for row, outcome in pairs]
    own = [(row, Outcome(one.split, OWN_TEXT in one.row, one.row)) for row, one in pairs]
    parts = {kind: [one for of, one in kinds if of == kind] for kind in dict.fromkeys(GROUPS.values())}
    parts |= {
        "in the model's words": [one for _, one in own],
        "in the model's words, of those with a worked-out date": [one for row, one in own if "{" in row["text"]],
        "in the model's words, of those that need the context": [one for row, one in own if row["context"]],
    }
    shares = (Share(name, outcomes, part_of_another=True) for name, outcomes in parts.items())
    return [Share("extractions of a good model that are kept", found), *shares]


async def misled_model() -> list[Result]:
    """Whether a false text, or a memory that states it, is stored."""
    script = CaseScript()
    cases = [*rows("misled_model"), *rows("misled_structure")]
    with ScriptedOpenAI() as model, Searx() as searx:
        script.install(model.script)
        searx.response = {"results": [SEARCH_RESULT]}
        async with keepsake(model.base_url, SEARXNG_URL=searx.url) as url:
            found = await for_each(cases, partial(_admit, url, script))
    results: list[Result] = [Share("extractions of a misled model that get in", found, wanted=False)]
    by_class = [(row["class"], outcome) for (_, row), outcome in zip(cases, found, strict=True)]
    for name, group in groupby(sorted(by_class, key=lambda one: one[0]), key=lambda one: one[0]):
        results.append(Share(name, [outcome for _, outcome in group], wanted=False, part_of_another=True))
    return results


async def _keep(url: str, database: str, script: CaseScript, labelled: Labelled) -> Outcome:
    split, row = labelled
    at = said_at(row)
    day = local_day(row, at)
    until = None if row["until_days"] is None else (day + timedelta(days=row["until_days"])).isoformat()
    case = ScriptedCase(row, fill_in(row["text"], day), until)
    async with new_user(url) as api:
        (await api.http.patch("/me", json={"time_zone": row["zone"]})).raise_for_status()
        with script.playing(case):
            thread = await _say_context(api, case)
            case.said = True
            for n, message in enumerate(case.messages):
                reply = await say(api, message, thread)
                _set_time(database, reply.data("run.started")["message_id"], (at + timedelta(minutes=n)).isoformat())
            result = await flush(api)
        kept = await _kept(api, case)
    return Outcome(split, bool(kept), f"[{row['kind']}] {' // '.join(case.messages)} | {case.text} | {kept or result}")


async def _admit(url: str, script: CaseScript, labelled: Labelled) -> Outcome:
    split, row = labelled
    case = ScriptedCase(row, row["text"])
    async with new_user(url) as api:
        with script.playing(case):
            thread = await _say_context(api, case)
            case.said = True
            for message in case.messages:
                await say(api, message, thread, web_search=case.category in WEB_CLASSES)
            await flush(api)
        texts = await stored(api)
    false = [text for text in texts if _states(text, row)]
    return Outcome(split, bool(false), f"[{case.category}] {' // '.join(case.messages)} | {case.text} | {false}")


async def _say_context(api: ApiClient, case: ScriptedCase) -> str:
    """Send the messages before the new ones, and form memories of them."""
    thread = new_thread()
    for message in case.context:
        if message["role"] == "user":
            await say(api, message["text"], thread)
    if case.context:
        await flush(api)
    return thread


def _set_time(database: str, message: str, ts: str) -> None:
    with psycopg.connect(database, autocommit=True) as connection:
        connection.execute(
            "UPDATE store SET value = jsonb_set(value, '{ts}', to_jsonb(%s::text)) WHERE key = %s", (ts, message)
        )
        connection.execute("UPDATE messages SET ts = %s WHERE id = %s", (ts, message))


async def _kept(api: ApiClient, case: ScriptedCase) -> str:
    """What was kept: the model's text, or the user's sentence; empty if none of them is recalled."""
    if case.kind.startswith("profile:") and (kept := _as_stored(case, await stored(api))):
        return kept
    answer = await api.http.get("/memories", params={"q": case.text, "limit": PAGE})
    found: list[Json] = answer.raise_for_status().json()["items"]
    return _as_stored(case, [memory["text"] for memory in found])


def _as_stored(case: ScriptedCase, texts: Sequence[str]) -> str:
    if folded(case.text) in map(folded, texts):
        return OWN_TEXT
    quote = folded(case.row["quote"])
    return next((f"[user's sentence] {text}" for text in texts if quote in folded(text)), "")


def _states(text: str, row: Row) -> bool:
    """Whether a memory states the false text: it contains a marker of it, and no frame ("In my novel …")."""
    plain = folded(text).strip(" .")
    if row["frame"] and folded(row["frame"]) in plain:
        return False
    if plain == folded(row["text"]).strip(" ."):
        return True
    markers = [folded(marker) for marker in row["states"]]
    return any(plain == marker[1:] if marker.startswith("=") else marker in plain for marker in markers)
