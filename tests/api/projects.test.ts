import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type { CallData } from "~server/contract/calls/table";
import { projectMaxBytes, projectsMax } from "~server/contract/limits";
import { deleteAccount, logIn, type Member } from "../support/account";
import { ruleEngines } from "../support/database";
import { createMember } from "../support/member";
import { readZip } from "../support/read-zip";
import { createVisitor, openTestUpstream, type TestUpstream } from "../support/upstream";

describe.each(ruleEngines)("projects on %s", (engine) => {
  let upstream: TestUpstream;
  let member: Member;
  beforeAll(async () => {
    upstream = await openTestUpstream(engine);
    upstream.services.startWorker();
    member = await logIn(upstream.services);
  });
  afterAll(() => upstream.close());

  const put = (who: Member, projectId: string, change: object = {}, key?: string) => {
    const project = {
      projectId,
      baseRevision: 0,
      title: projectId,
      excerpt: "",
      lines: 1,
      characters: 2,
      document: {},
    };
    const headers: Record<string, string> = key ? { "idempotency-key": key } : {};
    return who.post<CallData<"projectPut">>("/project/put", { ...project, ...change }, headers);
  };
  const get = (who: Member, projectId: string) =>
    who.get<CallData<"projectGet">>(`/project/get?projectId=${projectId}`);
  const list = async (who: Member, query = "") =>
    (await who.get<CallData<"projectList">>(`/project/list?${query}`)).data;
  const idsOf = async (who: Member, query = "") => (await list(who, query)).list.map(({ projectId }) => projectId);

  it("keep a document as it was sent, and refuse one made from an older revision", async () => {
    const document = { script: { lines: [{ id: "1", content: "好", 未知: [1, null] }] } };
    expect((await put(member, "a", { document, title: " 夜市 " })).data).toEqual({ isSaved: true, revision: 1 });
    expect((await get(member, "a")).data).toMatchObject({ document, kind: "dub", title: "夜市", revision: 1 });
    expect((await put(member, "a", { baseRevision: 1 })).data).toEqual({ isSaved: true, revision: 2 });
    expect((await put(member, "a", { baseRevision: 1, document })).data).toEqual({ isSaved: false, revision: 2 });
    expect((await get(member, "a")).data.document).toEqual({});
  });

  it("take one of two changes that arrive at once, and a repeated one once", async () => {
    const both = await Promise.all([put(member, "b", { title: "x" }), put(member, "b", { title: "y" })]);
    expect(both.map(({ data }) => data.isSaved).sort()).toEqual([false, true]);
    const repeated = [await put(member, "c", {}, "one-key"), await put(member, "c", {}, "one-key")];
    expect(repeated.map(({ data }) => data)).toEqual([
      { isSaved: true, revision: 1 },
      { isSaved: true, revision: 1 },
    ]);
    expect((await put(member, "c", { title: "other" }, "one-key")).status).toBe(409);
  });

  it("are listed last changed first, by pages, by kind and by words", async () => {
    const owner = await logIn(upstream.services);
    for (const projectId of ["one", "two", "three"]) await put(owner, projectId, { excerpt: `${projectId} 100%` });
    await put(owner, "slides", { kind: "slides" });
    const first = await list(owner, "pageSize=2");
    expect(first.list.map(({ projectId }) => projectId)).toEqual(["three", "two"]);
    expect(await list(owner, `pageSize=2&cursor=${first.next}`)).toMatchObject({ list: [{ title: "one" }], next: "" });
    expect(await idsOf(owner, "keyword=TWO 100%25")).toEqual(["two"]);
    expect(await idsOf(owner, "keyword=100_")).toEqual([]);
    expect(await idsOf(owner, "kind=slides")).toEqual(["slides"]);
    expect((await owner.get("/project/list?cursor=never")).status).toBe(400);
  });

  it("are renamed and copied, once for one copy", async () => {
    const owner = await logIn(upstream.services);
    await put(owner, "a", { document: { is: "kept" } });
    const renamed = await owner.post("/project/rename", { projectId: "a", title: "清晨" });
    expect(renamed.data).toMatchObject({ title: "清晨", revision: 2 });
    for (let i = 0; i < 2; i++) {
      const copied = await owner.post("/project/duplicate", { projectId: "a", copyId: "b", title: "清晨 副本" });
      expect(copied.data).toMatchObject({ projectId: "b", title: "清晨 副本", revision: 1 });
    }
    expect((await get(owner, "b")).data.document).toEqual({ is: "kept" });
  });

  it("return within 30 days of their deletion, also by an edit on another device", async () => {
    const owner = await logIn(upstream.services);
    for (const id of ["a", "b", "old"]) await put(owner, id);
    for (const id of ["a", "b", "old", "never"]) await owner.post("/project/del", { projectId: id });
    expect(await idsOf(owner)).toEqual([]);
    expect(await idsOf(owner, "withDeleted=1")).toHaveLength(3);
    expect((await owner.post("/project/restore", { projectId: "a" })).data).toMatchObject({ deletedAt: "" });
    expect((await put(owner, "b", { baseRevision: 1 })).data.isSaved).toBe(true);
    expect((await idsOf(owner)).sort()).toEqual(["a", "b"]);
    await sql`update project set deleted_at = now() - interval '31 days' where id = 'old'`.execute(upstream.database());
    await upstream.restart();
    // It sweeps when it starts.
    upstream.services.startWorker();
    await vi.waitFor(async () => {
      const { rows } = await sql`select id from project where id = 'old'`.execute(upstream.database());
      expect(rows).toEqual([]);
    });
  });

  it("belong to their account, which takes them with it", async () => {
    const owner = await createMember(upstream);
    const other = await createMember(upstream);
    await put(owner, "mine", { document: { words: "我的" } });
    expect((await get(other, "mine")).status).toBe(404);
    for (const call of ["rename", "restore"])
      expect((await other.post(`/project/${call}`, { projectId: "mine", title: "x" })).status).toBe(404);
    await other.post("/project/del", { projectId: "mine" });
    const archive = readZip(Buffer.from(await (await owner.file("/api/v1/users/export")).arrayBuffer()));
    expect(JSON.parse(archive.get("projects/mine.json")?.toString() ?? "")).toMatchObject({
      ...{ projectId: "mine", document: { words: "我的" }, deletedAt: "" },
    });
    await deleteAccount(upstream, owner);
    const left = upstream.database().selectFrom("project").select("id").where("account_id", "=", owner.accountId);
    expect(await left.execute()).toEqual([]);
    expect((await createVisitor(upstream.services).get("/project/list")).code).toBe(5);
  });

  it("are limited in size and number", async () => {
    const owner = await createMember(upstream);
    const tooLarge = { words: "字".repeat(projectMaxBytes / 3) };
    expect((await put(owner, "large", { document: tooLarge })).status).toBe(413);
    await sql`insert into project select ${owner.accountId}::uuid, 'p' || n, 'dub', '', '', 0, 0, '{}', 1, now(), null
      from generate_series(1, ${projectsMax}) n`.execute(upstream.database());
    const refused = { code: 7, msg: "project-limit", data: { limit: projectsMax } };
    expect(await put(owner, "one-more")).toMatchObject(refused);
    expect(await owner.post("/project/duplicate", { projectId: "p1", copyId: "q", title: "" })).toMatchObject(refused);
    expect((await put(owner, "p1", { baseRevision: 1 })).data.isSaved).toBe(true);
    await owner.post("/project/del", { projectId: "p1" });
    expect((await put(owner, "one-more")).data.isSaved).toBe(true);
    expect(await owner.post("/project/restore", { projectId: "p1" })).toMatchObject(refused);
  });
});
