import { beforeEach, expect, test, vi } from "vitest";
import { addEntries, onPopState, openOverlay } from "./back-to-close";

interface EntryState {
  key: string;
  overlay?: { depth: number };
}

/** A session history with asynchronous traversals; the router's listener runs after the overlays'. */
class FakeHistory {
  #entries: EntryState[] = [{ key: "home" }];
  #at = 0;
  readonly seenByRouter: string[] = [];

  get state() {
    return this.#entries[this.#at] as EntryState;
  }

  pushState(state: EntryState) {
    this.#entries.splice(++this.#at, this.#entries.length, state);
  }

  replaceState(state: EntryState) {
    this.#entries[this.#at] = state;
  }

  back() {
    setTimeout(() => this.#go(-1));
  }

  #go(delta: -1 | 1) {
    if (!this.#entries[this.#at + delta]) return;
    this.#at += delta;
    const stopImmediatePropagation = vi.fn();
    onPopState({ stopImmediatePropagation });
    if (stopImmediatePropagation.mock.calls.length === 0) this.#show();
  }

  #show() {
    this.seenByRouter.push(this.state.key);
    addEntries();
  }

  /** A page pushed by the router. */
  visit(key: string) {
    this.pushState({ key });
    addEntries();
  }

  async press(delta: -1 | 1) {
    this.#go(delta);
    await vi.runAllTimersAsync();
  }

  /** Keys with the depths of overlays, and a star at the current one. */
  shape() {
    return this.#entries.map(({ key, overlay }, i) => `${key}${overlay?.depth || ""}${i === this.#at ? "*" : ""}`);
  }
}

let browser: FakeHistory;
let closeAll: Array<() => void>;

/** Opens an overlay that Back closes; returns what closes it otherwise. */
function open(onClosed = () => {}) {
  const remove = openOverlay(() => {
    close();
    onClosed();
  });
  const close = () => {
    closeAll.splice(closeAll.indexOf(close), 1);
    remove();
  };
  closeAll.push(close);
  return close;
}

beforeEach(() => {
  vi.useFakeTimers();
  browser = new FakeHistory();
  closeAll = [];
  vi.stubGlobal("history", browser);
  addEntries();
  browser.visit("square");
  return () => {
    for (const close of [...closeAll]) close();
    vi.unstubAllGlobals();
    vi.useRealTimers();
  };
});

test("an overlay has its entry before the next event, which may be Back", () => {
  open();
  expect(browser.shape()).toEqual(["home", "square", "square1*"]);
});

test("Back closes the top overlay, then the one below, then leaves the page", async () => {
  const closed: string[] = [];
  open(() => closed.push("popover"));
  open(() => closed.push("dialog"));
  expect(browser.shape()).toEqual(["home", "square", "square1", "square2*"]);
  await browser.press(-1);
  expect(closed).toEqual(["dialog"]);
  await browser.press(-1);
  expect(closed).toEqual(["dialog", "popover"]);
  expect(browser.seenByRouter).toEqual([]);
  await browser.press(-1);
  expect(browser.seenByRouter).toEqual(["home"]);
});

test("one Back leaves a page whose overlays were closed by their buttons", async () => {
  const close = open();
  open()();
  close();
  await browser.press(-1);
  expect(browser.shape()[0]).toBe("home*");
  expect(browser.seenByRouter).toEqual(["home"]);
});

test("an overlay takes the entry of one that was closed, and Back closes it", async () => {
  const closed = vi.fn();
  open()();
  open(closed);
  expect(browser.shape()).toEqual(["home", "square", "square1*"]);
  await browser.press(-1);
  expect(closed).toHaveBeenCalledOnce();
  expect(browser.shape()).toEqual(["home", "square*", "square1"]);
});

test("Back closes an overlay that has two entries", async () => {
  const closed = vi.fn();
  const first = open();
  open()();
  first();
  open(closed);
  await browser.press(-1);
  expect(closed).toHaveBeenCalledOnce();
  expect(browser.shape()[1]).toBe("square*");
});

test("an overlay that stays open after Back gets an entry again", async () => {
  closeAll.push(openOverlay(() => {}));
  await browser.press(-1);
  expect(browser.shape()).toEqual(["home", "square", "square1*"]);
});

test("Forward to a closed overlay stays on the page, and Back leaves it from there", async () => {
  open();
  await browser.press(-1);
  await browser.press(1);
  expect(browser.seenByRouter).toEqual([]);
  await browser.press(-1);
  expect(browser.seenByRouter).toEqual(["home"]);
});

test("Back and Forward go between the page and the target of a link in an overlay", async () => {
  const close = open();
  close();
  browser.visit("terms");
  await browser.press(-1);
  await browser.press(1);
  await browser.press(-1);
  expect(browser.seenByRouter).toEqual(["square", "terms", "square"]);
  await browser.press(-1);
  expect(browser.seenByRouter.at(-1)).toBe("home");
});

test("an overlay that stays open on the next page has its entry there", async () => {
  const closed = vi.fn();
  open(closed);
  browser.visit("terms");
  expect(browser.shape()).toEqual(["home", "square", "square1", "terms", "terms1*"]);
  await browser.press(-1);
  expect(closed).toHaveBeenCalledOnce();
  expect(browser.seenByRouter).toEqual([]);
});

test("an overlay opened after the router replaced the entry belongs to the new page", async () => {
  open()();
  browser.replaceState({ key: "search" });
  addEntries();
  open();
  expect(browser.shape()).toEqual(["home", "square", "search", "search1*"]);
  await browser.press(-1);
  await browser.press(-1);
  expect(browser.seenByRouter).toEqual(["square"]);
});
