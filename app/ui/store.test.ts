import { afterEach, beforeEach, expect, test, vi } from "vitest";

/** A browser whose storage outlives its documents. */
const storages = { sessionStorage: new Map<string, string>(), localStorage: new Map<string, string>() };

function toStorage(texts: Map<string, string>) {
  const methods = {
    getItem: (key: string) => texts.get(key) ?? null,
    setItem: (key: string, text: string) => void texts.set(key, text),
    removeItem: (key: string) => void texts.delete(key),
  };
  return new Proxy(methods, {
    ownKeys: () => [...texts.keys()],
    getOwnPropertyDescriptor: () => ({ enumerable: true, configurable: true }),
  });
}

/** A new document for an account's key, or null for a visitor. */
async function openFor(owner: string | null | undefined) {
  vi.resetModules();
  const store = await import("./store");
  store.openDocument(owner);
  const draft = store.createSavedText(store.owned("draft"));
  const project = store.createSavedText(store.owned("project"), "local");
  return { ...store, draft, project, setting: store.createSavedText("setting", "local") };
}

beforeEach(() => {
  vi.stubGlobal("document", {});
  for (const [name, texts] of Object.entries(storages)) {
    texts.clear();
    vi.stubGlobal(name, toStorage(texts));
  }
});
afterEach(() => void vi.unstubAllGlobals());

test("an account finds its own texts again, and the next people do not", async () => {
  const first = await openFor("a");
  first.draft.write("甲的草稿");
  first.project.write("p1");
  first.setting.write("on");
  for (const next of [null, "b"]) {
    const { draft, project, setting } = await openFor(next);
    expect([draft.read(), project.read(), setting.read()], String(next)).toEqual([null, null, "on"]);
  }
  const { draft, project } = await openFor("a");
  expect([draft.read(), project.read()]).toEqual(["甲的草稿", "p1"]);
});

test("what a visitor saved belongs to the account that logs in, and to nobody else afterwards", async () => {
  (await openFor("a")).draft.write("旧");
  const visitor = await openFor(null);
  visitor.draft.write("登录前写的");
  visitor.project.write("p2");
  const { draft, project } = await openFor("a");
  expect([draft.read(), project.read()]).toEqual(["登录前写的", "p2"]);
  expect((await openFor(null)).draft.read()).toBeNull();
  expect((await openFor("b")).draft.read()).toBeNull();
});

test("a document keeps its owner, and one of another owner is noticed", async () => {
  const { draft, openDocument, isOthersDocument } = await openFor("a");
  expect(["a", undefined, "b", null].map(isOthersDocument)).toEqual([false, false, true, true]);
  draft.write("甲");
  openDocument("b");
  expect(draft.read()).toBe("甲");
  const unknown = await openFor(undefined);
  expect(unknown.isOthersDocument("a")).toBe(false);
});

test("a login from before there were keys reads the plain names, which the next login takes over", async () => {
  expect((await openFor("")).ownedKey("draft")).toBe("draft");
  expect((await openFor("")).claimedKey("draft")).toBeNull();
  expect((await openFor(null)).claimedKey("draft")).toBeNull();
  const { claimedKey } = await openFor("a");
  expect(["draft", "visitor/draft", "a/draft", "b/draft"].map(claimedKey)).toEqual(["a/draft", "a/draft", null, null]);
});

test("a deleted account's texts are removed, and no others", async () => {
  (await openFor("b")).draft.write("乙");
  const { draft, setting, forgetSavedTexts } = await openFor("a");
  draft.write("甲");
  setting.write("on");
  forgetSavedTexts();
  expect([draft.read(), setting.read()]).toEqual([null, "on"]);
  expect((await openFor("b")).draft.read()).toBe("乙");
});
