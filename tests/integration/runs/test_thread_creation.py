"""Turns that create the same thread at the same time."""

import threading
import uuid

import psycopg

from agent.runs.turns import SQL

TRANSACTIONS = 4
THREADS = 400


def test_turns_that_create_the_same_thread_at_once_wait_for_each_other(database: str) -> None:
    """Without the lock on the account, about one of a hundred threads violates a unique constraint, or deadlocks."""
    with psycopg.connect(database, autocommit=True) as connection:
        connection.execute("INSERT INTO users (id, issuer, subject) VALUES ('ada', 'issuer', 'ada')")
    threads, created = [uuid.uuid4() for _ in range(THREADS)], list[int]()
    at_once = threading.Barrier(TRANSACTIONS, timeout=10)

    def begin_turns() -> None:
        with psycopg.connect(database) as connection:
            for thread in threads:
                message = {"message": uuid.uuid4(), "previous": None, "title": "", "unlisted": True}
                parameters = {"user": "ada", "thread": thread, **message}
                at_once.wait()
                connection.execute(SQL.lock_user_exclusively, parameters)
                connection.execute(SQL.lock_conversation, parameters)
                connection.commit()
        created.append(THREADS)

    workers = [threading.Thread(target=begin_turns, daemon=True) for _ in range(TRANSACTIONS)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert created == [THREADS] * TRANSACTIONS
