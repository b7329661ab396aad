"""Erasure of an owner's rows (exact store only)."""

from integration.store.stores import Namespace, Store, rows

NEIGHBOURS = ("", "a", "-", "0", "_")  # before and behind a dot, and one that LIKE would take for any character


async def test_all_rows_of_an_owner_are_deleted_and_counted(exact: Store, exact_uri: str, home: Namespace) -> None:
    users, name = home
    for suffix in NEIGHBOURS:
        owner = (users, name + suffix)
        await exact.aput((*owner, "memories", "user"), "a", {"text": "red car"})
        await exact.aput((*owner, "memories", "user"), "b", {"text": "house"}, index=False)
        await exact.aput((*owner, "inbox"), "c", {"text": "house"})
        await exact.aput(owner, "d", {"other": "house"})
    memories, inbox = (*home, "memories", "user"), (*home, "inbox")
    assert await exact.aerase(home) == {  # type: ignore[union-attr] # ours only
        "store_vectors": {memories: 1, inbox: 1},
        "store": {memories: 2, inbox: 1, home: 1},
        "store_changes": {},
    }
    left = await rows(exact_uri, "SELECT prefix FROM store WHERE starts_with(prefix, %s)", ".".join(home))
    assert len(left) == 4 * (len(NEIGHBOURS) - 1)
    assert not any(prefix == ".".join(home) or prefix.startswith(".".join(home) + ".") for (prefix,) in left)
