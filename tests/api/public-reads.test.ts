import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { CallData } from "~server/contract/calls/table";
import { deleteAccount, logIn, type Member } from "../support/account";
import { ruleEngines } from "../support/database";
import { createMember } from "../support/member";
import { createPublicRole, publishRole } from "../support/role";
import { createVisitor, openTestUpstream, type TestUpstream } from "../support/upstream";

type List = CallData<"squareList">;

describe.each(ruleEngines)("public reads of the API on %s", (engine) => {
  let upstream: TestUpstream;
  let member: Member;
  beforeAll(async () => {
    upstream = await openTestUpstream(engine);
    upstream.services.startWorker();
    member = await logIn(upstream.services);
  });
  afterAll(() => upstream.close());

  const fresh = { "cache-control": "no-cache" };
  const someone = () => createVisitor(upstream.services);
  const namesFor = async (reader = someone(), headers = {}) =>
    (await reader.get<List>("/role/common/list?pageSize=100", headers)).data.list.map(({ name }) => name);

  it("answers several callers from one query, and a caller that wants it fresh from its own", async () => {
    const before = await namesFor();
    const name = "changed by another process";
    await sql`update role set name = ${name} where home_rank = 1`.execute(upstream.database());
    upstream.services.publicVersion.advance();
    expect(await namesFor()).toContain(name);
    await sql`update role set name = ${before[0]} where home_rank = 1`.execute(upstream.database());
    expect(await namesFor(someone(), fresh)).not.toContain(name);
    expect(await namesFor()).not.toContain(name);
  });

  it("shows and hides a role at once when its owner publishes, renames, withdraws or deletes it", async () => {
    await namesFor();
    const { roleId } = await createPublicRole(member, { name: "published" });
    expect(await namesFor()).toContain("published");
    await publishRole(member, roleId, false);
    expect(await namesFor()).not.toContain("published");
    await publishRole(member, roleId);
    await namesFor();
    await member.post("/voice/role/update", { roleId, name: "renamed" });
    expect(await namesFor()).toContain("renamed");
    await member.post("/voice/role/del", { roleId });
    expect(await namesFor()).not.toContain("renamed");
  });

  it("hides a reported role at once", async () => {
    const { roleId } = await createPublicRole(member, { name: "reported" });
    expect(await namesFor()).toContain("reported");
    for (const _ of [1, 2, 3]) await someone().post("/role/common/report", { roleId, reason: "noise" });
    expect(await namesFor()).not.toContain("reported");
  });

  it("hides the roles of a deleted account at once", async () => {
    const leaving = await logIn(upstream.services);
    await createPublicRole(leaving, { name: "of a deleted account" });
    expect(await namesFor()).toContain("of a deleted account");
    expect((await deleteAccount(upstream, leaving)).code).toBe(0);
    expect(await namesFor()).not.toContain("of a deleted account");
  });

  it("shares prices between visitors only", async () => {
    const packOf = async (reader: Pick<Member, "get">) => {
      const { data } = await reader.get<CallData<"products">>("/pay/product");
      return data.find(({ packageType }) => packageType === 3)?.packChar;
    };
    const visitors = await packOf(someone());
    expect(await packOf(await createMember(upstream, "svip"))).not.toBe(visitors);
    expect(await packOf(someone())).toBe(visitors);
    expect(await member.get("/pay/product", { token: "expired" })).toMatchObject({ code: 5 });
  });
});
