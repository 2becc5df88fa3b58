import { expect, test } from "vitest";
import { type CallName, calls } from "../contract/calls/table";
import { createCapabilities } from "./capabilities.server";
import { UpstreamRefusal } from "./refusal.server";

const extensions = (Object.keys(calls) as CallName[]).filter((name) => calls[name].confidence === "O");
const own = { calls: extensions, engine: "embedded", isLabelled: true, vendors: [] };

test("capabilities include the extensions that the upstream lists", async () => {
  const store = createCapabilities({ ask: async () => ({ ...own, calls: ["orders"] }) });
  const capabilities = await store.read();
  expect(capabilities).toMatchObject({ engine: "embedded", isLabelled: true });
  expect(capabilities.missing).not.toContain("orders");
  expect(capabilities.missing).toContain("ledger");
  expect(() => store.require("orders")).not.toThrow();
  expect(() => store.require("ledger")).toThrow(UpstreamRefusal);
});

test("without the capabilities call every extension is missing, but no call of the specification", async () => {
  const store = createCapabilities({ ask: async () => null });
  const { missing } = await store.read();
  expect(missing).toEqual(extensions);
  expect(() => store.require("cloneCreate")).not.toThrow();
});

test("capabilities are read once and again in the background after ten minutes", async () => {
  let now = 0;
  let asked = 0;
  const answers = [null, own];
  const store = createCapabilities({ ask: async () => answers[asked++] ?? null, now: () => now });
  await Promise.all([store.read(), store.read()]);
  now = 599_000;
  await store.read();
  expect(asked).toBe(1);
  now = 600_000;
  expect((await store.read()).missing).toEqual(extensions);
  expect((await store.read()).missing).toEqual([]);
  expect(asked).toBe(2);
});

test("capabilities are read again within seconds while a natural voice is on its way, and at once on a sign", async () => {
  let now = 0;
  let engine = "embedded";
  const store = createCapabilities({ ask: async () => ({ ...own, engine }), now: () => now });
  await store.read();
  engine = "other";
  now = 5_000;
  await store.read();
  await expect.poll(async () => (await store.read()).engine).toBe("other");
  engine = "embedded";
  now = 10_000;
  expect((await store.read()).engine).toBe("other");
  await store.renew();
  expect((await store.read()).engine).toBe("embedded");
});

test("capabilities count as present while the upstream is unreachable, and are soon read again", async () => {
  let now = 0;
  let asked = 0;
  const store = createCapabilities({
    async ask() {
      asked += 1;
      if (asked === 1) throw new Error("unreachable");
      return null;
    },
    now: () => now,
  });
  expect((await store.read()).missing).toEqual([]);
  await store.read();
  expect(asked).toBe(1);
  now = 5_000;
  expect((await store.read()).missing).toEqual(extensions);
});

test("a page is not blocked by an upstream that never answers", async () => {
  const store = createCapabilities({ ask: () => new Promise(() => {}), waitMs: 1 });
  expect(await store.read()).toMatchObject({ missing: [], engine: "", isLabelled: false });
});

test("a missing call is cached for ten minutes", async () => {
  let now = 0;
  const store = createCapabilities({ ask: async () => own, now: () => now });
  store.learnMissing("orders");
  expect((await store.read()).missing).toEqual(["orders"]);
  now = 600_000;
  expect((await store.read()).missing).toEqual([]);
});
