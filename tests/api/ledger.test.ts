import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ruleEngines } from "../support/database";
import { createMember } from "../support/member";
import { firstRoleId } from "../support/trial";
import { createVisitor, openTestUpstream, type TestUpstream } from "../support/upstream";

describe.each(ruleEngines)("the ledger on %s", (engine) => {
  let upstream: TestUpstream;
  beforeAll(async () => {
    upstream = await openTestUpstream(engine);
  });
  afterAll(() => upstream.close());

  it("names the clone, the dub or the line that took characters, without marks", async () => {
    const roleId = await firstRoleId(createVisitor(upstream.services));
    const member = await createMember(upstream, "vip");
    await member.post("/voice/create", { content: "长".repeat(60), roleId });
    await member.post("/dubbing/create", { title: "开场", lines: [{ content: "各位好。", roleId }] });
    await member.post("/dubbing/create", { lines: [{ content: "这一行(hang2)#0.5#没有题目。", roleId }] });
    const { data } = await member.get<{ list: Array<{ kind: string; subject: string }> }>("/users/ledger?pageSize=50");
    const held = data.list.filter(({ kind }) => kind === "reserve").map(({ subject }) => subject);
    expect(held).toEqual(["这一行没有题目。", "开场", "长".repeat(40)]);
  });
});
