import { sql } from "kysely";
import type { Metric } from "../../embedded-upstream";
import type { SpeechEngine, SpeechRequest } from "../../speech/engine";
import type { Db } from "../db/database";

interface SynthesisSums {
  busySeconds: number;
  audioSeconds: number;
  failures: number;
}

/** The queue, payments, anomalies, and the speed of synthesis in this process. */
export function createMetrics(db: Db) {
  const synthesis = new Map<string, SynthesisSums>();
  return {
    /** The engine, whose synthesis is counted. */
    withMetrics: (engine: SpeechEngine): SpeechEngine => withMetrics(engine, synthesis),
    /** Metrics of the database and of this process. */
    read: async (): Promise<Metric[]> => [
      ...(await readQueue(db)),
      ...(await readPayments(db)),
      ...toMetrics(synthesis),
    ],
  };
}

function withMetrics(engine: SpeechEngine, synthesis: Map<string, SynthesisSums>): SpeechEngine {
  const sums = synthesis.get(engine.id) ?? { busySeconds: 0, audioSeconds: 0, failures: 0 };
  synthesis.set(engine.id, sums);
  async function* synthesize(request: SpeechRequest, signal: AbortSignal) {
    let since = performance.now();
    try {
      for await (const chunk of engine.synthesize(request, signal)) {
        // Excludes the consumer's time between two chunks.
        sums.busySeconds += (performance.now() - since) / 1000;
        sums.audioSeconds += chunk.pcm.length / chunk.sampleRate;
        yield chunk;
        since = performance.now();
      }
      sums.busySeconds += (performance.now() - since) / 1000;
    } catch (error) {
      if (!signal.aborted) sums.failures += 1;
      throw error;
    }
  }
  return Object.create(engine, { synthesize: { value: synthesize } }) as SpeechEngine;
}

const gauge = (name: string, help: string, values: Metric["values"]): Metric => ({ name, help, type: "gauge", values });

const live = ["ready", "active"] as const;

async function readQueue(db: Db): Promise<Metric[]> {
  const rows = await db
    .selectFrom("job")
    .select(["kind", "state"])
    .select((eb) => eb.fn.countAll<string>().as("jobs"))
    .select(sql<number>`coalesce(max(extract(epoch from now() - run_at)), 0)::float8`.as("age"))
    .where("state", "in", live)
    .where("run_at", "<=", sql<Date>`now()`)
    .groupBy(["kind", "state"])
    .execute();
  const waiting = rows.filter(({ state }) => state === "ready");
  return [
    gauge(
      "jobs",
      "Jobs that are due, by kind and state",
      rows.map(({ kind, state, jobs }) => ({ labels: { kind, state }, value: Number(jobs) })),
    ),
    gauge(
      "jobs_oldest_seconds",
      "Age of the oldest waiting job, by kind",
      waiting.map(({ kind, age }) => ({ labels: { kind }, value: age })),
    ),
    gauge("jobs_waiting", "Jobs that are due and wait for a worker", [
      { labels: {}, value: waiting.reduce((sum, { jobs }) => sum + Number(jobs), 0) },
    ]),
  ];
}

async function readPayments(db: Db): Promise<Metric[]> {
  const attempts = await db
    .selectFrom("pay_attempt")
    .select(["gateway", "state"])
    .select((eb) => eb.fn.countAll<string>().as("attempts"))
    .groupBy(["gateway", "state"])
    .execute();
  const anomalies = await db
    .selectFrom("pay_anomaly")
    .select("kind")
    .select((eb) => eb.fn.countAll<string>().as("anomalies"))
    .where("resolved_at", "is", null)
    .groupBy("kind")
    .execute();
  return [
    gauge(
      "payments",
      "Payment attempts, by gateway and state",
      attempts.map(({ gateway, state, attempts: value }) => ({
        labels: { gateway, state },
        value: Number(value),
      })),
    ),
    gauge(
      "payment_anomalies",
      "Open payment anomalies, by kind",
      anomalies.map(({ kind, anomalies: value }) => ({ labels: { kind }, value: Number(value) })),
    ),
  ];
}

/** Busy over audio seconds is the real-time factor. */
function toMetrics(synthesis: Map<string, SynthesisSums>): Metric[] {
  const counter = (name: string, help: string, of: (sums: SynthesisSums) => number): Metric => ({
    name,
    help,
    type: "counter",
    values: [...synthesis].map(([engine, sums]) => ({ labels: { engine }, value: of(sums) })),
  });
  return [
    counter("synthesis_busy_seconds_total", "Seconds spent speaking", (sums) => sums.busySeconds),
    counter("synthesis_audio_seconds_total", "Seconds of sound synthesis", (sums) => sums.audioSeconds),
    counter("synthesis_failures_total", "Segments an engine failed at", (sums) => sums.failures),
  ];
}
