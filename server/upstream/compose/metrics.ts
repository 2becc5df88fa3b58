import { sql } from "kysely";
import type { Db } from "../db/database";
import type { SpeechEngine, SpeechRequest } from "../speech/engine";

/** One figure for Prometheus: gauges tell how it is, counters only grow within a process. */
export interface Measure {
  name: string;
  help: string;
  type: "gauge" | "counter";
  values: Array<{ labels: Record<string, string>; value: number }>;
}

interface Spoken {
  busySeconds: number;
  audioSeconds: number;
  failures: number;
}

export interface Measures {
  /** The same engine, listened to. */
  listenTo(engine: SpeechEngine): SpeechEngine;
  /** What the database and this process tell now. */
  read(): Promise<Measure[]>;
}

/** What operators watch: the queue, payments, mistakes, and how fast this process speaks. */
export function createMeasures(db: Db): Measures {
  const spoken = new Map<string, Spoken>();
  return {
    listenTo: (engine) => listenTo(engine, spoken),
    read: async () => [...(await readQueue(db)), ...(await readPayments(db)), ...toMeasures(spoken)],
  };
}

function listenTo(engine: SpeechEngine, spoken: Map<string, Spoken>): SpeechEngine {
  const sums = spoken.get(engine.id) ?? { busySeconds: 0, audioSeconds: 0, failures: 0 };
  spoken.set(engine.id, sums);
  async function* synthesize(request: SpeechRequest, signal: AbortSignal) {
    let since = performance.now();
    try {
      for await (const chunk of engine.synthesize(request, signal)) {
        // The time a consumer takes between two chunks is not the engine's.
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

const live = ["ready", "active"] as const;

async function readQueue(db: Db): Promise<Measure[]> {
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
    {
      name: "jobs",
      help: "Jobs that are due, by kind and state",
      type: "gauge",
      values: rows.map(({ kind, state, jobs }) => ({ labels: { kind, state }, value: Number(jobs) })),
    },
    {
      name: "jobs_oldest_seconds",
      help: "How long the job that has waited longest has waited, by kind",
      type: "gauge",
      values: waiting.map(({ kind, age }) => ({ labels: { kind }, value: age })),
    },
    {
      name: "jobs_waiting",
      help: "Jobs that are due and nobody works on: what to add workers by",
      type: "gauge",
      values: [{ labels: {}, value: waiting.reduce((sum, { jobs }) => sum + Number(jobs), 0) }],
    },
  ];
}

async function readPayments(db: Db): Promise<Measure[]> {
  const attempts = await db
    .selectFrom("pay_attempt")
    .select(["gateway", "state"])
    .select((eb) => eb.fn.countAll<string>().as("attempts"))
    .groupBy(["gateway", "state"])
    .execute();
  const mistakes = await db
    .selectFrom("pay_mistake")
    .select("kind")
    .select((eb) => eb.fn.countAll<string>().as("mistakes"))
    .groupBy("kind")
    .execute();
  return [
    {
      name: "payments",
      help: "Tries to pay, by gateway and state",
      type: "gauge",
      values: attempts.map(({ gateway, state, attempts: value }) => ({
        labels: { gateway, state },
        value: Number(value),
      })),
    },
    {
      name: "payment_mistakes",
      help: "Filed for people to look at, by kind",
      type: "gauge",
      values: mistakes.map(({ kind, mistakes: value }) => ({ labels: { kind }, value: Number(value) })),
    },
  ];
}

/** Busy over audio seconds is the real-time factor. */
function toMeasures(spoken: Map<string, Spoken>): Measure[] {
  const counter = (name: string, help: string, of: (sums: Spoken) => number): Measure => ({
    name,
    help,
    type: "counter",
    values: [...spoken].map(([engine, sums]) => ({ labels: { engine }, value: of(sums) })),
  });
  return [
    counter("synthesis_busy_seconds_total", "Seconds spent speaking", (sums) => sums.busySeconds),
    counter("synthesis_audio_seconds_total", "Seconds of sound spoken", (sums) => sums.audioSeconds),
    counter("synthesis_failures_total", "Segments an engine failed at", (sums) => sums.failures),
  ];
}
