import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createServices, type Services } from "~server/upstream/compose/services";
import { logIn, nextPhone, requestCode, tryLogin, withToken } from "../support/account";
import { testEngines } from "../support/database";
import { waitForRateWindow } from "../support/rate-window";
import { createVisitor, openTestUpstream, type TestUpstream, testConfig } from "../support/upstream";

describe.each(testEngines)("logging in on %s", (engine) => {
  let upstream: TestUpstream;
  beforeAll(async () => {
    upstream = await openTestUpstream(engine);
  });
  afterAll(() => upstream.close());

  const visitor = (options = {}) => createVisitor(upstream.services, options);
  const tooMany = { status: 429, code: 7, msg: "too-many" };
  const wrong = { status: 200, code: 7, msg: "code-wrong", data: { reason: "code-wrong" } };
  const codeFor = async (phone: string) => (await requestCode(visitor(), phone)).data.demoCode ?? "";
  const other = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, "0");
  /** Ages the codes of all phones by this many seconds. */
  const codesAge = (seconds: number) =>
    sql`update login_code set sent_at = sent_at - make_interval(secs => ${seconds}::int),
      expires_at = expires_at - make_interval(secs => ${seconds}::int)`.execute(upstream.database());

  describe("codes", () => {
    it("have six digits and expire after five minutes", async () => {
      const { data } = await requestCode(visitor(), nextPhone());
      expect(data).toEqual({ ttl: 300, resend: 60, demoCode: expect.stringMatching(/^\d{6}$/) });
      const phone = nextPhone();
      const code = await codeFor(phone);
      await codesAge(301);
      expect(await tryLogin(visitor(), phone, code)).toMatchObject(wrong);
      const early = nextPhone();
      const live = await codeFor(early);
      await codesAge(240);
      expect((await tryLogin(visitor(), early, live)).code).toBe(0);
    });

    it.each(["", "1381234567", "138123456789", "12812345678", "23812345678", "1381234567a", "+8613812345678"])(
      "are not sent to %j",
      async (phone) => {
        expect(await requestCode(visitor(), phone)).toMatchObject({ status: 400, code: 7, msg: "bad-request" });
      },
    );

    it("are valid once", async () => {
      const phone = nextPhone();
      const code = await codeFor(phone);
      expect((await tryLogin(visitor(), phone, code)).code).toBe(0);
      expect(await tryLogin(visitor(), phone, code)).toMatchObject(wrong);
    });

    it("are valid once for twenty concurrent logins", async () => {
      const phone = nextPhone();
      const code = await codeFor(phone);
      const answers = await Promise.all(Array.from({ length: 20 }, () => tryLogin(visitor(), phone, code)));
      expect(answers.filter((answer) => answer.code === 0)).toHaveLength(1);
    });

    it("stay valid after four wrong attempts and expire at the fifth", async () => {
      const patient = nextPhone();
      const code = await codeFor(patient);
      for (let i = 0; i < 4; i++) expect(await tryLogin(visitor(), patient, other(code))).toMatchObject(wrong);
      expect((await tryLogin(visitor(), patient, code)).code).toBe(0);
      const guessed = nextPhone();
      const target = await codeFor(guessed);
      for (let i = 0; i < 5; i++) expect(await tryLogin(visitor(), guessed, other(target))).toMatchObject(wrong);
      expect(await tryLogin(visitor(), guessed, target)).toMatchObject(wrong);
    });

    it("expire after five concurrent wrong attempts", async () => {
      const phone = nextPhone();
      const code = await codeFor(phone);
      await Promise.all(Array.from({ length: 12 }, () => tryLogin(visitor(), phone, other(code))));
      expect(await tryLogin(visitor(), phone, code)).toMatchObject(wrong);
      const { rows } = await sql<{ tries: number }>`
        select max(wrong_tries) as tries from login_code`.execute(upstream.database());
      expect(rows[0]?.tries).toBe(5);
    });

    it("are valid for one phone only and replace each other", async () => {
      const [first, second] = [nextPhone(), nextPhone()];
      const old = await codeFor(first);
      expect(await tryLogin(visitor(), second, old)).toMatchObject(wrong);
      await codesAge(61);
      const fresh = await codeFor(first);
      if (fresh !== old) expect(await tryLogin(visitor(), first, old)).toMatchObject(wrong);
      expect((await tryLogin(visitor(), first, fresh)).code).toBe(0);
    });

    it("are sent equally to phones with and without an account", async () => {
      const { phone } = await logIn(upstream.services);
      await codesAge(61);
      const known = await requestCode(visitor(), phone);
      const unknown = await requestCode(visitor(), nextPhone());
      const shape = { ...known, data: { ...known.data, demoCode: "" } };
      expect({ ...unknown, data: { ...unknown.data, demoCode: "" } }).toEqual(shape);
      const refusals = await Promise.all([tryLogin(visitor(), phone, "x"), tryLogin(visitor(), nextPhone(), "x")]);
      expect(refusals[0]).toEqual(refusals[1]);
    });

    it("are stored as keyed hashes, phones encrypted", async () => {
      const member = await logIn(upstream.services);
      const code = await codeFor(nextPhone());
      const dump = JSON.stringify(
        await Promise.all(
          ["account", "login_code", "login_token", "rate", "idempotency"].map(async (table) => {
            return (await sql`select * from ${sql.table(table)}`.execute(upstream.database())).rows;
          }),
        ),
      );
      expect(dump).not.toContain(member.phone);
      expect(dump).not.toContain(member.token);
      expect(dump).not.toContain(`"${code}"`);
    });
  });

  describe("limits of codes", () => {
    it("allow one code per phone in sixty seconds, from any address", async () => {
      const phone = nextPhone();
      await codeFor(phone);
      expect(await requestCode(visitor(), phone)).toMatchObject(tooMany);
      await codesAge(30);
      expect(await requestCode(visitor(), phone)).toMatchObject(tooMany);
      await codesAge(31);
      expect((await requestCode(visitor(), phone)).code).toBe(0);
    });

    it("still apply after a login", async () => {
      const { phone } = await logIn(upstream.services);
      expect(await requestCode(visitor(), phone)).toMatchObject(tooMany);
    });

    it("allow ten codes per phone and day, not counting refused requests", async () => {
      await waitForRateWindow(3600);
      const phone = nextPhone();
      for (let i = 0; i < 10; i++) {
        expect((await requestCode(visitor(), phone)).code).toBe(0);
        expect(await requestCode(visitor(), phone)).toMatchObject(tooMany);
        await codesAge(61);
      }
      expect(await requestCode(visitor(), phone)).toMatchObject(tooMany);
    });

    it("allow twenty codes per address and hour", async () => {
      await waitForRateWindow(3600);
      const address = "203.0.113.77";
      for (let i = 0; i < 20; i++) expect((await requestCode(visitor({ address }), nextPhone())).code).toBe(0);
      expect(await requestCode(visitor({ address }), nextPhone())).toMatchObject(tooMany);
      expect((await requestCode(visitor(), nextPhone())).code).toBe(0);
    });

    it("block only the flooding networks above the global limit", async () => {
      await waitForRateWindow(3600);
      for (const flooding of ["203.0.113.", "2001:db8:7:"]) {
        const neighbours = Array.from({ length: 12 }, (_, n) =>
          flooding.includes(":") ? `${flooding}${n}::` : `${flooding}${n + 100}`,
        );
        for (const address of neighbours) expect((await requestCode(visitor({ address }), nextPhone())).code).toBe(0);
        const change = (hits: number) =>
          sql`update rate set hits = hits + ${hits}::int where key = 'code'`.execute(upstream.database());
        await change(3000);
        for (const address of neighbours.slice(0, 3))
          expect(await requestCode(visitor({ address }), nextPhone())).toMatchObject(tooMany);
        for (const address of ["192.0.2.1", "2001:db8:8:1::"])
          expect((await requestCode(visitor({ address }), nextPhone())).code).toBe(0);
        await change(-3000);
        expect((await requestCode(visitor({ address: neighbours[0] }), nextPhone())).code).toBe(0);
      }
    });

    it("send one code for twenty concurrent requests", async () => {
      const phone = nextPhone();
      const answers = await Promise.all(Array.from({ length: 20 }, () => requestCode(visitor(), phone)));
      expect(answers.filter(({ code }) => code === 0)).toHaveLength(1);
    });

    it("return the first answer to a repeated request and send nothing again", async () => {
      const phone = nextPhone();
      const first = await requestCode(visitor(), phone, "captcha-key-1");
      const again = await requestCode(visitor(), phone, "captcha-key-1");
      expect(again).toMatchObject({ code: 0, data: { ttl: 300, resend: 60 } });
      expect(again.data.demoCode).toBeUndefined();
      expect((await tryLogin(visitor(), phone, first.data.demoCode ?? "")).code).toBe(0);
    });
  });

  describe("tokens", () => {
    it("are 256 random bits and expire after thirty days", async () => {
      const member = await logIn(upstream.services);
      expect(Buffer.from(member.token, "base64url")).toHaveLength(32);
      const phone = nextPhone();
      const { data } = await tryLogin(visitor(), phone, await codeFor(phone));
      expect(Math.abs((data.expireAt ?? 0) - Date.now() / 1000 - 30 * 86_400)).toBeLessThan(60);
      await sql`update login_token set expires_at = now() - interval '1 second'`.execute(upstream.database());
      expect((await member.get("/users/info")).code).toBe(5);
    });

    it("end individually at logout", async () => {
      const phone = nextPhone();
      const first = await logIn(upstream.services, { phone });
      await codesAge(61);
      const second = await logIn(upstream.services, { phone });
      expect(await first.get("/users/logout")).toMatchObject({ status: 200, code: 0, data: null });
      expect((await first.get("/users/info")).code).toBe(5);
      expect((await first.get("/users/logout")).code).toBe(5);
      expect((await second.get("/users/info")).code).toBe(0);
    });

    it("end with the login that replaces them, and with no other", async () => {
      const elsewhere = await logIn(upstream.services);
      const replaced = await logIn(upstream.services);
      await codesAge(61);
      const phone = replaced.phone;
      const fresh = await codeFor(phone);
      // A wrong code replaces no token.
      expect(await tryLogin(replaced, phone, other(fresh))).toMatchObject(wrong);
      expect((await replaced.get("/users/info")).code).toBe(0);
      const { data } = await tryLogin(replaced, phone, fresh, "replacing-1");
      expect((await replaced.get("/users/info")).code).toBe(5);
      const replacing = withToken(replaced, { phone, token: data.token });
      expect((await replacing.get("/users/info")).code).toBe(0);
      // A repetition after a lost answer, with the old token or already with the new one.
      for (const caller of [replaced, replacing])
        expect((await tryLogin(caller, phone, fresh, "replacing-1")).data).toEqual(data);
      expect((await replacing.get("/users/info")).code).toBe(0);
      expect((await elsewhere.get("/users/info")).code).toBe(0);
    });

    it('that are expired or unknown cause "login expired" in calls that depend on the account', async () => {
      const dead = await logIn(upstream.services);
      await dead.get("/users/logout");
      const callers = [dead, withToken(visitor(), { phone: "", token: "never-given-out" })];
      const paths = ["/users/info", "/users/logout", "/users/ledger", "/pay/orders", "/pay/product"];
      for (const caller of callers) {
        for (const path of [...paths, "/voice/try/result?taskId=x"]) {
          expect(await caller.get(path)).toMatchObject({ status: 200, code: 5, msg: "login-expired" });
        }
        for (const path of ["/voice/try/create", "/pay/order/qrcode", "/pay/result", "/users/delete/code"]) {
          expect(await caller.post(path, {})).toMatchObject({ status: 200, code: 5 });
        }
        expect(await caller.post("/users/delete", { verifyCode: "000000" })).toMatchObject({ status: 200, code: 5 });
        expect((await caller.upload("/file/uploadCustom", new FormData())).code).toBe(5);
        // A login must not require a valid token.
        const phone = nextPhone();
        const { data } = await requestCode(caller, phone);
        expect((await tryLogin(caller, phone, data.demoCode ?? "")).code).toBe(0);
      }
    });

    it("are the same for a repeated login until the logout", async () => {
      const phone = nextPhone();
      const code = await codeFor(phone);
      const login = (key: string) => tryLogin(visitor(), phone, code, key);
      const answers = await Promise.all(Array.from({ length: 20 }, () => login("login-key-1")));
      expect(answers.every((answer) => answer.code === 0)).toBe(true);
      expect(new Set(answers.map(({ data }) => JSON.stringify(data))).size).toBe(1);
      expect(await login("login-key-2")).toMatchObject(wrong);
      await withToken(visitor(), { phone, token: answers[0]?.data.token ?? "" }).get("/users/logout");
      expect(await login("login-key-1")).toMatchObject(wrong);
    });
  });

  it("creates the account at the first login and finds it at the next", async () => {
    const phone = nextPhone();
    const accounts = async () => {
      const { rows } = await sql<{ count: number }>`select count(*)::int as count from account`.execute(
        upstream.database(),
      );
      return rows[0]?.count ?? 0;
    };
    const before = await accounts();
    await logIn(upstream.services, { phone });
    await codesAge(61);
    await logIn(upstream.services, { phone });
    expect(await accounts()).toBe(before + 1);
  });
});

