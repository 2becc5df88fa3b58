import { mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createServices, type Services } from "~server/upstream/compose/services";
import { runInServer } from "~server/upstream/operations/socket";
import { createToneSpeech } from "../support/tone-engine";
import { appId, testConfig } from "../support/upstream";

let dataDir: string;
let services: Services;

const open = () => createServices(testConfig(dataDir), { speech: createToneSpeech(), previews: false });
const socketPath = () => join(dataDir, "operators", "server.sock");
const run = (...args: string[]) => runInServer(dataDir, { args, operator: "李四" });

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "test-operators-"));
});
afterAll(() => rm(dataDir, { recursive: true, force: true }));

it("the ops socket is not found before a server runs", async () => {
  expect(await run("packages")).toBeNull();
});

it("the ops socket runs commands in the server that has the embedded database open, with the caller's name", async () => {
  services = await open();
  const created = await run(
    "packages",
    "create",
    "svip-week",
    "--type",
    "svip",
    "--name",
    "周卡",
    "--price",
    "1",
    "--days",
    "7",
  );
  expect(created).toEqual({ exitCode: 0, out: "svip-week is on sale for 1.00 yuan, number 8\n", err: "" });
  const listed = await run("packages", "--json");
  expect(JSON.parse(listed?.out ?? "")).toContainEqual(expect.objectContaining({ code: "svip-week", priceFen: 100 }));
  expect(await run("migrate")).toEqual({ exitCode: 0, out: "nothing to do\n", err: "" });
  expect(await run("refund", "7", "--reason", "x")).toMatchObject({
    exitCode: 2,
    out: "",
    err: expect.stringContaining("See:"),
  });
});

it("the price list shows a package at once when an operator creates it in the running server", async () => {
  const onSale = async () => {
    const asked = new Request("http://localhost/api/v1/pay/product", { headers: { appid: appId } });
    return (await services.fetch(asked)).text();
  };
  expect(await onSale()).not.toContain("svip-day");
  await run("packages", "create", "svip-day", "--type", "svip", "--name", "天卡", "--price", "1", "--days", "1");
  expect(await onSale()).toContain("svip-day");
});

it("the ops socket is reachable only for the server's system user and not over the network", async () => {
  const [directory, socket] = await Promise.all([stat(join(dataDir, "operators")), stat(socketPath())]);
  expect(directory.mode & 0o777).toBe(0o700);
  expect(socket.isSocket()).toBe(true);
  for (const path of ["/", "/api/v1/operators", "/operators"]) {
    const asked = new Request(`http://localhost${path}`, {
      method: "POST",
      body: '{"args":["users"],"operator":null}',
    });
    expect(await (await services.fetch(asked)).text()).not.toContain("ACCOUNT");
  }
});

it.each(["{", '{"args":"users"}', `{"args":["${"x".repeat(300_000)}"]}`])(
  "the ops socket refuses an invalid command: %.20s",
  async (body) => {
    const status = await new Promise((done, failed) => {
      const asking = request({ socketPath: socketPath(), method: "POST" }, (answer) => done(answer.statusCode));
      asking.on("error", failed).end(body);
    });
    expect(status).toBe(400);
  },
);

it("the ops socket ends with the server, and a socket left by a crash is replaced", async () => {
  await services.close();
  expect(await run("packages")).toBeNull();
  await writeFile(socketPath(), "");
  services = await open();
  expect(await run("users")).toMatchObject({ exitCode: 0, out: "no accounts\n" });
  await services.close();
});
