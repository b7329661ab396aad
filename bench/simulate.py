"""Estimate machines, storage and cost for many users from measured service times; see docs/scaling.md.

    python -m bench.simulate               # prints the estimate from results/service_times.json
    python -m bench.measure_service_times  # measures these first

A peak minute of requests is simulated: Poisson arrivals, log-normal service times with the measured means, and one
queue per resource with as many servers as it has cores. The number of cores is the smallest one with which a request
waits at most `MAX_WAIT_SECONDS` in 99 of 100 cases.
"""

import heapq
import json
import math
import random
import sys
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Self

RESULTS = Path(__file__).parent / "results"
USERS = (1_000_000, 10_000_000, 100_000_000)
MAX_WAIT_SECONDS = 0.02
ARRIVALS = 40_000
"""Simulated requests; more change the 99th percentile by less than a tenth."""
VARIATION = 0.5
"""Coefficient of variation of the service times."""
GIB = 2**30


@dataclass(frozen=True, slots=True)
class Assumptions:
    """How users behave and what machines cost. Change them on the command line: `--name=value`."""

    active_share: float = 0.1
    """Share of the users who send messages on a day."""
    messages: float = 12.0
    """Messages of an active user per day."""
    messages_per_burst: float = 4.0
    """Messages that formation processes together."""
    peak_factor: float = 3.0
    """Requests in the busiest minute, relative to the mean."""
    years: float = 2.0
    """Age of the installation: messages accumulate, memories are limited per user."""
    registered_messages: float = 400.0
    """Messages of the mean user per year, also of those who left."""
    memories: float = 60.0
    """Memories of the mean user."""
    cores_of_machine: int = 16
    memory_of_machine_gib: int = 64
    utilisation: float = 0.7
    """Share of a machine's cores that the peak may use."""
    cores_of_database: int = 64
    """Largest database machine; what needs more is divided into shards."""
    memory_of_database_gib: int = 512
    storage_of_database_gib: int = 16_384
    replicas: int = 1
    """Standby copies of each database."""
    dollars_per_core: float = 25.0
    """Per month, with 4 GiB of memory."""
    dollars_per_gib_stored: float = 0.12
    """Per month, on SSD."""

    @classmethod
    def from_arguments(cls, arguments: list[str]) -> Self:
        """Read `--name=value`.

        Raises:
            SystemExit: no assumption has this name.
        """
        types = {field.name: field.type for field in fields(cls)}
        values: dict[str, float] = {}
        for argument in arguments:
            name, _, value = argument.removeprefix("--").replace("-", "_").partition("=")
            if name not in types:
                raise SystemExit(f"unknown assumption {argument!r}; known: {', '.join(types)}")
            values[name] = int(value) if types[name] is int else float(value)
        return cls(**values)  # type: ignore[arg-type] # checked by name


@dataclass(frozen=True, slots=True)
class ServiceTimes:
    """Measured on one machine, in milliseconds of CPU time and in bytes."""

    gateway_ms_per_turn: float
    postgres_ms_per_turn: float
    worker_ms_per_burst: float
    postgres_ms_per_burst: float
    bytes_per_message: float
    bytes_per_memory: float
    bytes_per_user: float


@dataclass(frozen=True, slots=True)
class Estimate:
    """What an installation of this size needs."""

    users: int
    turns_per_second: float
    """In the busiest minute."""
    gateway_cores: int
    worker_cores: int
    database_cores: int
    shards: int
    machines: int
    """Of gateways and workers."""
    stored_gib: float
    """Without standby copies."""
    hot_gib: float
    """The rows of the users of a day; they should fit into the memory of the database."""
    dollars_per_month: float


def simulated_wait(rate: float, mean_seconds: float, servers: int, *, seed: int = 1) -> float:
    """The 99th percentile of the time that a request waits for a server, in seconds."""
    pick = random.Random(seed)
    sigma = math.sqrt(math.log(1 + VARIATION**2))
    mu = math.log(mean_seconds) - sigma**2 / 2
    free = [0.0] * servers
    now, waits = 0.0, []
    for _ in range(ARRIVALS):
        now += pick.expovariate(rate)
        start = max(now, heapq.heappop(free))
        heapq.heappush(free, start + pick.lognormvariate(mu, sigma))
        waits.append(start - now)
    return sorted(waits)[int(0.99 * ARRIVALS)]


def required_cores(rate: float, mean_seconds: float, utilisation: float) -> int:
    """The smallest number of cores with which the wait is short and the utilisation is not exceeded."""
    cores = max(1, math.ceil(rate * mean_seconds / utilisation))
    while simulated_wait(rate, mean_seconds, cores) > MAX_WAIT_SECONDS:
        cores += 1
    return cores


def estimate(users: int, times: ServiceTimes, given: Assumptions) -> Estimate:
    """Estimate the resources for this number of users."""
    turns = users * given.active_share * given.messages / 86_400 * given.peak_factor
    bursts = turns / given.messages_per_burst
    database_ms = times.postgres_ms_per_turn + times.postgres_ms_per_burst / given.messages_per_burst
    gateway = required_cores(turns, times.gateway_ms_per_turn / 1000, given.utilisation)
    worker = required_cores(bursts, times.worker_ms_per_burst / 1000, given.utilisation)
    database = required_cores(turns, database_ms / 1000, given.utilisation)
    memories = given.memories * times.bytes_per_memory
    size = users * (times.bytes_per_user + memories + given.years * given.registered_messages * times.bytes_per_message)
    hot = users * given.active_share * (memories + given.messages * 2 * times.bytes_per_message)
    stored = size / GIB
    shares = (
        database / given.cores_of_database,
        hot / GIB / given.memory_of_database_gib,
        stored / given.storage_of_database_gib,
    )
    shards = math.ceil(max(shares))
    copies = 1 + given.replicas
    cores = gateway + worker + database * copies
    cost = cores * given.dollars_per_core + stored * copies * given.dollars_per_gib_stored
    return Estimate(
        users=users,
        turns_per_second=round(turns, 1),
        gateway_cores=gateway,
        worker_cores=worker,
        database_cores=database,
        shards=shards,
        machines=math.ceil((gateway + worker) / given.cores_of_machine),
        stored_gib=round(stored),
        hot_gib=round(hot / GIB, 1),
        dollars_per_month=round(cost),
    )


def report(estimates: list[Estimate]) -> str:
    """A Markdown table, one column per size."""
    names = [field.name for field in fields(Estimate)]
    rows: list[Mapping[str, float]] = [asdict(each) for each in estimates]
    lines = ["| | " + " | ".join(f"{row['users']:,}" for row in rows) + " |", "|---" * (len(rows) + 1) + "|"]
    for name in names[1:]:
        cells = " | ".join(f"{row[name]:,}" for row in rows)
        lines.append(f"| {name.replace('_', ' ')} | {cells} |")
    return "\n".join(lines)


def main() -> None:
    """Print the estimate and save it."""
    given = Assumptions.from_arguments(sys.argv[1:])
    measured = json.loads((RESULTS / "service_times.json").read_text(encoding="utf-8"))
    times = ServiceTimes(**measured["times"])
    estimates = [estimate(users, times, given) for users in USERS]
    print(report(estimates))
    if len(sys.argv) == 1:
        result = {"assumptions": asdict(given), "times": asdict(times), "estimates": [asdict(e) for e in estimates]}
        (RESULTS / "simulation.json").write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