describe.each(testEngines)("two servers on one database on %s", (engine) => {
  let upstream: TestUpstream;
  let second: Services;
  beforeAll(async () => {
    upstream = await openTestUpstream(engine);
    const config = testConfig(upstream.dataDir);
    // PostgreSQL uses a second server; the embedded database is shared with the first.
    const database = { db: upstream.database(), engine: "embedded" as const, close: async () => {} };
    second =
      engine === "postgres"
        ? await upstream.another()
        : await createServices(config, { speech: upstream.speech, previews: false, database });
  });
  afterAll(async () => {
    if (engine === "embedded") await second.close();
    await upstream.close();
  });
  const at = (n: number, options = {}) => createVisitor(n % 2 ? second : upstream.services, options);

  it("share the limits per phone and address and the count of attempts", async () => {
    const phone = nextPhone();
    const asked = await Promise.all(Array.from({ length: 10 }, (_, n) => requestCode(at(n), phone)));
    const sent = asked.filter(({ code }) => code === 0);
    expect(sent).toHaveLength(1);
    const code = sent[0]?.data.demoCode ?? "";
    const wrongCode = code === "000000" ? "000001" : "000000";
    for (let n = 0; n < 5; n++) await tryLogin(at(n), phone, wrongCode);
    for (const n of [0, 1]) expect((await tryLogin(at(n), phone, code)).msg).toBe("code-wrong");
    const address = "203.0.113.99";
    await waitForRateWindow(3600);
    const many = await Promise.all(Array.from({ length: 30 }, (_, n) => requestCode(at(n, { address }), nextPhone())));
    expect(many.filter(({ status }) => status === 429)).toHaveLength(10);
  });

  it("accept each other's tokens until their end", async () => {
    const member = await logIn(upstream.services);
    const elsewhere = withToken(createVisitor(second, { id: member.id }), member);
    expect((await elsewhere.get("/users/info")).code).toBe(0);
    await elsewhere.get("/users/logout");
    expect((await member.get("/users/info")).code).toBe(5);
  });
});

it.each(testEngines)("another DATA_KEY than the accounts' is refused at the start on %s", async (engine) => {
  const upstream = await openTestUpstream(engine);
  const startWith = (dataKey: string) => {
    const database = { db: upstream.database(), engine, close: async () => {} };
    const config = { ...testConfig(upstream.dataDir), dataKey };
    return createServices(config, { speech: upstream.speech, previews: false, database });
  };
  const another = "another key for tests that is long enough";
  try {
    await (await startWith(another)).close();
    await logIn(upstream.services);
    await expect(startWith(another)).rejects.toThrow("DATA_KEY is not the one that the accounts were made with");
    await (await startWith(testConfig("").dataKey)).close();
  } finally {
    await upstream.close();
  }
});
