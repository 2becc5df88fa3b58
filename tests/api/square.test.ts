import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type { SquareRole } from "~server/upstream/square/roles";
import { ruleEngines } from "../support/database";
import { createTrial, waitForTrial } from "../support/trial";
import { createVisitor, openTestUpstream, type TestUpstream, type Visitor } from "../support/upstream";

type List = { list: SquareRole[]; total: number; page: number; pageSize: number };

describe.each(ruleEngines)("the square on %s", (engine) => {
  let upstream: TestUpstream;
  let visitor: Visitor;
  beforeAll(async () => {
    upstream = await openTestUpstream(engine, { previews: true });
    visitor = createVisitor(upstream.services);
  });
  afterAll(() => upstream.close());

  const list = (query: string) => visitor.get<List>(`/role/common/list?${query}`);
  const names = async (query: string) => (await list(query)).data.list.map(({ name }) => name);

  it("shows at least twelve digital humans on the home page before any preview was synthesised", async () => {
    const { status, code, data } = await visitor.get<SquareRole[]>("/role/common/home");
    expect({ status, code }).toEqual({ status: 200, code: 0 });
    expect(data).toHaveLength(12);
    for (const role of data) {
      expect(role).toMatchObject({ audioId: role.roleId, voiceUrl: "", avatar: "", useNum: 0, language: "zh" });
      expect(role.portrait).toBeTypeOf("object");
      expect(role.tags.length).toBeGreaterThan(0);
    }
  });

  it("shows as many roles as requested", async () => {
    expect((await visitor.get<SquareRole[]>("/role/common/home?size=3")).data).toHaveLength(3);
    expect(await visitor.get("/role/common/home?size=0")).toMatchObject({ status: 400, code: 7, msg: "bad-request" });
  });

  it("returns all of them over its pages without a repetition", async () => {
    const { data: first } = await list("page=1&pageSize=7");
    const pages = Math.ceil(first.total / 7);
    const seen = new Set<string>();
    for (let page = 1; page <= pages; page++) {
      const { data } = await list(`page=${page}&pageSize=7`);
      expect(data).toMatchObject({ total: first.total, page, pageSize: 7 });
      for (const { roleId } of data.list) seen.add(roleId);
    }
    expect(seen.size).toBe(first.total);
    expect((await list(`page=${pages + 1}&pageSize=7`)).data.list).toEqual([]);
  });

  it("filters by keyword, category, gender and language", async () => {
    const all = (await list("pageSize=100")).data.list;
    const [one] = all;
    if (!one) throw new Error("no roles");
    expect(await names(`keyword=${encodeURIComponent(one.name)}`)).toEqual([one.name]);
    expect(await names(`keyword=${encodeURIComponent(`${one.name} ${one.category}`)}`)).toEqual([one.name]);
    const { data } = await list(`category=${encodeURIComponent(one.category)}&gender=${one.gender}&pageSize=100`);
    expect(data.list.length).toBe(all.filter((r) => r.category === one.category && r.gender === one.gender).length);
    expect(await names("language=fr")).toEqual([]);
    expect(await names("keyword=%25")).toEqual([]);
    expect(await names(`keyword=${encodeURIComponent("'; drop table role; --")}`)).toEqual([]);
  });

  it("sorts by name, age and uses", async () => {
    for (const sort of ["name", "newest", "popular"]) {
      expect((await list(`sort=${sort}&pageSize=100`)).data.list.length).toBeGreaterThanOrEqual(12);
    }
    expect(await list("sort=secret")).toMatchObject({ status: 400, code: 7 });
  });

  it("plays previews for everyone after synthesis, which runs once per sentence and engine", async () => {
    upstream.services.startWorker();
    const total = (await list("")).data.total;
    await vi.waitFor(
      async () => {
        const { data } = await list("pageSize=100");
        expect(data.list.filter(({ voiceUrl }) => voiceUrl !== "")).toHaveLength(total);
      },
      { timeout: 150_000, interval: 200 },
    );
    const [role] = (await visitor.get<SquareRole[]>("/role/common/home?size=1")).data;
    const stranger = createVisitor(upstream.services);
    const preview = await stranger.file(role?.voiceUrl ?? "");
    expect(preview.status).toBe(200);
    expect(preview.headers.get("content-type")).toBe("audio/mpeg");
    expect((await preview.arrayBuffer()).byteLength).toBeGreaterThan(1000);
    const timeline = await stranger.file(role?.timelineUrl ?? "");
    expect(await timeline.json()).toMatchObject({ units: expect.any(Array), phonemes: expect.any(Array) });
    if (engine === "embedded") return;
    const spoken = upstream.speech.calls.synthesize;
    const other = await upstream.another();
    other.startWorker();
    const { data } = await createTrial(stranger, { content: "另一台服务器也在工作。", roleId: role?.roleId });
    await waitForTrial(stranger, data.taskId);
    expect(upstream.speech.calls.synthesize).toBeLessThanOrEqual(spoken + 2);
  });
});
