import { once } from "node:events";
import fc from "fast-check";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type { CallData } from "~server/contract/calls/table";
import { countCharacters, lineKey } from "~server/contract/marks";
import { charactersLeft } from "../support/clone";
import { ruleEngines } from "../support/database";
import { createDub, findDub, listDubs, waitForDub } from "../support/dub";
import { forkWorker } from "../support/forked-worker";
import { withinTimeLimit } from "../support/in-time";
import { findViolations } from "../support/ledger-invariants";
import { createMember, type TieredMember } from "../support/member";
import { firstRoleId } from "../support/trial";
import { createVisitor, openTestUpstream, type TestUpstream } from "../support/upstream";

const lineCount = 6;

describe.runIf(ruleEngines.includes("postgres"))("a dub whose worker is killed", () => {
  let upstream: TestUpstream;
  let roleId: string;
  beforeAll(async () => {
    upstream = await openTestUpstream("postgres");
    roleId = await firstRoleId(createVisitor(upstream.services));
  });
  afterAll(() => upstream.close());

  const doneOf = async (member: TieredMember, id: string) =>
    (await findDub(member, id)).lines.filter(({ status }) => status === 2);

  it.each([1, 3, 5])(
    "after %i lines is finished by another worker from the same position and charged once",
    async (killedAfter) => {
      const member = await createMember(upstream, "vip");
      const worker = await forkWorker(upstream);
      const lines = Array.from({ length: lineCount }, (_, i) => ({
        roleId,
        content: `第${killedAfter}次的第${i}句话。`,
      }));
      const { data } = await createDub(member, { lines });
      await vi.waitFor(
        async () => expect((await doneOf(member, data.dubbId)).length).toBeGreaterThanOrEqual(killedAfter),
        { timeout: 150_000, interval: 10 },
      );
      worker.kill("SIGKILL");
      await once(worker, "exit");
      const kept = await doneOf(member, data.dubbId);
      expect(kept.length).toBeLessThanOrEqual(lineCount);
      const before = upstream.speech.calls.synthesize;
      upstream.services.startWorker();
      const dub = await waitForDub(member, data.dubbId);
      expect(dub).toMatchObject({ status: 2, segDone: dub.segTotal });
      expect(upstream.speech.calls.synthesize - before).toBeLessThanOrEqual(lineCount - kept.length);
      expect(dub.lines.slice(0, kept.length).map(({ voiceUrl }) => voiceUrl)).toEqual(
        kept.map(({ voiceUrl }) => voiceUrl),
      );
      expect(await charactersLeft(member)).toBe(50_000 - dub.costChar);
      const renditions = upstream.database().selectFrom("rendition").select("id");
      const owned = await renditions.where("owner", "=", `account:${member.accountId}`).execute();
      expect(owned).toHaveLength(lineCount + 1);
      await upstream.restart();
    },
    240_000,
  );
});

const words = ["你好。", "今天天气很好。", "我们走吧。", "再见。", "明天见。"];
const edit = fc.oneof(
  { weight: 4, arbitrary: fc.record({ change: fc.nat(), word: fc.nat(words.length - 1) }) },
  { weight: 2, arbitrary: fc.record({ add: fc.nat(words.length - 1) }) },
  { weight: 1, arbitrary: fc.record({ drop: fc.nat() }) },
  { weight: 1, arbitrary: fc.record({ speed: fc.constantFrom(0.8, 1, 1.4), line: fc.nat() }) },
  { weight: 5, arbitrary: fc.record({ speak: fc.constantFrom("wait", "fail", "cancel", "leave") }) },
  { weight: 1, arbitrary: fc.record({ remove: fc.nat() }) },
  { weight: 1, arbitrary: fc.record({ retry: fc.nat() }) },
);
type Edit = typeof edit extends fc.Arbitrary<infer T> ? T : never;

