import { expect, test } from "vitest";
import { createSessions } from "./session.server";

const day = 86_400_000;
const [oldSecret, newSecret] = ["o".repeat(40), "n".repeat(40)];

function clocked(secrets: [string, ...string[]] = [newSecret]) {
  const clock = { now: Date.UTC(2026, 0, 1) };
  return { clock, sessions: createSessions({ secrets, now: () => clock.now }) };
}
const pairOf = (setCookie: string | null) => setCookie?.split(";")[0] ?? "";

test("a visitor's session is restored from its cookie", async () => {
  const { sessions } = clocked();
  const first = await sessions.open(null, true);
  first.countTrials(2);
  const setCookie = await first.setCookie();
  expect(setCookie).toMatch(/^__Host-vid=[\w.-]+; Path=\/; HttpOnly; SameSite=Lax; Secure; Max-Age=604800$/);
  const again = await sessions.open(`theme=dark; ${pairOf(setCookie)}`, true);
  expect(again.values).toMatchObject({ visitorId: first.values.visitorId, trialsUsed: 2 });
  expect(await again.setCookie()).toBeNull();
});

test("a new visitor who only reads gets no cookie unless something is counted or the cookie was unreadable", async () => {
  const { sessions } = clocked();
  const reading = await sessions.open("color-mode=dark", true, true);
  expect(await reading.setCookie()).toBeNull();
  reading.countTrials(1);
  expect(await reading.setCookie()).toMatch(/^__Host-vid=/);
  expect(await (await sessions.open("__Host-sid=altered", true, true)).setCookie()).toMatch(/^__Host-sid=/);
});

test("a member who only reads keeps its cookie and has it renewed", async () => {
  const { clock, sessions } = clocked();
  const session = await sessions.open(null, true);
  session.logIn("t");
  const cookie = pairOf(await session.setCookie());
  expect(await (await sessions.open(cookie, true, true)).setCookie()).toBeNull();
  clock.now += day;
  expect(await (await sessions.open(cookie, true, true)).setCookie()).toMatch(/^__Host-sid=/);
});

test.each([
  ["a name behind a no-break space", (login: string) => `\u00a0${login}`],
  ["a second cookie of its name", (login: string) => `${login}; ${login}`],
])("a sibling subdomain cannot set a login: %s", async (_case, plant) => {
  const { sessions } = clocked();
  const session = await sessions.open(null, true);
  session.logIn("t");
  const login = pairOf(await session.setCookie());
  expect((await sessions.open(`\t ${login} `, true)).values.token).toBe("t");
  expect((await sessions.open(plant(login), true)).values.token).toBeUndefined();
});

test("plain HTTP and HTTPS use different cookie names, and neither reads the other's cookie", async () => {
  const { sessions } = clocked();
  const plain = await sessions.open(null, false);
  const setCookie = await plain.setCookie();
  expect(setCookie).toMatch(/^vid=/);
  expect(setCookie).not.toContain("Secure");
  expect((await sessions.open(pairOf(setCookie), true)).values.visitorId).not.toBe(plain.values.visitorId);
});

test("a visitor's answer that arrives after a login does not replace the login", async () => {
  const { sessions } = clocked();
  const late = await sessions.open(null, true);
  const login = await sessions.open(null, true);
  login.logIn("t");
  late.countTrials(1);
  late.logOut();
  const cookies = [await login.setCookie(), await late.setCookie()].map(pairOf);
  for (const order of [cookies, cookies.toReversed()])
    expect((await sessions.open(order.join("; "), true)).values.token).toBe("t");
  expect(new Set(cookies.map((pair) => pair.split("=")[0])).size).toBe(2);
});

