import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestDatabase, ruleEngines } from "../../../tests/support/database";
import type { DatabaseHandle } from "../db/database";
import { EngineReports, sweepEngineReports } from "./engine-reports";

let handle: DatabaseHandle;
beforeAll(async () => {
  handle = await openTestDatabase(ruleEngines[0] ?? "embedded");
});
afterAll(() => handle.close());

test("a process reports its engines until it stops, each since its last change", async () => {
  const { db } = handle;
  let [speakers, resting] = ["cosyvoice,kokoro at /models", ""];
  const measure = () => [
    { name: "up", help: "", type: "gauge" as const, values: [{ labels: { engine: resting }, value: 0 }] },
  ];
  const reports = new EngineReports(db, "worker", { speakers: () => speakers, measure });
  const read = () =>
    db.selectFrom("engine_report").select(["engine", "role", "state", "since"]).orderBy("engine").execute();

  await reports.report();
  const first = await read();
  expect(first).toMatchObject([
    { engine: "cosyvoice", role: "worker", state: "speaking" },
    { engine: "kokoro", role: "worker", state: "speaking" },
  ]);
  resting = "cosyvoice";
  await reports.report();
  const second = await read();
  expect(second).toMatchObject([{ state: "resting" }, { state: "speaking", since: first[1]?.since }]);
  speakers = "kokoro at /models";
  await reports.report();
  expect(await read()).toEqual([second[1]]);
  await sql`insert into engine_report (process, engine, role, state, since, seen_at)
    values ('killed:1', 'kokoro', 'worker', 'speaking', now(), now() - interval '61 minutes')`.execute(db);
  await sweepEngineReports(db);
  expect(await read()).toEqual([second[1]]);
  await reports.withdraw();
  expect(await read()).toEqual([]);
});
