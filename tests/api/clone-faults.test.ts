import { once } from "node:events";
import fc from "fast-check";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { charactersLeft, createClone, findClone, listClones, waitForClone } from "../support/clone";
import { ruleEngines } from "../support/database";
import { forkWorker } from "../support/forked-worker";
import { withinTimeLimit } from "../support/in-time";
import { findViolations } from "../support/ledger-invariants";
import { createMember, type TieredMember } from "../support/member";
import { firstRoleId } from "../support/trial";
import { createVisitor, openTestUpstream, type TestUpstream } from "../support/upstream";

const longText = "第一句话在这里。第二句话在这里。第三句话在这里。第四句话在这里。第五句话在这里。";

describe.runIf(ruleEngines.includes("postgres"))("a clone whose worker is killed", () => {
  let upstream: TestUpstream;
  let roleId: string;
  beforeAll(async () => {
    upstream = await openTestUpstream("postgres");
    roleId = await firstRoleId(createVisitor(upstream.services));
  });
  afterAll(() => upstream.close());

  it.each([
    ["in the middle of the text", 2],
    ["after the last segment", 5],
  ])(
    "%s is finished by another worker from the same position and charged once",
    async (_, segments) => {
      const member = await createMember(upstream, "vip");
      const worker = await forkWorker(upstream);
      const { data } = await createClone(member, { content: `${segments}。${longText}`, roleId });
      await vi.waitFor(
        async () => expect((await findClone(member, data.voiceId)).segDone).toBeGreaterThanOrEqual(segments),
        { timeout: 150_000, interval: 10 },
      );
      worker.kill("SIGKILL");
      await once(worker, "exit");
      const before = upstream.speech.calls.synthesize;
      upstream.services.startWorker();
      const clone = await waitForClone(member, data.voiceId);
      expect(clone).toMatchObject({ status: 2, segDone: clone.segTotal });
      expect(upstream.speech.calls.synthesize - before).toBeLessThanOrEqual(clone.segTotal - segments);
      expect(await charactersLeft(member)).toBe(50_000 - clone.costChar);
      const renditions = upstream.database().selectFrom("rendition").select("id");
      expect(await renditions.where("owner", "=", `account:${member.accountId}`).execute()).toHaveLength(1);
      await upstream.restart();
    },
    240_000,
  );
});

const event = fc.oneof(
  { weight: 5, arbitrary: fc.record({ create: fc.integer({ min: 1, max: 4 }), professional: fc.boolean() }) },
  { weight: 3, arbitrary: fc.record({ cancel: fc.nat() }) },
  { weight: 3, arbitrary: fc.record({ retry: fc.nat() }) },
  { weight: 2, arbitrary: fc.record({ remove: fc.nat() }) },
  { weight: 3, arbitrary: fc.record({ fail: fc.constantFrom(1, 3, 50) }) },
  { weight: 3, arbitrary: fc.record({ wait: fc.integer({ min: 5, max: 120 }) }) },
);
type Event = typeof event extends fc.Arbitrary<infer T> ? T : never;

describe.each(ruleEngines)("the history of clones on %s", (engine) => {
  let upstream: TestUpstream;
  let roleId: string;
  beforeAll(async () => {
    upstream = await openTestUpstream(engine);
    upstream.services.startWorker();
    roleId = await firstRoleId(createVisitor(upstream.services));
  });
  afterAll(() => upstream.close());

  let texts = 0;
  const play = async (member: TieredMember, events: Event[]) => {
    const ids: string[] = [];
    const pick = (at: number) => ids[at % Math.max(1, ids.length)];
    const acts: Array<ReturnType<typeof member.post>> = [];
    for (const one of events) {
      if ("create" in one) {
        const content = `第${++texts}篇。`.repeat(one.create);
        const answer = await createClone(member, { content, roleId, ...(one.professional && { pitch: 1 }) });
        if (answer.code === 0) ids.push(answer.data.voiceId);
      } else if ("fail" in one) upstream.speech.faults.segments = one.fail;
      else if ("wait" in one) await new Promise((resolve) => setTimeout(resolve, one.wait));
      else {
        const at = "cancel" in one ? one.cancel : "retry" in one ? one.retry : one.remove;
        const id = pick(at);
        const path = "cancel" in one ? "/tasks/cancel" : "retry" in one ? "/tasks/retry" : "/voice/del";
        // Not awaited: runs concurrently with the next step.
        if (id) acts.push(member.post(path, { voiceId: id }));
      }
    }
    for (const { code, msg } of await Promise.all(acts)) expect([0, 7, 1001], msg).toContain(code);
    for (const { status } of await Promise.all(acts)) expect(status).toBe(200);
    upstream.speech.faults.segments = 0;
    await vi.waitFor(async () => expect((await listClones(member, { status: "1" })).total).toBe(0), {
      timeout: 150_000,
      interval: 20,
    });
  };

  /** Finished clones are charged, failed ones released, and nothing stays reserved. */
  const expectBalance = async ({ accountId }: TieredMember, isPaid: boolean) => {
    const db = upstream.database();
    const { "no job has failed or lost its worker": _, ...broken } = await findViolations(db);
    expect(broken).toEqual({});
    const { rows } = await sql<{ id: string; status: number | null; state: string }>`
      select r.task_id as id, c.status, r.state from quota_reservation r left join clone c on c.id::text = r.task_id::text
      where r.account_id = ${accountId}`.execute(db);
    const ends = new Set(rows.map(({ status, state }) => `${status ?? "gone"} ${state}`));
    for (const end of ends)
      expect(["2 settled", "3 released", "2 released", "gone settled", "gone released"]).toContain(end);
    const { rows: done } = await sql<{ id: string; settled: number }>`
      select c.id, (select count(*)::int from quota_reservation r where r.task_id::text = c.id::text and r.state = 'settled') as settled
      from clone c where c.owner = ${`account:${accountId}`} and c.status = 2`.execute(db);
    for (const { settled } of done) expect(settled).toBe(isPaid ? 1 : 0);
    expect(await db.selectFrom("trial_hold").selectAll().where("account_id", "=", accountId).execute()).toEqual([]);
    const alive = db
      .selectFrom("job")
      .select("id")
      .where("kind", "=", "clone")
      .where("state", "in", ["ready", "active"]);
    await vi.waitFor(async () => expect(await alive.execute()).toEqual([]), { timeout: 150_000 });
  };

  it.each(["svip", "vip", null] as const)(
    "of tier %s leaves the ledger balanced",
    async (tier) => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(event, { minLength: 6, maxLength: 24 }),
          withinTimeLimit(async (events: Event[]) => {
            const member = await createMember(upstream, tier);
            await play(member, events);
            await expectBalance(member, tier !== null);
            if (tier) return;
            const done = (await listClones(member, { status: "2" })).total;
            const left = await charactersLeft(member);
            expect(left).toBeGreaterThanOrEqual(0);
            expect(left).toBeLessThanOrEqual(3 - done);
          }),
        ),
        { numRuns: 8, endOnFailure: true },
      );
    },
    300_000,
  );
});