test("a login keeps the visitor, and a logout without a login changes nothing", async () => {
  const { sessions } = clocked();
  const visitor = await sessions.open(null, true);
  const cookie = pairOf(await visitor.setCookie());
  const session = await sessions.open(cookie, true);
  session.logOut();
  expect(await session.setCookie()).toBeNull();
  session.logIn("t");
  const both = `${cookie}; ${pairOf(await session.setCookie())}`;
  const member = await sessions.open(both, true);
  expect(member.values).toMatchObject({ visitorId: visitor.values.visitorId, token: "t" });
  member.logOut();
  const after = `${cookie}; ${pairOf(await member.setCookie())}`;
  expect((await sessions.open(after, true)).values.token).toBeUndefined();
});

test("the token is not readable in the cookie", async () => {
  const { sessions } = clocked();
  const session = await sessions.open(null, true);
  session.logIn("secret-token");
  const sealed = pairOf(await session.setCookie());
  const parts = sealed.split("=")[1]?.split(".") ?? [];
  expect(parts.map((part) => Buffer.from(part, "base64url").toString("latin1")).join()).not.toContain("secret-token");
});

test("login and logout change the id and keep the visitor and the trials used", async () => {
  const { sessions } = clocked();
  const session = await sessions.open(null, true);
  session.countTrials(3);
  const { id, visitorId } = session.values;
  session.logIn("t");
  expect(session.values).toMatchObject({ token: "t", visitorId, trialsUsed: 3 });
  const loggedInId = session.values.id;
  expect(loggedInId).not.toBe(id);
  session.logOut();
  expect(session.values.token).toBeUndefined();
  expect(session.values).toMatchObject({ visitorId, trialsUsed: 3 });
  expect(session.values.id).not.toBe(loggedInId);
});

test("a session ends after seven idle days and after thirty days in any case", async () => {
  const { clock, sessions } = clocked();
  const session = await sessions.open(null, true);
  session.logIn("t");
  let cookie = pairOf(await session.setCookie());
  clock.now += 7 * day;
  expect((await sessions.open(cookie, true)).values.token).toBeUndefined();
  clock.now -= 1 * day;
  for (let days = 6; days < 30; days += 6) {
    const used = await sessions.open(cookie, true);
    expect(used.values.token).toBe("t");
    cookie = pairOf(await used.setCookie());
    clock.now += 6 * day;
  }
  expect((await sessions.open(cookie, true)).values.token).toBeUndefined();
});

test("older secrets only decrypt, the newest encrypts, and a removed one does not decrypt", async () => {
  const { sessions: before } = clocked([oldSecret]);
  const session = await before.open(null, true);
  session.logIn("t");
  const cookie = pairOf(await session.setCookie());
  const { sessions: rotated } = clocked([newSecret, oldSecret]);
  const opened = await rotated.open(cookie, true);
  expect(opened.values.token).toBe("t");
  opened.countTrials(1);
  const sealedAgain = pairOf(await opened.setCookie());
  const { sessions: after } = clocked([newSecret]);
  expect((await after.open(cookie, true)).values.token).toBeUndefined();
  expect((await after.open(sealedAgain, true)).values.token).toBe("t");
});

test("an altered cookie starts a new visitor's session", async () => {
  const { sessions } = clocked();
  const session = await sessions.open(null, true);
  session.logIn("t");
  const cookie = pairOf(await session.setCookie());
  const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  const unsigned = Buffer.from('{"alg":"none"}').toString("base64url");
  for (let i = 12; i < cookie.length; i += 7) {
    // Changes the highest of the six bits: the lowest bits of a part's last character are padding.
    const touched = cookie.slice(0, i) + alphabet[alphabet.indexOf(cookie[i] ?? "") ^ 32] + cookie.slice(i + 1);
    expect((await sessions.open(touched, true)).values.token).toBeUndefined();
  }
  for (const forged of ["", "x", `${unsigned}....`, "a.b.c.d.e", "%00", cookie.repeat(2)])
    expect((await sessions.open(`__Host-sid=${forged}`, true)).values.token).toBeUndefined();
});

test("storing a token that is too long for a cookie throws", async () => {
  const session = await clocked().sessions.open(null, true);
  session.logIn("t".repeat(4000));
  await expect(session.setCookie()).rejects.toThrow();
});
