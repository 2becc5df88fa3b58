import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createRevocations } from "./revocations.server";
import { createSessions } from "./session.server";

const secrets = ["s".repeat(40)] as [string];
const hourMs = 3_600_000;
let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "revocations-"));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

/** A web process using the directory; `endToken` stands for its upstream. */
function openProcess(endToken: (token: string) => Promise<boolean>, now = Date.now) {
  const onError = vi.fn();
  const revocations = createRevocations({ directory, secrets, endToken, onError, now, firstDelayMs: 5 });
  return { revocations, onError, sessions: createSessions({ secrets, revocations, now }) };
}
type Sessions = ReturnType<typeof createSessions>;

async function logIn(sessions: Sessions) {
  const session = await sessions.open(null, true);
  session.logIn("token-1");
  return { session, cookie: (await session.setCookie())?.split(";")[0] ?? "" };
}
const tokenIn = async (sessions: Sessions, cookie: string) => (await sessions.open(cookie, true)).values.token;

test("a copy of a logged-out session's cookie is a visitor's, before and after a restart", async () => {
  const never = async () => false;
  const first = openProcess(never);
  const { session, cookie } = await logIn(first.sessions);
  expect(await tokenIn(first.sessions, cookie)).toBe("token-1");
  await session.revoke();
  expect(await tokenIn(first.sessions, cookie)).toBeUndefined();
  const copied = await first.sessions.open(cookie, true);
  expect(copied.values.visitorId).toBe(session.values.visitorId);
  // A newer cookie that the browser has received meanwhile stays valid.
  expect(await copied.setCookie()).toBeNull();
  expect(await tokenIn(openProcess(never).sessions, cookie)).toBeUndefined();
});

test("another process with the same directory refuses the session within seconds", async () => {
  const clock = { now: Date.now() };
  const never = async () => false;
  const [one, other] = [openProcess(never), openProcess(never, () => clock.now)];
  const { session, cookie } = await logIn(one.sessions);
  expect(await tokenIn(other.sessions, cookie)).toBe("token-1");
  await session.revoke();
  clock.now += 2_000;
  expect(await tokenIn(other.sessions, cookie)).toBeUndefined();
});

test("the upstream logout is repeated until it succeeds, then the revocation is removed", async () => {
  const answers = [false, new Error("no connection"), true];
  const asked: string[] = [];
  const { sessions, revocations } = openProcess(async (token) => {
    asked.push(token);
    const answer = answers.shift();
    if (answer instanceof Error) throw answer;
    return answer ?? true;
  });
  const { session } = await logIn(sessions);
  const { id } = session.values;
  await session.revoke();
  expect(await revocations.isRevoked(id)).toBe(true);
  await vi.waitFor(async () => expect(await revocations.isRevoked(id)).toBe(false));
  expect(asked).toEqual(["token-1", "token-1", "token-1"]);
  expect(await readdir(directory)).toEqual([]);
});

test("a new process continues the pending logouts of the previous one", async () => {
  const before = openProcess(async () => false);
  const { session } = await logIn(before.sessions);
  await session.revoke();
  const asked: string[] = [];
  const after = openProcess(async (token) => asked.push(token) > 0);
  expect(await after.revocations.isRevoked(session.values.id)).toBe(true);
  await vi.waitFor(() => expect(asked).toEqual(["token-1"]));
});

test("tokens are encrypted on disk, and invalid files are ignored", async () => {
  const { sessions, revocations } = openProcess(async () => false);
  const { session } = await logIn(sessions);
  await session.revoke();
  const [name = ""] = await readdir(directory);
  expect(name).toBe(session.values.id);
  const sealed = await readFile(join(directory, name), "utf8");
  const parts = sealed.split(".").map((part) => Buffer.from(part, "base64url").toString("latin1"));
  expect(parts.join()).not.toContain("token-1");
  await writeFile(join(directory, "strange"), "no login");
  expect(await revocations.isRevoked("strange")).toBe(false);
});

test("a revocation is removed when its cookie would have expired", async () => {
  const clock = { now: Date.now() };
  const { sessions } = openProcess(
    async () => false,
    () => clock.now,
  );
  const { session } = await logIn(sessions);
  await session.revoke();
  clock.now += 30 * 24 * hourMs;
  await vi.waitFor(async () => expect(await readdir(directory)).toEqual([]));
});

test("a logout succeeds even if the disk cannot be written", async () => {
  await writeFile(join(directory, "file"), "");
  directory = join(directory, "file");
  const { sessions, onError } = openProcess(async () => false);
  const { session, cookie } = await logIn(sessions);
  await session.revoke();
  expect(onError).toHaveBeenCalled();
  expect(await tokenIn(sessions, cookie)).toBeUndefined();
});
