import { expect, it } from "vitest";
import { createEventPoller } from "./event-poller";

interface Event {
  id: number;
  owner: string;
}

/** Each poll waits for its result. */
function createPolls() {
  const waiting: Array<(result: { newest: number; events: Event[] | null } | Error) => void> = [];
  const afters: Array<number | undefined> = [];
  const errors: unknown[] = [];
  const poller = createEventPoller<Event>({
    poll: (after) =>
      new Promise((resolve, reject) => {
        afters.push(after);
        waiting.push((result) => (result instanceof Error ? reject(result) : resolve(result)));
      }),
    onError: (error) => errors.push(error),
  });
  const answer = async (result: { newest: number; events: Event[] | null } | Error) => {
    await expect.poll(() => waiting.length).toBe(1);
    waiting.shift()?.(result);
    poller.wake();
    await expect.poll(() => waiting.length).toBe(1);
  };
  const listen = (owner: string) => {
    const received: Array<number[] | null> = [];
    const end = poller.subscribe(owner, (events) => received.push(events?.map(({ id }) => id) ?? null));
    return { received, end };
  };
  return { answer, listen, afters, errors, finish: () => waiting.shift()?.({ newest: 0, events: [] }) };
}

it("passes each owner's events only to that owner's subscribers, and to all of them", async () => {
  const { answer, listen, finish } = createPolls();
  const [first, second, other] = [listen("a"), listen("a"), listen("b")];
  await answer({ newest: 1, events: [] });
  await answer({
    newest: 3,
    events: [
      { id: 2, owner: "a" },
      { id: 3, owner: "a" },
    ],
  });
  expect([first.received, second.received, other.received]).toEqual([[null, [2, 3]], [null, [2, 3]], [null]]);
  for (const { end } of [first, second, other]) end();
  finish();
});

it("has a subscriber read its stored events when it came during a poll or too many events came", async () => {
  const { answer, listen, finish } = createPolls();
  const early = listen("a");
  await answer({ newest: 1, events: [] });
  const late = listen("a");
  await answer({ newest: 2, events: [{ id: 2, owner: "a" }] });
  expect([early.received, late.received]).toEqual([[null, [2]], [null]]);
  await answer({ newest: 9000, events: null });
  expect([early.received, late.received]).toEqual([
    [null, [2], null],
    [null, null],
  ]);
  for (const { end } of [early, late]) end();
  finish();
});

it("polls from the same number again after an error", async () => {
  const { answer, listen, afters, errors, finish } = createPolls();
  const one = listen("a");
  await answer({ newest: 5, events: [] });
  await answer(new Error("the database is away"));
  await answer({ newest: 6, events: [{ id: 6, owner: "a" }] });
  expect(afters.slice(0, 3)).toEqual([undefined, 5, 5]);
  expect(errors).toHaveLength(1);
  expect(one.received).toEqual([null, [6]]);
  one.end();
  finish();
});
