import { beforeEach, describe, expect, it } from "vitest";
import { withBreaker } from "./breaker";
import { type Gateway, GatewayError, type GatewayFault } from "./gateway";

describe("a gateway's breaker", () => {
  let now = 0;
  let asked = 0;
  let next: () => Promise<{ state: "unpaid" }>;
  let gateway: Gateway;
  beforeEach(() => {
    now = 0;
    asked = 0;
    next = answer;
    const query = () => {
      asked++;
      return next();
    };
    const payers = { identify: query };
    gateway = withBreaker({ name: "wechat", query, createPayment: query, payers } as unknown as Gateway, () => now);
  });

  const answer = async () => ({ state: "unpaid" as const });
  const fault = (kind: GatewayFault) => async () => {
    throw new GatewayError(kind, "no", { isSilent: kind !== "refused" });
  };
  const unusable = async () => {
    throw new GatewayError("timeout", "an answer of another shape");
  };
  const query = (signal?: AbortSignal) =>
    gateway.query("number", signal).then(
      () => "answered",
      (error) => (error.retryAfterSeconds === undefined ? error.fault : `in ${error.retryAfterSeconds} s`),
    );
  const breakIt = async () => {
    next = fault("timeout");
    for (let i = 0; i < 3; i++) expect(await query()).toBe("timeout");
  };

  it("fails calls at once after three without an answer and reports when to retry", async () => {
    await breakIt();
    expect(await query()).toBe("in 10 s");
    now += 4000;
    expect([await query(), asked]).toEqual(["in 6 s", 3]);
  });

  it("goes on with payments while payers cannot be identified, and the other way round", async () => {
    const identify = () => gateway.payers?.identify("code").catch((error) => error.message);
    next = fault("timeout");
    for (let i = 0; i < 3; i++) await identify();
    expect(await identify()).toMatch(/no answer 3 times/);
    next = answer;
    expect(await query()).toBe("answered");
    now += 10_000;
    await breakIt();
    next = answer;
    expect(await identify()).toEqual({ state: "unpaid" });
  });

  it("allows one call after the pause, and all calls after its answer", async () => {
    await breakIt();
    now += 10_000;
    let arrive = () => {};
    next = () =>
      new Promise((resolve) => {
        arrive = () => resolve({ state: "unpaid" });
      });
    const trial = query();
    expect(await query()).toBe("in 5 s");
    arrive();
    expect(await trial).toBe("answered");
    next = answer;
    expect(await Promise.all([query(), query()])).toEqual(["answered", "answered"]);
  });

  it("opens again when that call gets no answer", async () => {
    await breakIt();
    now += 10_000;
    expect(await query()).toBe("timeout");
    expect([await query(), asked]).toEqual(["in 10 s", 4]);
  });

  it("stays closed for unusable answers about one trade, and opens for unusable answers to new payments", async () => {
    next = unusable;
    for (let i = 0; i < 9; i++) expect(await query()).toBe("timeout");
    const create = () => gateway.createPayment({} as Parameters<Gateway["createPayment"]>[0]).catch(() => {});
    for (let i = 0; i < 3; i++) await create();
    expect([await query(), asked]).toEqual(["in 10 s", 12]);
  });

  it("stays closed for refusals, single errors and calls that the caller aborted", async () => {
    for (const kind of ["timeout", "unreachable", "refused", "timeout", "timeout"] as const) {
      next = fault(kind);
      expect(await query()).toBe(kind);
    }
    next = answer;
    expect(await query()).toBe("answered");
    next = fault("timeout");
    for (let i = 0; i < 10; i++) expect(await query(AbortSignal.abort())).toBe("timeout");
    expect(asked).toBe(16);
  });
});
