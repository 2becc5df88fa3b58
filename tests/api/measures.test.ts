import { readFileSync } from "node:fs";
import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { countCharacters } from "~server/contract/marks";
import type { SpeechChunk, SpeechEngine, SpeechRequest } from "~server/speech/engine";
import { master } from "~server/speech/mastering";
import { createMetrics } from "~server/upstream/compose/metrics";
import { createMetrics as createWebMetrics } from "~server/web/operations";
import { ruleEngines } from "../support/database";
import { createToneSpeech } from "../support/tone-engine";
import { firstRoleId, sentence, waitForTrial } from "../support/trial";
import { createVisitor, openTestUpstream, type TestUpstream } from "../support/upstream";

describe.each(ruleEngines)("the metrics on %s", (engine) => {
  let upstream: TestUpstream;
  const lines: Array<Record<string, unknown>> = [];
  const log = pino({ level: "info" }, { write: (line) => lines.push(JSON.parse(line)) });
  beforeAll(async () => {
    upstream = await openTestUpstream(engine, {
      log,
      speech: { ...createToneSpeech(), master: async (chunks) => master(chunks) },
    });
  });
  afterAll(() => upstream.close());
  const figure = async (name: string, labels: Record<string, string> = {}) => {
    const measure = (await upstream.services.measure()).find((each) => each.name === name);
    return measure?.values.find((each) => JSON.stringify(each.labels) === JSON.stringify(labels))?.value;
  };

  it("contain the number of queued jobs and the age of the oldest", async () => {
    expect(await figure("jobs_waiting")).toBe(0);
    const row = { kind: "clone", payload: "{}", run_at: new Date(Date.now() - 90_000) };
    await upstream.database().insertInto("job").values([row, row]).execute();
    const later = { ...row, run_at: new Date(Date.now() + 90_000) };
    await upstream.database().insertInto("job").values(later).execute();
    expect(await figure("jobs_waiting")).toBe(2);
    expect(await figure("jobs", { kind: "clone", state: "ready" })).toBe(2);
    expect(await figure("jobs_oldest_seconds", { kind: "clone" })).toBeGreaterThan(85);
  });

  it("count the open payment anomalies", async () => {
    const anomaly = { kind: "state", ref: "1", gateway: "sandbox", detail: "{}", created_at: new Date() };
    const resolved = { ...anomaly, ref: "2", resolved_at: new Date(), resolved_by: "test", resolution: "seen" };
    await upstream.database().insertInto("pay_anomaly").values([anomaly, resolved]).execute();
    expect(await figure("payment_anomalies", { kind: "state" })).toBe(1);
    await upstream.database().deleteFrom("pay_anomaly").execute();
  });

  it("have every name that the documented alerts and KEDA ask for", async () => {
    const alerts = readFileSync("docs/monitoring/alerts.yml", "utf8");
    const { groups } = parse(alerts) as { groups: Array<{ rules: Array<{ expr: string }> }> };
    const queries = groups.flatMap(({ rules }) => rules.map(({ expr }) => expr));
    const keda = /query: (.+)/.exec(readFileSync("docs/kubernetes/worker.yaml", "utf8"))?.[1] ?? "";
    const asked = [...queries, keda].flatMap((query) => query.match(/\b(?:jobs|payment|synthesis|http)_?\w*/g) ?? []);
    const ours = (await upstream.services.measure()).map(({ name }) => name);
    const text = await createWebMetrics(async () => []).text();
    expect(asked.length).toBeGreaterThan(6);
    expect([...new Set(asked)].filter((name) => !ours.includes(name) && !text.includes(`# TYPE ${name} `))).toEqual([]);
    // Zero jobs where there was no scrape would keep workers away.
    expect(keda).not.toMatch(/vector\(0\)|absent/);
  });

  it("are complemented by a log line per finished job with the id of its request", async () => {
    await upstream.database().deleteFrom("job").execute();
    upstream.services.startWorker();
    const visitor = createVisitor(upstream.services);
    const body = { roleId: await firstRoleId(visitor), content: sentence };
    const { data } = await visitor.post<{ taskId: string }>("/voice/try/create", body, { "x-request-id": "asked-1" });
    expect(await waitForTrial(visitor, data.taskId)).toMatchObject({ status: 2 });
    await expect
      .poll(() => lines.find(({ requestId }) => requestId === "asked-1"))
      .toMatchObject({
        msg: "a job is done",
        job: { id: expect.any(String), kind: "trial", attempt: 1, task: data.taskId },
        durationMs: expect.any(Number),
        characters: countCharacters(sentence),
        audioMs: expect.any(Number),
        engine: "tone@1",
        realTimeFactor: expect.any(Number),
      });
    expect(JSON.stringify(lines)).not.toContain("天气");
  });

  it("measure the speed of an engine independent of the reader's speed", async () => {
    const pcm = new Int16Array(24_000);
    const engineOfTones = {
      id: "tones",
      async *synthesize(): AsyncIterable<SpeechChunk> {
        yield { pcm, sampleRate: 24_000 };
        yield { pcm, sampleRate: 24_000 };
        throw new Error("no third");
      },
    } as unknown as SpeechEngine;
    const measures = createMetrics(upstream.database());
    const heard = measures.withMetrics(engineOfTones);
    const listen = async () => {
      for await (const _ of heard.synthesize({} as SpeechRequest, new AbortController().signal)) {
        await new Promise((resolve) => setTimeout(resolve, 500));
      }
    };
    await expect(listen()).rejects.toThrow("no third");
    const read = await measures.read();
    const of = (name: string) => read.find((each) => each.name === name)?.values[0]?.value ?? Number.NaN;
    expect(of("synthesis_audio_seconds_total")).toBe(2);
    expect(of("synthesis_failures_total")).toBe(1);
    expect(of("synthesis_busy_seconds_total")).toBeLessThan(0.9);
  });
});
