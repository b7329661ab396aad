"""Prometheus metrics of connection pools, read from psycopg_pool's own statistics."""

from collections.abc import Iterable, Sequence
from typing import Any

from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector
from psycopg_pool import AsyncConnectionPool

PREFIX = "keepsake_db_pool_"
GAUGES = {
    "max_connections": ("pool_max", "Maximum number of connections"),
    "size": ("pool_size", "Open connections"),
    "idle_connections": ("pool_available", "Open connections that are not in use"),
    "waiting_requests": ("requests_waiting", "Requests that wait for a connection"),
}
COUNTERS = {
    "requests": ("requests_num", "Requests for a connection", 1.0),
    "queued_requests": ("requests_queued", "Requests that had to wait for a connection", 1.0),
    "wait_seconds": ("requests_wait_ms", "Time that requests waited for a connection", 1e-3),
    "usage_seconds": ("usage_ms", "Time that connections were in use", 1e-3),
    "failed_requests": ("requests_errors", "Requests that got no connection in time", 1.0),
}


class PoolCollector(Collector):
    """Reads the statistics of pools when they are requested; the label `pool` is the pool's name."""

    def __init__(self, pools: Sequence[AsyncConnectionPool[Any]]) -> None:
        self._pools = pools

    def collect(self) -> Iterable[Metric]:
        """Yield one family per statistic."""
        statistics = {pool.name: pool.get_stats() for pool in self._pools}
        for name, (key, documentation) in GAUGES.items():
            gauge = GaugeMetricFamily(PREFIX + name, documentation, labels=["pool"])
            for pool, values in statistics.items():
                gauge.add_metric([pool], values.get(key, 0))
            yield gauge
        for name, (key, documentation, factor) in COUNTERS.items():
            counter = CounterMetricFamily(PREFIX + name, documentation, labels=["pool"])
            for pool, values in statistics.items():
                counter.add_metric([pool], values.get(key, 0) * factor)
            yield counter
