import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import { text } from "node:stream/consumers";
import { sql } from "kysely";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type { CallData } from "~server/contract/calls/table";
import { createClone, waitForClone } from "../support/clone";
import { ruleEngines } from "../support/database";
import { createDub, waitForDub } from "../support/dub";
import { createMember, type TieredMember } from "../support/member";
import { firstRoleId } from "../support/trial";
import { openTestUpstream, type TestUpstream } from "../support/upstream";

interface Received {
  headers: IncomingHttpHeaders;
  body: string;
}

describe.each(ruleEngines)("webhooks on %s", (engine) => {
  let upstream: TestUpstream;
  let member: TieredMember;
  let server: Server;
  let address: string;
  const received: Received[] = [];
  const statuses: number[] = [];
  beforeAll(async () => {
    server = createServer(async (request, response) => {
      received.push({ headers: request.headers, body: await text(request) });
      const status = statuses.shift() ?? 204;
      response.writeHead(status, status === 302 ? { location: `${address}/elsewhere` } : {}).end();
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    address = `http://127.0.0.1:${(server.address() as { port: number }).port}`;
    upstream = await openTestUpstream(engine, {}, { settings: { webhookAddresses: "any" } });
    upstream.services.startWorker();
    member = await createMember(upstream, "svip");
  });
  afterAll(async () => {
    await upstream.close();
    server.close();
  });

  const put = async (url: string, headers = {}) =>
    member.post<CallData<"webhookPut">>("/users/webhook", { url }, headers);
  const read = async () => (await member.get<CallData<"webhook">>("/users/webhook")).data;
  const arrival = (count: number) =>
    vi.waitFor(() => expect(received).toHaveLength(count), { timeout: 20_000, interval: 20 });
  const newest = (change: Partial<CallData<"webhook">["deliveries"][number]>) =>
    vi.waitFor(async () => expect((await read()).deliveries[0]).toMatchObject(change), {
      timeout: 20_000,
      interval: 20,
    });
  const hasten = () =>
    sql`update job set run_at = now() where kind = 'webhook' and state = 'ready'`.execute(upstream.database());

  it("tell finished and failed work, signed as Standard Webhooks", async () => {
    const { secret } = (await put(address)).data;
    const roleId = await firstRoleId(member);
    const clone = await createClone(member, { content: "做完就说一声。", roleId });
    await waitForClone(member, clone.data.taskId);
    await arrival(1);
    const [first] = received;
    const verifier = new Webhook(secret);
    expect(verifier.verify(first?.body ?? "", first?.headers as Record<string, string>)).toMatchObject({
      type: "clone.succeeded",
      data: { taskId: clone.data.taskId, kind: "clone", status: 2, reason: "" },
    });
    expect(() => verifier.verify(`${first?.body} `, first?.headers as Record<string, string>)).toThrow();
    upstream.speech.faults.segments = 3;
    const dub = await createDub(member, { lines: [{ roleId, content: "这一句失败。" }] });
    await waitForDub(member, dub.data.taskId);
    upstream.speech.faults.segments = 0;
    await arrival(2);
    expect(JSON.parse(received[1]?.body ?? "")).toMatchObject({
      type: "dub.failed",
      data: { taskId: dub.data.taskId, reason: "synthesis-failed" },
    });
    await newest({ event: "dub.failed", state: "delivered", attempts: 1, outcome: "204" });
  });

  it("are repeated under one id until the server accepts them, and follow no redirect", async () => {
    received.length = 0;
    statuses.push(500, 302);
    await member.post("/users/webhook/test", {});
    await newest({ event: "test", state: "waiting", attempts: 1, outcome: "500" });
    await hasten();
    await newest({ state: "waiting", attempts: 2, outcome: "302" });
    await hasten();
    await newest({ state: "delivered", attempts: 3, outcome: "204" });
    expect(new Set(received.map(({ headers }) => headers["webhook-id"])).size).toBe(1);
    expect(received).toHaveLength(3);
    expect(JSON.parse(received[0]?.body ?? "")).toMatchObject({
      ...{ type: "test", data: { taskId: "test", kind: "clone", status: 2, reason: "" } },
    });
  });

  it("are given up after the last attempt", async () => {
    await put("http://127.0.0.1:9");
    await member.post("/users/webhook/test", {});
    await newest({ attempts: 1, state: "waiting", outcome: "ECONNREFUSED" });
    await sql`update webhook_delivery set attempts = 7 where state = 'waiting'`.execute(upstream.database());
    await hasten();
    await newest({ attempts: 8, state: "failed" });
  });

  it("go only to public addresses of https by default, checked again when connecting", async () => {
    await put(address);
    await upstream.restart({ webhookAddresses: "public" });
    const unreachable = ["http://example.com/", "https://127.0.0.1/", "https://[::1]/", "https://10.0.0.8/"];
    const disguised = [
      "https://0x7f.1/",
      "https://[::ffff:169.254.169.254]/",
      "https://u:p@example.com/",
      "file:///etc/passwd",
    ];
    const { token } = member;
    const post = (url: string) =>
      upstream.services.fetch(
        new Request("http://upstream/api/v1/users/webhook", {
          ...{ method: "POST", body: JSON.stringify({ url }) },
          headers: { appid: "test-app", token, "content-type": "application/json" },
        }),
      );
    for (const url of [...unreachable, ...disguised]) expect([url, (await post(url)).status]).toEqual([url, 400]);
    // A name that leads to this machine is accepted, and refused by the connection itself.
    const { port } = server.address() as { port: number };
    expect((await post(`https://localhost:${port}/`)).status).toBe(200);
    upstream.services.startWorker();
    received.length = 0;
    await upstream.services.fetch(
      new Request("http://upstream/api/v1/users/webhook/test", {
        ...{ method: "POST", body: "{}" },
        headers: { appid: "test-app", token, "content-type": "application/json" },
      }),
    );
    const outcomes = upstream
      .database()
      .selectFrom("webhook_delivery")
      .select("outcome")
      .where("state", "=", "waiting");
    await vi.waitFor(
      async () => expect((await outcomes.executeTakeFirst())?.outcome).toContain("not a public address"),
      { timeout: 20_000, interval: 20 },
    );
    expect(received).toEqual([]);
  });
});
