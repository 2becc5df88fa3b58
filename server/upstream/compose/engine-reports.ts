import { hostname } from "node:os";
import { sql } from "kysely";
import type { Metric } from "../../embedded-upstream";
import type { Db } from "../db/database";

/** What a report is made of: the engines that speak, and which of them rest after failures. */
export interface ReportedSpeech {
  speakers?(): string;
  measure?(): Metric[];
}

/** `today` takes a process as gone that has not reported for a minute. */
export const reportEveryMs = 15_000;

/** Tells operators, who may ask any process, which engines speak in this one and since when. */
export class EngineReports {
  readonly #db: Db;
  readonly #role: string;
  readonly #speech: ReportedSpeech;
  readonly #process = `${hostname()}:${process.pid}`;
  #known = new Map<string, { state: string; since: Date }>();

  constructor(db: Db, role: string, speech: ReportedSpeech) {
    this.#db = db;
    this.#role = role;
    this.#speech = speech;
  }

  async report(): Promise<void> {
    this.#known = new Map(this.#states().map(({ engine, state }) => [engine, this.#sinceOf(engine, state)]));
    const engines = [...this.#known.keys()];
    const rows = JSON.stringify([...this.#known].map(([engine, known]) => ({ engine, ...known })));
    await sql`
      with removed as (delete from engine_report
        where process = ${this.#process} and engine <> all(${engines}::text[]))
      insert into engine_report (process, role, engine, state, since)
        select ${this.#process}, ${this.#role}, engine, state, since
        from jsonb_to_recordset(${rows}::jsonb) as known (engine text, state text, since timestamptz)
      on conflict (process, engine) do update
        set role = excluded.role, state = excluded.state, since = excluded.since, seen_at = now()`.execute(this.#db);
  }

  /** Deletes the reports of this process, when it shuts down. */
  async withdraw(): Promise<void> {
    await this.#db.deleteFrom("engine_report").where("process", "=", this.#process).execute();
  }

  #sinceOf(engine: string, state: string) {
    const known = this.#known.get(engine);
    return known?.state === state ? known : { state, since: new Date() };
  }

  #states() {
    const suspended = (this.#speech.measure?.() ?? []).flatMap(({ values }) =>
      values.filter(({ value }) => value === 0).map(({ labels }) => labels.engine),
    );
    const names = (this.#speech.speakers?.() ?? "").split(",").flatMap((name) => name.split(" ")[0] || []);
    return names.map((engine) => ({ engine, state: suspended.includes(engine) ? "resting" : "speaking" }));
  }
}

/** Deletes reports of processes that were killed. */
export async function sweepEngineReports(db: Db): Promise<void> {
  await sql`delete from engine_report where seen_at < now() - interval '1 hour'`.execute(db);
}
