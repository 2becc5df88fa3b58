import { randomUUID } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { proofStatement } from "~server/contract/consent";
import { createAccountKeys } from "~server/upstream/accounts/credentials";
import { createOperations } from "~server/upstream/billing/operations";
import { createQueue } from "~server/upstream/jobs/queue";
import { createAccountDirectory } from "~server/upstream/operations/account-directory";
import { runCommandLine } from "~server/upstream/operations/command-line";
import { operationTable } from "~server/upstream/operations/table";
import { createReviews } from "~server/upstream/square/reviews";
import { createProofReviews } from "~server/upstream/voices/proofs/reviews";
import { createTakedowns } from "~server/upstream/voices/takedowns";
import { createPayer, openTestBilling, type TestBilling } from "../support/billing";
import { testEngines } from "../support/database";

const keys = createAccountKeys("a key for tests that is long enough");

const why = ["--reason", "asked for"];

describe.each(testEngines)("the operators' command line on %s", (engine) => {
  let setup: TestBilling;
  let opened = 0;
  beforeAll(async () => {
    setup = await openTestBilling(engine);
  });
  afterAll(() => setup.close());

  const ops = async (...args: string[]) => {
    const printed: string[] = [];
    const complaints: string[] = [];
    const exitCode = await runCommandLine(args, {
      async open(actor) {
        opened++;
        const { db, billing, now, gateways } = setup;
        const parts = { db, queue: createQueue(), now, gateways, reconcile: billing.reconcile };
        return {
          ...actor,
          ...{ db, queue: parts.queue, now, operatorId: null, perform: async () => {} },
          operations: createOperations(parts, actor),
          billing,
          people: createAccountDirectory({ db, keys }),
          takedowns: createTakedowns(parts, actor),
          proofReviews: createProofReviews({ db, readStored: async (key) => Buffer.from(key) }, actor.operator),
          reviews: createReviews({ db, show: async () => {} }, actor.operator),
          close: async () => {},
        };
      },
      checks: {
        diagnose: async () => [
          { about: "clock", state: "ok", message: "0 ms ahead" },
          { about: "disk", state: "fail", message: "0.1 GiB free", todo: "make room" },
        ],
        migrate: async () => ["0000_baseline"],
      },
      systemUser: () => "admin",
      print: (text) => printed.push(text),
      printError: (text) => complaints.push(text),
    });
    return { exitCode, out: printed.join("\n"), error: complaints.join("\n") };
  };
  const json = async (...args: string[]) => {
    const { exitCode, out, error } = await ops(...args, "--json");
    expect(error).toBe("");
    return { exitCode, data: JSON.parse(out) };
  };
  const audits = (target: string) =>
    setup.db
      .selectFrom("audit")
      .select(["operator", "action", "detail"])
      .where("target", "=", target)
      .orderBy("created_at")
      .execute();

  let lastPhone = 13_800_000_000;
  const createMember = async () => {
    const phone = String(++lastPhone);
    const { id } = await setup.db
      .insertInto("account")
      .values({ phone_hash: keys.hashPhone(phone), phone_sealed: keys.sealPhone(phone) })
      .returning("id")
      .executeTakeFirstOrThrow();
    return { phone, id, payer: createPayer(setup, id) };
  };
  const buy = async (pCode: string) => {
    const member = await createMember();
    const order = (await member.payer.order(pCode)).data;
    await member.payer.pull(order, "pay");
    await setup.work(["sandbox-notify"]);
    return { ...member, order };
  };

  describe("codes", () => {
    const until = ["--until", "2099-12-31", "--note", "年会"];

    it("prints a batch once, lists it by pages, and withdraws it with a reason", async () => {
      const made = await ops("codes", "create", "--count", "2", "--characters", "300", ...until);
      const codes = made.out.split("\n");
      expect(codes).toEqual(
        [0, 1].map(() => expect.stringMatching(/^([0-9A-HJKMNP-TV-Z]{4}-){3}[0-9A-HJKMNP-TV-Z]{4}$/)),
      );
      await ops("codes", "create", "--count", "1", "--tier", "vip", "--days", "31", ...until);
      const { payer } = await createMember();
      await payer.post("/pay/redeem", { code: codes[0] });
      const [newest] = (await json("codes", "list", "--limit", "1")).data;
      expect(newest).toMatchObject({ tier: "vip", days: 31, codes: 1, redeemed: 0 });
      const [batch] = (await json("codes", "list", "--after", newest.batchId)).data;
      expect(batch).toMatchObject({
        characters: 300,
        codes: 2,
        redeemed: 1,
        note: "年会",
        withdrawnAt: null,
        until: "2099-12-31",
      });
      expect(JSON.stringify(batch)).not.toContain(codes[1]);
      expect((await ops("codes", "withdraw", batch.batchId)).exitCode).toBe(2);
      expect((await ops("codes", "withdraw", batch.batchId, ...why)).exitCode).toBe(0);
      expect((await (await createMember()).payer.post("/pay/redeem", { code: codes[1] })).msg).toBe("redeem-wrong");
      expect(await audits(batch.batchId)).toMatchObject([{ action: "withdraw-codes", operator: "admin" }]);
      const created = await audits("年会");
      expect(created).toMatchObject([{ action: "create-codes", detail: { count: 2, characters: 300 } }, {}]);
      expect(JSON.stringify(created)).not.toContain(codes[1]);
    });

    it.each([[[]], [["--tier", "vip"]], [["--tier", "vip", "--days", "3", "--characters", "5"]]])(
      "refuses %j, which names no gift",
      async (gift) => {
        expect((await ops("codes", "create", "--count", "1", ...gift, ...until)).exitCode).toBe(2);
      },
    );

    it("refuses a day that has passed", async () => {
      const past = ["--until", "2020-01-01", "--note", "old"];
      expect((await ops("codes", "create", "--count", "1", "--characters", "5", ...past)).exitCode).toBe(1);
    });
  });

  describe("grant", () => {
    it("grants days to the account of a phone, and records the operator in the audit", async () => {
      const { id, phone } = await createMember();
      const { exitCode, out } = await ops("grant", "--phone", phone, "--tier", "svip", "--days", "7", ...why);
      expect(exitCode).toBe(0);
      expect(out).toContain("granted 7 days of svip to 138****");
      expect((await setup.billing.membership(id)).tier).toBe("svip");
      await ops("grant", "--account", id, "--characters", "500", "--operator", "李四", ...why);
      expect((await setup.billing.quota(id)).pack.left).toBe(500);
      expect(await audits(id)).toEqual([
        { operator: "admin", action: "grant", detail: { tier: "svip", days: 7, reason: "asked for" } },
        { operator: "李四", action: "grant", detail: { characters: 500, reason: "asked for" } },
      ]);
    });

    it("is refused for unknown accounts and phones", async () => {
      const stranger = randomUUID();
      const days = ["--tier", "vip", "--days", "1", ...why];
      expect(await ops("grant", "--account", stranger, ...days)).toMatchObject({
        exitCode: 1,
        error: "no account has this id",
      });
      expect(await ops("grant", "--phone", "13700000000", ...days)).toMatchObject({
        exitCode: 1,
        error: "no account has this phone",
      });
      expect(await audits(stranger)).toEqual([]);
    });
  });

  describe("reports", () => {
    const createReported = async (owner: string | null) => {
      const id = randomUUID();
      const texts = { name: "被举报的人", describe: "", category: "a", preview_text: "b", language: "zh" };
      const state = { gender: "female", is_public: true, review: "open" } as const;
      await setup.db
        .insertInto("role")
        .values({ id, owner, tags: [], ...texts, ...state })
        .execute();
      const report = { role_id: id, reporter: "visitor:1", address: "198.51.100.1", reason: "冒充\u001b别人" };
      await setup.db.insertInto("role_report").values(report).execute();
      return id;
    };
    const reviewOf = async (id: string) =>
      setup.db.selectFrom("role").select(["review", "is_shown"]).where("id", "=", id).executeTakeFirst();

    it("are listed until an operator decides, and the audit records the operator", async () => {
      const [first, second] = [await createReported("account:1"), await createReported("account:2")];
      const { data } = await json("reports");
      expect(data.reports).toMatchObject([
        { roleId: first, name: "被举报的人", isHidden: true, reporter: "visitor:1", owner: "account:1" },
        { roleId: second },
      ]);
      expect(data["withdrawn-roles"]).toEqual([]);
      const listed = await ops("reports", "list");
      expect(listed.out).toContain(first);
      expect(listed.out).not.toContain("\u001b");
      expect((await ops("reports", "keep", first)).out).toBe(`${first} is kept`);
      expect((await ops("reports", "withdraw", second, "--operator", "李四")).exitCode).toBe(0);
      expect(await reviewOf(first)).toEqual({ review: "kept", is_shown: true });
      expect(await reviewOf(second)).toEqual({ review: "withdrawn", is_shown: false });
      expect((await json("reports")).data).toMatchObject({
        reports: [],
        "withdrawn-roles": [{ roleId: second, state: "withdrawn", operator: "李四", owner: "account:2" }],
      });
      expect(await audits(first)).toEqual([{ operator: "admin", action: "keep-role", detail: { reports: 1 } }]);
      expect(await audits(second)).toEqual([{ operator: "李四", action: "withdraw-role", detail: { reports: 1 } }]);
      await ops("reports", "keep", second);
      expect(await reviewOf(second)).toEqual({ review: "kept", is_shown: true });
      expect((await ops("reports")).out).toBe("no reports and no withdrawn roles");
    });

    it("are refused for unknown or unreported roles, and for wrong arguments", async () => {
      const stranger = randomUUID();
      for (const act of ["keep", "withdraw"]) {
        expect(await ops("reports", act, stranger)).toMatchObject({ exitCode: 1, error: "no such role" });
      }
      const id = await createReported("account:3");
      await ops("reports", "keep", id);
      await setup.db.updateTable("role").set({ review: null }).where("id", "=", id).execute();
      expect(await ops("reports", "keep", id)).toMatchObject({ exitCode: 1 });
      expect(await audits(stranger)).toEqual([]);
      const before = opened;
      for (const args of [["hide", id], ["keep"], ["withdraw", id, "more"], ["list", "x"]]) {
        expect((await ops("reports", ...args)).exitCode).toBe(2);
      }
      expect(opened).toBe(before);
    });
  });

  describe("refund", () => {
    it("accepts an amount in yuan, and the server sends the refund", async () => {
      const { order, payer } = await buy("svip-month");
      const { data } = await json("refund", order.orderId, "--amount", "33.30", ...why);
      expect(data).toMatchObject({ orderId: order.orderId, amountFen: 3330, state: "DUE" });
      await setup.work(["pay-refund"]);
      expect((await ops("refund", order.orderId, ...why)).out).toContain("of 65.70 yuan is decided");
      await setup.work(["pay-refund"]);
      expect(await payer.result(order)).toBe("refunded");
      expect(await audits(order.orderId)).toMatchObject([
        { operator: "admin", action: "refund", detail: { amountFen: 3330, reason: "asked for" } },
        { operator: "admin", action: "refund", detail: { amountFen: 6570 } },
      ]);
    });

    it("is refused for unknown and unpaid orders and above the paid amount", async () => {
      const { order, payer } = await buy("vip-month");
      const refusals = [
        [[randomUUID()], "no such order"],
        [[order.orderId, "--amount", "39.01"], "at most 39.00 yuan of this order can be refunded"],
        [[(await payer.order("svip-year")).data.orderId], "order is not paid"],
        [["--complete", "nothing"], "no such refund"],
      ] as const;
      for (const [args, error] of refusals)
        expect(await ops("refund", ...args, ...why)).toMatchObject({ exitCode: 1, error });
      expect(await audits(order.orderId)).toEqual([]);
    });

    it("that the gateway reported as failed is completed by an operator", async () => {
      const { order } = await buy("vip-month");
      const { number } = (await json("refund", order.orderId, ...why)).data;
      await setup.db.updateTable("pay_refund").set({ state: "STUCK" }).where("number", "=", number).execute();
      expect(await ops("refund", "--complete", number, ...why)).toMatchObject({
        exitCode: 0,
        out: `refund ${number} is complete`,
      });
      expect((await ops("orders", order.orderId)).out).toMatch(/REFUNDED.*39\.00 +39\.00/);
      expect(await audits(number)).toMatchObject([{ action: "complete-refund" }]);
    });
  });

  describe("orders", () => {
    it("are found by state, account, phone and day", async () => {
      const { order, phone, id, payer } = await buy("svip-year");
      const open = (await payer.order("vip-year")).data;
      const idsOf = async (...args: string[]) =>
        (await json("orders", ...args)).data.map(({ orderId }: { orderId: string }) => orderId);
      expect(await idsOf("--phone", phone)).toEqual([open.orderId, order.orderId]);
      expect(await idsOf("--account", id, "--state", "paid")).toEqual([order.orderId]);
      expect(await idsOf("--account", id, "--limit", "1")).toEqual([open.orderId]);
      expect(await idsOf("--account", id, "--since", "2099-01-01")).toEqual([]);
      expect((await idsOf("--since", "2020-01-01", "--state", "OPEN")).includes(open.orderId)).toBe(true);
      expect((await ops("orders", "--account", randomUUID())).out).toBe("no orders");
    });

    it("include their attempts, refunds and payment anomalies", async () => {
      const { order, payer } = await buy("vip-quarter");
      await payer.order("vip-quarter", { platform: 2 });
      await setup.db
        .insertInto("pay_anomaly")
        .values({
          kind: "late",
          gateway: "sandbox",
          ref: order.orderId,
          order_id: order.orderId,
          detail: JSON.stringify({ after: 3 }),
          created_at: setup.now(),
        })
        .execute();
      const { data } = await json("orders", "--anomalies");
      expect(data).toMatchObject([
        {
          orderId: order.orderId,
          amountFen: 9900,
          paidAt: expect.stringMatching(/\+08:00$/),
          attempts: [{ state: "PAID", method: "wechat", isPayer: true, paidFen: 9900 }],
          anomalies: [{ kind: "late", detail: { after: 3 } }],
        },
      ]);
      const { out } = await ops("orders", order.orderId);
      expect(out).toMatch(/^ORDER +STATE +PACKAGE/);
      expect(out).toMatch(/\n\nATTEMPT +STATE +GATEWAY/);
      expect(out).toMatch(/\n\nANOMALY +GATEWAY[^\n]+\nlate +sandbox/);
      expect(await ops("orders", randomUUID())).toMatchObject({ exitCode: 1, error: "no order has this number" });
    });
  });

  it("reconcile returns an exit code for differences, and anomalies lists the recorded ones", async () => {
    setup.set(new Date("2028-02-29T04:00:00Z"));
    const { id, payer } = await createMember();
    const order = (await payer.order("vip-month")).data;
    await payer.pull(order, "pay");
    await setup.db.deleteFrom("job").execute();
    const day = ["reconcile", "--date", "2028-02-29"];
    const today = await ops(...day);
    expect(today).toMatchObject({ exitCode: 1, error: expect.stringMatching(/^2028-02-29 is not over/) });
    expect(await audits("2028-02-29")).toEqual([]);
    setup.set(new Date("2028-03-01T03:00:00Z"));
    expect(await json(...day)).toMatchObject({
      exitCode: 3,
      data: { differences: [{ kind: "ours-missing", orderId: order.orderId }] },
    });
    expect((await setup.billing.membership(id)).tier).toBe("vip");
    const { exitCode, out } = await ops(...day);
    expect(exitCode).toBe(0);
    expect(out).toBe("2028-02-29: the books agree");
    expect((await ops("anomalies", "--date", "2028-03-01")).out).toMatch(/^ANOMALY[^\n]+\nours-missing/);
    expect(await audits("2028-02-29")).toMatchObject([
      { action: "reconcile", detail: { anomalies: 1 } },
      { action: "reconcile", detail: { anomalies: 0 } },
    ]);
    setup.set(new Date());
  });

  it("users are listed, and found by masked phone", async () => {
    const { id, phone } = await createMember();
    await ops("grant", "--account", id, "--tier", "vip", "--days", "30", ...why);
    const masked = `138****${phone.slice(-4)}`;
    const { data } = await json("users", "--phone", phone);
    expect(data).toMatchObject([
      { accountId: id, phone: masked, tier: "vip", svipUntil: null, charactersLeft: 50_000, charactersUsed: 0 },
    ]);
    const { out } = await ops("users");
    expect(out).toContain(masked);
    expect(out).not.toContain(phone);
    expect(await ops("users", "--phone", "13700000000")).toMatchObject({ exitCode: 1 });
  });

  describe("packages", () => {
    it("are created, priced, withdrawn, and audited", async () => {
      const terms = ["--type", "svip", "--name", "周卡", "--price", "19.9", "--original", "29", "--days", "7"];
      expect(await ops("packages", "create", "svip-week", ...terms)).toMatchObject({
        exitCode: 0,
        out: "svip-week is on sale for 19.90 yuan, number 8",
      });
      expect((await ops("packages", "price", "svip-week", "18")).out).toContain("18.00 yuan");
      const { payer } = await createMember();
      expect((await payer.order("svip-week")).data.price).toBe(1800);
      expect((await ops("packages", "withdraw", "svip-week")).exitCode).toBe(0);
      expect(await payer.order("svip-week")).toMatchObject({ msg: "not-found" });
      const { data } = await json("packages");
      expect(data.at(-1)).toMatchObject({
        code: "svip-week",
        type: "svip",
        priceFen: 1800,
        originalFen: 2900,
        days: 7,
      });
      expect(data.at(-1).withdrawnAt).toMatch(/\+08:00$/);
      expect((await audits("svip-week")).map(({ action }) => action)).toEqual([
        "create-package",
        "price-package",
        "withdraw-package",
      ]);
    });

    it("lose their badge and text by empty options, and keep a name", async () => {
      await ops("packages", "edit", "vip-year", "--badge", "新", "--description", "送一个月");
      expect((await ops("packages")).out).toMatch(/vip-year.*送一个月.*新/);
      expect((await ops("packages", "edit", "vip-year", "--badge", "", "--description", "")).exitCode).toBe(0);
      const { data } = await json("packages");
      expect(data).toContainEqual(expect.objectContaining({ code: "vip-year", badge: "", description: "" }));
      expect((await ops("packages", "edit", "vip-year", "--name", "")).error).toContain("--name is missing");
    });

    it("are refused if withdrawn, unknown or duplicate", async () => {
      const terms = ["--type", "pack", "--name", "加量包", "--price", "1"];
      await ops("packages", "create", "gone", ...terms);
      await ops("packages", "withdraw", "gone");
      const refusals = [
        [["withdraw", "gone"], "the package is withdrawn"],
        [["price", "gone", "5"], "the package is withdrawn"],
        [["price", "never", "5"], "no such package"],
        [["create", "gone", ...terms], "a package has this code or number already"],
        [["create", "other", ...terms, "--number", "1"], "a package has this code or number already"],
      ] as const;
      for (const [args, error] of refusals)
        expect(await ops("packages", ...args)).toMatchObject({ exitCode: 1, error });
      expect(await audits("gone")).toHaveLength(2);
    });
  });

  it("tables align with Chinese text and strip control characters", async () => {
    await setup.db.updateTable("product").set({ badge: "\u001b[2J划算" }).where("code", "=", "vip-month").execute();
    const { out } = await ops("packages");
    expect(out).not.toContain("\u001b");
    const end = (line: string) => [...line].reduce((sum, sign) => sum + (/[\u2e80-\uffe6]/.test(sign) ? 2 : 1), 0);
    const rows = out.split("\n").filter((line) => line.endsWith(" -"));
    expect(new Set(rows.map(end)).size).toBe(1);
  });

  it("doctor and migrate open no database and report lines and an exit code", async () => {
    const before = opened;
    const found = await ops("doctor");
    expect(found.exitCode).toBe(1);
    expect(found.out.split("\n").map((line) => line.trim())).toEqual([
      "ok   clock     0 ms ahead",
      "fail disk      0.1 GiB free",
      "→ make room",
    ]);
    expect(await ops("migrate")).toMatchObject({ exitCode: 0, out: "done: 0000_baseline" });
    expect((await ops("doctor", "now")).exitCode).toBe(2);
    expect(opened).toBe(before);
  });

  it("help needs no database and lists the arguments of each command", async () => {
    const before = opened;
    expect((await ops("--help")).out).toMatch(/reconcile +compare a day's bills/);
    for (const command of ["grant", "refund", "orders", "reconcile", "users", "packages", "doctor", "migrate"])
      for (const line of [
        [command, "--help"],
        ["help", command],
      ])
        expect(await ops(...line)).toMatchObject({
          exitCode: 0,
          out: expect.stringContaining(`npm run ops -- ${command}`),
        });
    expect(opened).toBe(before);
  });

  it("help names the values of options, and which acts demand a reason", async () => {
    const { out } = await ops("refund", "--help");
    for (const form of ["--retry REFUND", "--cancel REFUND", "--payment NUMBER", "--decline ORDER --reason TEXT"])
      expect(out).toContain(`refund ${form}`);
    expect((await ops("users", "--help")).out).toContain("[--after ROW]");
    for (const command of new Set(operationTable.map(({ cli }) => cli.words[0] ?? "")))
      expect((await ops(command, "--help")).out).not.toMatch(/--[a-z-]+ --/);
    expect((await ops("--help")).out).toContain("`COMMAND --help` names it where it is demanded");
  });

  /** A proof whose words were unclear, and whose owner asked for a review. */
  async function askReview(): Promise<string> {
    const insertRecording = async (name: string) => {
      const file = {
        owner: "account:1",
        is_public: false,
        kind: "recording",
        mime: "audio/wav",
        format: "wav",
        bytes: 1,
      } as const;
      const key = `${randomUUID()}.wav`;
      const [id, url] = [randomUUID(), `/api/v1/files/${key}`];
      await setup.db
        .insertInto("media_file")
        .values({ ...file, id, storage_key: key, expires_at: null })
        .execute();
      const row = { file_id: id, owner: "account:1", name, url, duration_ms: 9000, quality: "{}" };
      return (await setup.db.insertInto("recording").values(row).returning("id").executeTakeFirstOrThrow()).id;
    };
    const { id } = await setup.db
      .insertInto("voice_proof")
      .values({
        ...{ owner: "account:1", address: "127.0.0.1", outcome: "unclear", reason: "words", review: "asked" },
        ...{ statement_id: proofStatement.id, statement_version: 1, statement_sha256: proofStatement.sha256 },
        ...{ lines: ["春天 河流", "山坡 桃花"], prompt_sha256: "0", measures: JSON.stringify({ speaker: -8 }) },
        ...{ expires_at: new Date(), submitted_at: new Date(), decided_at: new Date() },
        recording_id: await insertRecording("参考"),
        spoken_id: await insertRecording("验证"),
      })
      .returning("id")
      .executeTakeFirstOrThrow();
    return id;
  }
  const readProof = (id: string) =>
    setup.db
      .selectFrom("voice_proof")
      .select(["review", "reviewed_by", "review_reason"])
      .where("id", "=", id)
      .executeTakeFirstOrThrow();

  it("lists, writes out, accepts and declines proofs that wait for a review", async () => {
    const [accepted, declined] = [await askReview(), await askReview()];
    const folder = mkdtempSync(join(tmpdir(), "ops-proofs-"));
    expect((await ops("proofs")).out).toMatch(new RegExp(`${accepted}.*words[^]*${declined}`));
    const heard = await ops("proofs", "hear", accepted, "--into", folder);
    expect(heard.out).toContain("春天 河流\n山坡 桃花");
    expect(heard.out).toContain('"speaker":-8');
    for (const name of ["reference.wav", "spoken.wav"]) {
      expect(readFileSync(join(folder, name), "utf8")).toMatch(/\.wav$/);
      expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
    }
    rmSync(folder, { recursive: true });
    expect((await ops("proofs", "accept", accepted, "--operator", "li")).out).toContain("is accepted");
    expect(await ops("proofs", "decline", declined)).toMatchObject({
      exitCode: 2,
      error: expect.stringContaining("--reason"),
    });
    expect((await json("proofs", "decline", declined, "--reason", "听不清")).data).toMatchObject({
      review: "declined",
    });
    expect(await readProof(accepted)).toMatchObject({ review: "accepted", reviewed_by: "li" });
    expect(await readProof(declined)).toMatchObject({ review: "refused", review_reason: "听不清" });
    expect(await audits(accepted)).toMatchObject([{ operator: "li", action: "accept-proof" }]);
    expect((await ops("proofs", "accept", declined)).error).toContain("no such proof");
    expect((await ops("proofs")).out).toBe("no proofs");
  });

  it.each([
    [[], "which command?"],
    [["pay"], 'there is no command "pay"'],
    [["constructor"], 'there is no command "constructor"'],
    [["grant", "--tier", "vip", "--days", "3", ...why], "whose?"],
    [["grant", "--account", randomUUID(), "--days", "3", ...why], "--tier"],
    [["grant", "--account", randomUUID(), "--tier", "gold", "--days", "3", ...why], "one of vip, svip"],
    [["grant", "--account", randomUUID(), "--tier", "vip", "--days", "1.5", ...why], "whole number"],
    [["grant", "--account", "7", "--phone", "13800000000", "--characters", "3", ...why], "not both"],
    [["grant", "--phone", "123", "--characters", "3", ...why], "phone number"],
    [["grant", "--nonsense"], "--nonsense"],
    [["refund", "42", ...why], "is not an order's id"],
    [["refund", randomUUID(), "--amount", "1.005", ...why], "not an amount in yuan"],
    [["refund", randomUUID(), "--amount", "0.00", ...why], "not an amount in yuan"],
    [["refund", randomUUID(), "--amount", "1e3", ...why], "not an amount in yuan"],
    [["refund", randomUUID(), "1.00", ...why], "one word too many"],
    [["refund", randomUUID()], "--reason is missing"],
    [["refund", "--retry", "x1y2", "--reason", " "], "--reason is missing"],
    [["refund", "--retry", "x1y2", "--cancel", "x1y2", ...why], "not both"],
    [["refund", "--payment", "x1y2", "--amount", "3", ...why], "without --amount"],
    [["grant", "--account", randomUUID(), "--characters", "3"], "--reason is missing"],
    [["anomalies", "resolve", randomUUID()], "--reason is missing"],
    [["anomalies", "resolve", "7", ...why], "is not an anomaly's id"],
    [["orders", "1;2"], "is not a number of a payment"],
    [["orders", "--state", "lost"], "one of OPEN"],
    [["orders", "--since", "2027-02-29"], "is not a day"],
    [["reconcile"], "--date is missing"],
    [["reconcile", "--date", "yesterday"], "is not a day"],
    [["packages", "create", "x", "--type", "pack", "--name", "x", "--price", "1", "--days", "3"], "no --days"],
    [["packages", "create", "x", "--type", "vip", "--name", "x", "--price", "1"], "--days is missing"],
    [["packages", "withdraw", "x", "--price", "1"], "--price is not for packages withdraw"],
    [["anomalies", "resolve", randomUUID(), "--all", ...why], "--all is not for anomalies resolve"],
    [["orders", "4200001", "--state", "OPEN"], "--state is not for orders NUMBER"],
    [["proofs", "list", "--into", "."], "--into is not for proofs list"],
    [["--nonsense"], "Unknown option '--nonsense'"],
    [["--help", "--nonsense"], "Unknown option '--nonsense'"],
    [["help", "grant", "--nonsense"], "Unknown option '--nonsense'"],
    [["doctor", "--nonsense"], "Unknown option '--nonsense'"],
    [["users", "--operator", " "], "--operator"],
  ])("%j is refused as an invalid command without opening a database", async (args, complaint) => {
    const before = opened;
    const { exitCode, out, error } = await ops(...args);
    expect({ exitCode, out }).toEqual({ exitCode: 2, out: "" });
    expect(error).toContain(complaint);
    expect(opened).toBe(before);
  });
});
