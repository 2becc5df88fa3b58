import { expect, test } from "vitest";
import { respondWithEvents } from "./events.server";
import { UpstreamRefusal } from "./refusal.server";

function visit() {
  const leaving = new AbortController();
  const closing = new AbortController();
  const request = new Request("http://localhost/bff/events", { signal: leaving.signal });
  return { leaving, closing, parts: { request, closing: closing.signal } };
}

const forever = (signal: AbortSignal) =>
  new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));

test("events are sent, then the response ends", async () => {
  const { parts } = visit();
  const answer = respondWithEvents({ ...parts, sendAll: async (send) => send("task", { number: 1 }) });
  expect(answer.headers.get("content-type")).toBe("text/event-stream");
  expect(await answer.text()).toBe('event: heartbeat\ndata: \n\nevent: task\ndata: {"number":1}\n\n');
});

test("a response ends at once if the visitor has disconnected or the server is closing", async () => {
  for (const over of ["leaving", "closing"] as const) {
    const { parts, ...controllers } = visit();
    controllers[over].abort();
    expect(await respondWithEvents({ ...parts, sendAll: () => new Promise(() => {}) }).text()).toBe("");
  }
});

test("an error becomes a refusal event", async () => {
  const { parts } = visit();
  const sendAll = () => Promise.reject(new UpstreamRefusal({ code: "login-expired" }));
  const answer = respondWithEvents({ ...parts, sendAll });
  expect(await answer.text()).toContain('event: refusal\ndata: {"code":"login-expired"}');
});

test.each(["its reader cancels", "the visitor leaves", "the server closes"])(
  "an event stream ends once when %s",
  async (way) => {
    const { leaving, closing, parts } = visit();
    let ended = 0;
    const sendAll = async (_send: unknown, signal: AbortSignal) => {
      await forever(signal);
      ended++;
    };
    const { body } = respondWithEvents({ ...parts, sendAll });
    if (way === "its reader cancels") await body?.cancel();
    if (way === "the server closes") closing.abort();
    // The host reports a disconnect in both ways; the second must not throw.
    leaving.abort();
    await new Promise((resolve) => setTimeout(resolve));
    expect(ended).toBe(1);
  },
);
