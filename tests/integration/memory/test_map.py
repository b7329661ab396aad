"""The map of a user's memories."""

import json

import numpy as np

from agent.memory.recall.projection import project
from support.client import ApiClient, Json

TEXTS = ("Plays the violin", "Plays the cello", "Is allergic to peanuts", "Cannot eat hazelnuts")


async def read_map(client: ApiClient) -> Json:
    return dict((await client.http.get("/memories/map")).raise_for_status().json())


async def test_the_map_shows_each_memory_of_the_user_and_changes_with_them(ada: ApiClient, bob: ApiClient) -> None:
    assert (await read_map(ada))["points"] == []
    lines = "\n".join(json.dumps({"kind": "user", "text": text}) for text in TEXTS)
    await ada.http.post("/memories/import", content=lines.encode())
    ids = {memory["text"]: memory["id"] for memory in await ada.memories()}
    drawn = await read_map(ada)
    points = {point["id"]: np.array([point["x"], point["y"]]) for point in drawn["points"]}
    assert points.keys() == set(ids.values())
    assert max(np.abs(point).max() for point in points.values()) == 1.0
    violin, cello, peanuts, _ = (points[ids[text]] for text in TEXTS)
    assert np.linalg.norm(violin - cello) < np.linalg.norm(violin - peanuts)
    assert await read_map(ada) == drawn
    await ada.http.delete(f"/memories/{ids[TEXTS[0]]}")
    changed = await read_map(ada)
    assert changed["version"] != drawn["version"]
    assert {point["id"] for point in changed["points"]} == set(ids.values()) - {ids[TEXTS[0]]}
    assert (await read_map(bob))["points"] == []


def test_a_projection_keeps_the_two_directions_of_greatest_variance_and_their_signs() -> None:
    random = np.random.default_rng(1)
    plane = random.normal(size=(500, 2)) * [5, 2]
    axes = np.linalg.qr(random.normal(size=(64, 2)))[0]
    vectors = (plane @ axes.T + random.normal(size=(500, 64)) * 0.01).astype(np.float16)
    points = project(vectors)
    expected = plane - plane.mean(axis=0)
    correlations = [abs(np.corrcoef(points[:, n], expected[:, n])[0, 1]) for n in range(2)]
    assert min(correlations) > 0.99
    order = random.permutation(500)
    assert np.allclose(project(vectors[order]), points[order], atol=1e-3)


def test_few_vectors_are_projected_without_an_error() -> None:
    one = np.ones((1, 8), np.float16)
    assert project(np.zeros((0, 0), np.float16)).shape == (0, 2)
    assert project(one).tolist() == [[0.0, 0.0]]
    assert project(np.repeat(one, 3, axis=0)).tolist() == [[0.0, 0.0]] * 3