describe.each(ruleEngines)("the history of edits on %s", (engine) => {
  let upstream: TestUpstream;
  let roleId: string;
  beforeAll(async () => {
    upstream = await openTestUpstream(engine);
    upstream.services.startWorker();
    roleId = await firstRoleId(createVisitor(upstream.services));
  });
  afterAll(() => upstream.close());

  /** Cost of a script beside the finished dubs. */
  const expectedCost = async (
    member: TieredMember,
    lines: Array<{ roleId: string; content: string; speed: number }>,
  ) => {
    const { list } = await listDubs(member, { status: "2", pageSize: "100" });
    const paid = new Set(list.flatMap((dub) => dub.lines.map(lineKey)));
    const fresh = new Map(
      lines.filter((line) => !paid.has(lineKey(line))).map((line) => [lineKey(line), line.content]),
    );
    return [...fresh.values()].reduce((sum, content) => sum + countCharacters(content), 0);
  };

  const settleAll = (member: TieredMember) =>
    vi.waitFor(async () => expect((await listDubs(member, { status: "1" })).total).toBe(0), {
      timeout: 150_000,
      interval: 30,
    });

  const play = async (member: TieredMember, edits: Edit[]) => {
    let lines = [{ roleId, content: words[0] as string, speed: 1 }];
    const ids: string[] = [];
    const acts: Promise<unknown>[] = [];
    const at = (place: number) => place % lines.length;
    for (const one of edits) {
      if ("change" in one) {
        lines = lines.map((line, i) => (i === at(one.change) ? { ...line, content: words[one.word] as string } : line));
      } else if ("add" in one) lines = [...lines, { roleId, content: words[one.add] as string, speed: 1 }];
      else if ("drop" in one && lines.length > 1) lines = lines.filter((_, i) => i !== at(one.drop));
      else if ("speed" in one)
        lines = lines.map((line, i) => (i === at(one.line) ? { ...line, speed: one.speed } : line));
      else if ("remove" in one && ids.length > 0) {
        // Not awaited: runs concurrently with the next step.
        acts.push(member.post("/dubbing/del", { dubbId: ids[one.remove % ids.length] }));
      } else if ("retry" in one && ids.length > 0) {
        acts.push(member.post("/tasks/retry", { taskId: ids[one.retry % ids.length] }));
      } else if ("speak" in one) {
        await Promise.all(acts);
        await settleAll(member);
        const cost = await expectedCost(member, lines);
        const { data: quoted } = await member.post<CallData<"dubQuote">>("/dubbing/quote", { lines });
        expect(quoted.costChar).toBe(cost);
        if (one.speak === "fail") upstream.speech.faults.segments = 3;
        const { code, data } = await createDub(member, { lines });
        expect({ code, cost: data.costChar }).toEqual({ code: 0, cost });
        ids.push(data.dubbId);
        if (one.speak === "cancel") await member.post("/tasks/cancel", { taskId: data.dubbId });
        if (one.speak !== "leave") await waitForDub(member, data.dubbId);
        upstream.speech.faults.segments = 0;
      }
    }
    await Promise.all(acts);
    await settleAll(member);
  };

  const expectBalance = async (member: TieredMember) => {
    const db = upstream.database();
    const { "no job has failed or lost its worker": _, ...broken } = await findViolations(db);
    expect(broken).toEqual({});
    const { rows } = await sql<{ state: string; characters: number }>`
      select state, sum(characters)::int as characters from quota_reservation
      where account_id = ${member.accountId} group by state`.execute(db);
    const used = rows.find(({ state }) => state === "settled")?.characters ?? 0;
    expect(rows.find(({ state }) => state === "reserved")).toBeUndefined();
    expect(await charactersLeft(member)).toBe(50_000 - used);
    const { rows: unpaid } = await sql`
      select d.id from dub d where d.owner = ${`account:${member.accountId}`} and d.status = 2 and d.cost_char <>
        (select coalesce(sum(characters), 0) from quota_reservation r where r.task_id = d.id::text and r.state = 'settled')
    `.execute(db);
    expect(unpaid).toEqual([]);
    // Every stored audio file belongs to some dub.
    const { rows: lost } = await sql`
      select id from rendition where owner = ${`account:${member.accountId}`}
        and not exists (select 1 from dub_line where rendition_id = rendition.id)
        and not exists (select 1 from dub where rendition_id = rendition.id)`.execute(db);
    expect(lost).toEqual([]);
    const { list } = await listDubs(member, { status: "2", pageSize: "100" });
    for (const { lines } of list)
      for (const line of lines) expect(line).toMatchObject({ status: 2, voiceUrl: expect.stringMatching(/^\//) });
  };

  it("charges only changed lines and leaves the ledger balanced", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(edit, { minLength: 5, maxLength: 20 }),
        withinTimeLimit(async (edits: Edit[]) => {
          const member = await createMember(upstream, "vip");
          await play(member, edits);
          await expectBalance(member);
        }),
      ),
      { numRuns: 8, endOnFailure: true },
    );
  }, 300_000);
});
