"""Metrics: what `GET /metrics` counts, and that the dashboard and the alerts use existing metrics."""

import json
import re
from pathlib import Path

import pytest
import yaml

from support.client import ApiClient, StreamedReply, new_thread
from support.scripted_openai import ScriptedOpenAI

pytestmark = pytest.mark.own_gateway

DEPLOY = Path(__file__).parents[3] / "deploy"
OUTCOMES = {"completed": 1, "failed": 1, "cancelled": 1}


async def _samples(client: ApiClient) -> dict[str, float]:
    text = (await client.http.get("/metrics")).raise_for_status().text
    return {name: float(value) for name, value in (line.rsplit(" ", 1) for line in text.splitlines() if line[0] != "#")}


async def test_turns_are_counted_by_outcome(client: ApiClient, model: ScriptedOpenAI) -> None:
    await client.send("I play the violin.")
    model.script.chat_status = 400
    await client.send("I play the harp.")
    model.script.chat_status = 200
    thread = new_thread()
    with model.script.chat_gate.closed():
        events = client.stream(StreamedReply(), "I play the flute.", thread=thread)
        assert "memory.recalled" in [await anext(events), await anext(events)]
        await client.http.post(f"/threads/{thread}/cancel")
        async for _ in events:
            pass
    samples = await _samples(client)
    assert {outcome: samples[f'keepsake_turns_total{{outcome="{outcome}"}}'] for outcome in OUTCOMES} == OUTCOMES
    assert sum(value for name, value in samples.items() if name.startswith("keepsake_turn_failures_total")) == 1
    assert samples["keepsake_turn_first_token_seconds_count"] == 1
    assert samples["keepsake_recall_seconds_count"] == 3
    assert samples["keepsake_turns_degraded_total"] == 0


async def test_incomplete_recall_is_counted(client: ApiClient, model: ScriptedOpenAI) -> None:
    model.script.embeddings_status = 500
    assert (await client.send("I play the violin.")).degraded
    assert (await _samples(client))["keepsake_turns_degraded_total"] == 1


async def test_the_lag_of_formation_is_measured(client: ApiClient) -> None:
    await client.send("I play the violin.")
    await client.flush()
    samples = await _samples(client)
    assert samples["keepsake_formation_lag_seconds_count"] == 1
    assert samples["keepsake_formation_pending_users"] == 0


async def test_open_streams_are_counted(client: ApiClient, model: ScriptedOpenAI) -> None:
    with model.script.chat_gate.closed():
        events = client.stream(StreamedReply(), "I play the violin.")
        await anext(events)
        assert (await _samples(client))["keepsake_open_streams"] == 1
    async for _ in events:
        pass
    assert (await _samples(client))["keepsake_open_streams"] == 0


async def test_requests_are_counted_by_route_template(client: ApiClient) -> None:
    thread = new_thread()
    await client.send("I play the violin.", thread=thread)
    await client.http.get(f"/threads/{thread}/messages", params={"limit": 3})
    await client.http.get(f"/threads/{new_thread()}/messages")
    await client.http.get(f"/no-such-page/{thread}")
    await client.http.request("BREW", "/me")
    samples = await _samples(client)
    route = "/threads/{thread_id}/messages"
    assert samples[f'http_requests_total{{method="POST",route="{route}",status="200"}}'] == 1
    assert samples[f'http_requests_total{{method="GET",route="{route}",status="200"}}'] == 1
    assert samples[f'http_requests_total{{method="GET",route="{route}",status="404"}}'] == 1
    assert samples['http_requests_total{method="GET",route="other",status="404"}'] == 1
    assert samples[f'http_request_duration_seconds_count{{method="GET",route="{route}"}}'] == 2
    assert not any(thread in name or "BREW" in name for name in samples)


async def test_pools_report_their_use(client: ApiClient) -> None:
    await client.send("I play the violin.")
    samples = await _samples(client)
    for pool in ("own", "memory", "checkpoints"):
        label = f'{{pool="{pool}"}}'
        assert samples[f"keepsake_db_pool_requests_total{label}"] > 0
        assert samples[f"keepsake_db_pool_waiting_requests{label}"] == 0
        assert 0 < samples[f"keepsake_db_pool_size{label}"] <= samples[f"keepsake_db_pool_max_connections{label}"]
        assert samples[f"keepsake_db_pool_usage_seconds_total{label}"] >= 0


async def test_no_label_identifies_a_user(client: ApiClient) -> None:
    await client.send("I play the violin.")
    await client.flush()
    user = (await client.http.get("/me")).json()["user_id"]
    text = (await client.http.get("/metrics")).text
    assert user not in text
    assert "violin" not in text


async def test_the_dashboard_and_the_alerts_use_existing_metrics(client: ApiClient) -> None:
    await client.send("I play the violin.")
    text = (await client.http.get("/metrics")).text
    exported = set(re.findall(r"^(?:# TYPE )?([a-z_]+)", text, re.MULTILINE))
    expressions = _expressions()
    used = {name for expression in expressions for name in re.findall(r"\b(?:keepsake|http|process)_\w+", expression)}
    assert len(expressions) > 20
    assert used - exported == set()


def test_every_alert_says_what_to_do() -> None:
    rules = yaml.safe_load((DEPLOY / "prometheus" / "alerts.yaml").read_text(encoding="utf-8"))
    for group in rules["groups"]:
        for rule in group["rules"]:
            assert rule["labels"]["severity"] in {"critical", "warning"}
            assert rule["annotations"].keys() == {"summary", "description"}


def _expressions() -> list[str]:
    dashboard = json.loads((DEPLOY / "grafana" / "keepsake.json").read_text(encoding="utf-8"))
    rules = yaml.safe_load((DEPLOY / "prometheus" / "alerts.yaml").read_text(encoding="utf-8"))
    panels = [target["expr"] for panel in dashboard["panels"] for target in panel.get("targets", ())]
    return panels + [rule["expr"] for group in rules["groups"] for rule in group["rules"]]
