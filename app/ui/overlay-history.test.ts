import { beforeEach, expect, test, vi } from "vitest";
import { createOverlayHistory, type HistoryWindow } from "./overlay-history";

type State = { idx: number; key: string; overlayDepth?: number };

/** A fake session history: traversals are asynchronous, and the router's listener runs after the overlays'. */
function createBrowser(first: State = { idx: 0, key: "home" }, traversalMs = 5) {
  const entries: State[] = [first];
  let at = 0;
  const listeners: Array<(event: Event) => void> = [];
  const seenByRouter: string[] = [];
  const history: HistoryWindow["history"] = {
    get state() {
      return entries[at];
    },
    pushState: (state) => {
      entries.splice(++at, entries.length, state);
    },
    replaceState: (state) => {
      entries[at] = state;
    },
    go: (delta = 0) => {
      setTimeout(() => {
        if (!entries[at + delta]) return;
        at += delta;
        let isStopped = false;
        const event = { stopImmediatePropagation: () => (isStopped = true) } as unknown as Event;
        for (const listener of listeners) listener(event);
        if (!isStopped) seenByRouter.push(String(entries[at]?.key));
      }, traversalMs);
    },
  };
  const window: HistoryWindow = {
    history,
    addEventListener: (_type, listener) => void listeners.push(listener),
    setTimeout: (run, ms) => setTimeout(run, ms),
  };
  const visit = (key: string) => history.pushState({ idx: (history.state as State).idx + 1, key }, "");
  const press = async (delta: -1 | 1) => {
    history.go(delta);
    await vi.advanceTimersByTimeAsync(50);
  };
  const shape = () => entries.map(({ key, overlayDepth }, i) => `${key}${overlayDepth ?? ""}${i === at ? "*" : ""}`);
  return { window, visit, seenByRouter, shape, back: () => press(-1), forward: () => press(1) };
}

const settle = () => vi.advanceTimersByTimeAsync(50);

function openBrowser(first?: State) {
  const browser = createBrowser(first);
  const overlays = createOverlayHistory(browser.window);
  const open = (close = () => {}) => {
    const remove: () => void = overlays.open({
      close: () => {
        remove();
        close();
      },
    });
    return remove;
  };
  return { ...browser, open, overlays };
}

beforeEach(() => {
  vi.useFakeTimers();
  return () => vi.useRealTimers();
});

test("an overlay has its history entry before the next event, which may be Back", () => {
  const { open, shape } = openBrowser();
  open();
  expect(shape()).toEqual(["home", "home1*"]);
});

test("a slow traversal after a reload is not repeated, which would leave the page", async () => {
  const { window, visit, shape } = createBrowser({ idx: 0, key: "elsewhere" }, 3000);
  visit("person");
  window.history.pushState({ ...window.history.state, overlayDepth: 1 }, "");
  createOverlayHistory(window);
  await vi.advanceTimersByTimeAsync(1500);
  // The router does the same.
  window.history.replaceState(window.history.state, "");
  await vi.advanceTimersByTimeAsync(9000);
  expect(shape()).toEqual(["elsewhere", "person*", "person0"]);
});

test("Back closes the top overlay, then the one below, then leaves the page", async () => {
  const { open, visit, back, shape, seenByRouter } = openBrowser();
  visit("square");
  const closed: string[] = [];
  open(() => closed.push("login"));
  await settle();
  open(() => closed.push("question"));
  await settle();
  expect(shape()).toEqual(["home", "square", "square1", "square2*"]);
  await back();
  expect(closed).toEqual(["question"]);
  await back();
  expect(closed).toEqual(["question", "login"]);
  expect(seenByRouter).toEqual([]);
  await back();
  expect(seenByRouter).toEqual(["home"]);
});

test("an overlay closed by its button removes its history entry", async () => {
  const { open, visit, back, shape, seenByRouter } = openBrowser();
  visit("square");
  const close = open();
  await settle();
  close();
  await settle();
  expect(shape()).toEqual(["home", "square*", "square1"]);
  await back();
  expect(seenByRouter).toEqual(["home"]);
});

test("an overlay that replaces another one reuses its history entry", async () => {
  const { open, shape } = openBrowser();
  const close = open();
  await settle();
  close();
  open();
  await settle();
  expect(shape()).toEqual(["home", "home1*"]);
});

test("an overlay that stays open after Back gets a new history entry", async () => {
  const { overlays, back, shape } = openBrowser();
  overlays.open({ close: () => {} });
  await settle();
  await back();
  expect(shape()).toEqual(["home", "home1*"]);
});

test("Forward to a closed overlay stays on the page", async () => {
  const { open, back, forward, shape, seenByRouter } = openBrowser();
  open();
  await settle();
  await back();
  await forward();
  expect(shape()).toEqual(["home*", "home1"]);
  expect(seenByRouter).toEqual([]);
});

test("a link inside an overlay replaces its history entry, and Back and Forward move between pages", async () => {
  const { open, visit, back, forward, shape, seenByRouter } = openBrowser();
  const close = open();
  await settle();
  visit("terms");
  close();
  await settle();
  expect(shape()).toEqual(["home", "terms*"]);
  await back();
  await forward();
  expect(seenByRouter).toEqual(["home", "terms"]);
});

test("a page pushed while a closed overlay's entry is being removed stays", async () => {
  const { open, visit, back, shape, seenByRouter } = openBrowser();
  const close = open();
  await settle();
  close();
  await vi.advanceTimersByTimeAsync(1);
  visit("terms");
  await settle();
  expect(shape()).toEqual(["home", "terms*"]);
  expect(seenByRouter).toEqual([]);
  await back();
  expect(seenByRouter).toEqual(["home"]);
});

test("an open overlay's history entry is removed after a reload", async () => {
  const { window, shape } = createBrowser();
  window.history.pushState({ idx: 0, key: "home", overlayDepth: 1 }, "");
  createOverlayHistory(window);
  await settle();
  expect(shape()).toEqual(["home*", "home1"]);
});

test("a traversal without a target does not swallow the next one", async () => {
  const { visit, back, seenByRouter } = openBrowser({ idx: 0, key: "home", overlayDepth: 1 });
  await vi.advanceTimersByTimeAsync(1100);
  visit("square");
  visit("terms");
  await back();
  expect(seenByRouter).toEqual(["square"]);
});
