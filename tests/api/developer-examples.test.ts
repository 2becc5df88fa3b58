import { execFile, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { readReference } from "~/routes/developers/reference";
import type { CallData } from "~server/contract/calls/table";
import { keyCalls } from "~server/contract/calls/table";
import { openApiDocument } from "~server/contract/openapi";
import { readLabels } from "~server/upstream/media/label/label";
import { ruleEngines } from "../support/database";
import { createMember, type TieredMember } from "../support/member";
import { openTestUpstream, type TestUpstream } from "../support/upstream";
import { closeWebApps, startWebApp } from "../support/web-app";

const run = promisify(execFile);
const exists = (program: string) => {
  try {
    execFileSync(program, ["--version"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
};
// Where the packages of the examples are found.
const folder = mkdtempSync("tests/node_modules/.examples-");
const example = (name: string, ending: string) => {
  const path = `${name}.${ending}`;
  copyFileSync(`app/routes/developers/examples/${name}.txt`, join(folder, path));
  return path;
};

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, "close");
  return port;
}

describe.each(ruleEngines)("the examples of /developers on %s", (engine) => {
  let upstream: TestUpstream;
  let member: TieredMember;
  let env: NodeJS.ProcessEnv;
  beforeAll(async () => {
    upstream = await openTestUpstream(engine, {}, { settings: { webhookAddresses: "any" } });
    upstream.services.startWorker();
    member = await createMember(upstream, "svip");
    const { url } = await startWebApp({ api: (request) => upstream.services.fetch(request) });
    const { data } = await member.post<CallData<"keyCreate">>("/users/keys", { name: "示例" });
    env = { ...process.env, SITE: url, KEY: data.secret };
  });
  afterAll(async () => {
    closeWebApps();
    await upstream.close();
    rmSync(folder, { recursive: true });
  });

  const programs = [
    { name: "curl", ending: "sh", interpreter: "sh", needs: "curl" },
    { name: "python", ending: "py", interpreter: "python3", needs: "python3" },
    { name: "javascript", ending: "mjs", interpreter: process.execPath, needs: process.execPath },
  ];
  for (const { name, ending, interpreter, needs } of programs)
    it.runIf(exists(needs))(`${name} writes a marked sound`, async () => {
      await run(interpreter, [example(name, ending)], { cwd: folder, env });
      expect(await readLabels(readFileSync(join(folder, "speech.mp3")))).toHaveLength(1);
      rmSync(join(folder, "speech.mp3"));
    });

  it("the webhook's server verifies an event", async () => {
    const port = await freePort();
    const { data } = await member.post<CallData<"webhookPut">>("/users/webhook", { url: `http://127.0.0.1:${port}` });
    const server = spawn(process.execPath, [example("webhook", "mjs")], {
      ...{ cwd: folder, env: { ...env, SECRET: data.secret, PORT: String(port) } },
    });
    let printed = "";
    server.stdout.on("data", (part: Buffer) => {
      printed += part;
    });
    await vi.waitFor(
      () => run("node", ["-e", `fetch("http://127.0.0.1:${port}").then(() => {}, () => process.exit(1))`]),
      {
        ...{ timeout: 20_000, interval: 100 },
      },
    );
    await member.post("/users/webhook/test", {});
    await vi.waitFor(() => expect(printed).toContain("test test"), { timeout: 20_000, interval: 50 });
    await vi.waitFor(
      async () => {
        const { deliveries } = (await member.get<CallData<"webhook">>("/users/webhook")).data;
        expect(deliveries[0]).toMatchObject({ event: "test", state: "delivered", outcome: "204" });
      },
      { timeout: 20_000, interval: 50 },
    );
    server.kill();
  });
});

it("the reference shows every call of keys with its fields", () => {
  const calls = readReference(openApiDocument());
  expect(calls.map(({ name }) => name).sort()).toEqual([...keyCalls].sort());
  const speech = calls.find(({ name }) => name === "speech");
  expect(speech).toMatchObject({ method: "POST", path: "/audio/speech" });
  expect(speech?.sent).toContainEqual({ name: "input", type: "string", isRequired: true });
  expect(speech?.sent).toContainEqual({ name: "speed", type: "number", isRequired: false });
  const clones = calls.find(({ name }) => name === "cloneList");
  expect(clones?.answered.map(({ name }) => name)).toContain("data.list[].voiceUrl");
});
