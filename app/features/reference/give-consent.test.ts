import { afterEach, expect, test, vi } from "vitest";
import { createConsentCalls } from "./give-consent";

afterEach(() => vi.unstubAllGlobals());

const answer = (attempt: unknown) => vi.stubGlobal("fetch", async () => Response.json({ attempt }));
const verdict = (outcome: string) => ({ outcome, reason: null, triesLeft: 2, canAskReview: false });

test("a yes closes the question, also where the server had not closed it when it began to answer", async () => {
  const onDone = vi.fn();
  const calls = createConsentCalls("token", onDone);
  for (const result of [verdict("judging"), verdict("no")]) {
    answer(result);
    expect(await calls.result("prompt")).toEqual(result);
  }
  expect(onDone).not.toHaveBeenCalled();
  for (const result of [verdict("yes"), null]) {
    answer(result);
    expect(await calls.result("prompt")).toBeNull();
  }
  expect(onDone).toHaveBeenCalledTimes(2);
});
