import { expect, test } from "vitest";
import { answerWithEvents } from "./events.server";
import { UpstreamRefusal } from "./refusal.server";

function visit() {
  const leaving = new AbortController();
  const closing = new AbortController();
  const request = new Request("http://localhost/bff/events", { signal: leaving.signal });
  return { leaving, closing, parts: { request, closing: closing.signal } };
}

const forever = (signal: AbortSignal) =>
  new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));

test("what is told arrives, then the end", async () => {
  const { parts } = visit();
  const answer = answerWithEvents({ ...parts, tellAll: async (tell) => tell("task", { number: 1 }) });
  expect(answer.headers.get("content-type")).toBe("text/event-stream");
  expect(await answer.text()).toBe('event: heartbeat\ndata: \n\nevent: task\ndata: {"number":1}\n\n');
});

test("an answer to somebody who has left, or of a server that closes, ends at once", async () => {
  for (const over of ["leaving", "closing"] as const) {
    const { parts, ...controllers } = visit();
    controllers[over].abort();
    expect(await answerWithEvents({ ...parts, tellAll: () => new Promise(() => {}) }).text()).toBe("");
  }
});

test("what goes wrong is told as a refusal", async () => {
  const { parts } = visit();
  const tellAll = () => Promise.reject(new UpstreamRefusal({ code: "login-expired" }));
  const answer = answerWithEvents({ ...parts, tellAll });
  expect(await answer.text()).toContain('event: refusal\ndata: {"code":"login-expired"}');
});

test.each(["its reader cancels", "the visitor leaves", "the server closes"])(
  "telling ends when %s, once",
  async (way) => {
    const { leaving, closing, parts } = visit();
    let ended = 0;
    const tellAll = async (_tell: unknown, signal: AbortSignal) => {
      await forever(signal);
      ended++;
    };
    const { body } = answerWithEvents({ ...parts, tellAll });
    if (way === "its reader cancels") await body?.cancel();
    if (way === "the server closes") closing.abort();
    // A host tells of a visitor who left in both ways: neither may throw after the other.
    leaving.abort();
    await new Promise((resolve) => setTimeout(resolve));
    expect(ended).toBe(1);
  },
);
