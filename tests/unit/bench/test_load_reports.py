import httpx
import pytest
from bench.bench_cluster import Load, figures, slope, tables
from bench.bench_messages import table
from bench.message_data import groups


def test_growth_is_the_slope_of_the_second_half() -> None:
    warming_up = [(float(n), 100.0 + n) for n in range(10)]
    steady = [(float(n), 110.0 + n / 3600) for n in range(10, 20)]
    rate, error = slope([*warming_up, *steady])
    assert rate == pytest.approx(1)
    assert error == pytest.approx(0, abs=1e-6)


def test_few_samples_give_no_growth() -> None:
    assert slope([(0.0, 1.0), (1.0, 2.0)]) == (0, float("inf"))


async def test_the_load_report_counts_errors() -> None:
    async with httpx.AsyncClient() as http:
        load = Load(http, milliseconds={"read": [1.0, 2.0]}, memory={"gateway 1": [(float(n), 5.0) for n in range(8)]})

        async def fail() -> None:
            raise RuntimeError("no end")

        await load.timed("stream", 0.0, fail())
        await load.timed("stream", 0.0, fail())
    text = tables(figures(load))
    assert "- stream: RuntimeError no end: 2 times" in text
    assert "| gateway 1 | 5 |" in text


def test_late_requests_are_marked() -> None:
    found = {
        "typical": {"list": [10.0, 10.0], "erase": [10.0, 900.0]},
        "heavy": {"list": [20.0, 20.0], "erase": [1.0, 1.0]},
    }
    rows = table(found).splitlines()
    assert [row.endswith("| over 200 |") for row in rows[2:]] == [False, True]


def test_the_groups_add_up_to_the_number_of_messages() -> None:
    assert sum(group.total for group in groups(5_000_000)) == 5_000_000
