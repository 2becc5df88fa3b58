import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type { CallData } from "~server/contract/calls/table";
import { projectRestoreDays, takeDays } from "~server/contract/limits";
import { logIn } from "../support/account";
import { createClone, waitForClone } from "../support/clone";
import { ruleEngines } from "../support/database";
import { createDub, waitForDub } from "../support/dub";
import { createMember, type TieredMember } from "../support/member";
import { createRole, waitForRole } from "../support/role";
import { firstRoleId } from "../support/trial";
import { createVisitor, openTestUpstream, type TestUpstream, type Visitor } from "../support/upstream";

type WorkList = CallData<"workList">;

async function listWorks(who: Visitor, query: Record<string, string> = {}): Promise<WorkList> {
  const { code, data } = await who.get<WorkList>(`/works/list?${new URLSearchParams(query)}`);
  expect(code).toBe(0);
  return data;
}

describe.each(ruleEngines)("the results of an account on %s", (engine) => {
  let upstream: TestUpstream;
  let member: TieredMember;
  let ownRole: string;
  /** Clone with the role of the square, dub with both roles, film, clone with the own role. */
  let made: string[] = [];
  const idsOf = async (query: Record<string, string> = {}) =>
    (await listWorks(member, query)).list.map(({ taskId }) => made.indexOf(taskId));

  beforeAll(async () => {
    upstream = await openTestUpstream(engine);
    upstream.services.startWorker();
    member = await createMember(upstream, "svip");
    const squareRole = await firstRoleId(member);
    ownRole = (await createRole(member, { name: "周远山" })).roleId;
    await waitForRole(member, ownRole);
    const clone = await waitForClone(
      member,
      (await createClone(member, { content: "今天#0.5#天气很好。", roleId: squareRole })).data.taskId,
    );
    const lines = [
      { roleId: ownRole, content: "你去哪里？" },
      { roleId: squareRole, content: "我去夜市。" },
      { roleId: ownRole, content: "一起走吧。" },
    ];
    const dub = await waitForDub(member, (await createDub(member, { title: "夜市", lines })).data.taskId);
    await waitForDub(member, (await createDub(member, { lines: lines.slice(0, 1), isTake: true })).data.taskId);
    const film = await member.post<{ taskId: string }>("/video/create", { source: { kind: "dub", id: dub.dubbId } });
    const last = await createClone(member, { content: "Chapter one begins.", roleId: ownRole });
    made = [clone.taskId, dub.taskId, film.data.taskId, (await waitForClone(member, last.data.taskId)).taskId];
  });
  afterAll(() => upstream.close());

  it("are listed newest first, without previews of lines", async () => {
    const { list, next } = await listWorks(member);
    expect(next).toBe("");
    expect(list.map(({ taskId }) => taskId)).toEqual([...made].reverse());
    const [last, film, dub, first] = list;
    expect(last).toMatchObject({ kind: "clone", content: "Chapter one begins.", lines: 1, status: 2 });
    expect(last?.people).toMatchObject([{ roleId: ownRole, name: "周远山" }]);
    expect(film).toMatchObject({ kind: "video", title: "夜市", format: "mp4", source: { kind: "dub", id: made[1] } });
    expect(dub).toMatchObject({ kind: "dub", title: "夜市", content: "你去哪里？", lines: 3, progress: 1 });
    expect(dub?.people.map(({ roleId }) => roleId)).toEqual([ownRole, expect.any(String)]);
    expect(first?.voiceUrl).toMatch(/^\/api\/v1\/files\//);
    expect(first?.downloads.map(({ format }) => format)).toContain("mp3");
    expect(first?.duration).toBeGreaterThan(0);
  });

  it("are read page by page, each once", async () => {
    const seen: number[] = [];
    let cursor = "";
    do {
      const page = await listWorks(member, { pageSize: "1", ...(cursor && { cursor }) });
      seen.push(...page.list.map(({ taskId }) => made.indexOf(taskId)));
      cursor = page.next;
    } while (cursor);
    expect(seen).toEqual([3, 2, 1, 0]);
    const malformed = await member.get("/works/list?cursor=2026-11-28.x");
    expect(malformed.status).toBe(400);
  });

  it("are found by kind, by role, and by words of title, text and voice", async () => {
    expect(await idsOf({ kind: "dub" })).toEqual([1]);
    expect(await idsOf({ kind: "clone" })).toEqual([3, 0]);
    expect(await idsOf({ roleId: ownRole })).toEqual([3, 2, 1]);
    expect(await idsOf({ roleId: "nobody" })).toEqual([]);
    expect(await idsOf({ keyword: "夜市" })).toEqual([2, 1]);
    expect(await idsOf({ keyword: "CHAPTER 远山" })).toEqual([3]);
    expect(await idsOf({ keyword: "夜市", kind: "video", roleId: ownRole })).toEqual([2]);
  });

  it("belong to their account alone", async () => {
    const other = await logIn(upstream.services);
    expect((await listWorks(other)).list).toEqual([]);
    expect((await createVisitor(upstream.services).get("/works/list")).code).toBe(5);
  });

  it("are counted with the bytes of their files, which a deletion gives back", async () => {
    const read = async () => (await member.get<CallData<"storage">>("/users/storage")).data;
    const before = await read();
    expect(before).toMatchObject({ works: { clone: 2, dub: 1, video: 1 }, projectDays: projectRestoreDays, takeDays });
    const speech = before.files.find(({ kind }) => kind === "speech");
    expect(speech?.bytes).toBeGreaterThan(10_000);
    expect(before.files.map(({ kind }) => kind)).toContain("recording");
    await member.post("/project/put", {
      ...{ projectId: "a", baseRevision: 0, title: "a", excerpt: "", lines: 1, characters: 1 },
      document: { text: "字".repeat(100) },
    });
    await member.post("/voice/del", { voiceId: made[0] });
    await vi.waitFor(async () => {
      const after = await read();
      expect(after.works.clone).toBe(1);
      expect(after.files.find(({ kind }) => kind === "speech")?.bytes).toBeLessThan(speech?.bytes ?? 0);
      expect(after.files.find(({ kind }) => kind === "project")).toMatchObject({ count: 1, bytes: 311 });
    });
    expect(await idsOf()).toEqual([3, 2, 1]);
  });
});
