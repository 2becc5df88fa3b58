import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createLine } from "./script";
import { createLineSelection, findRowKeyAction } from "./selection";
import { createScriptStore } from "./store";

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("document", { activeElement: null });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function createRows(count: number) {
  const lines = Array.from({ length: count }, () => createLine({ roleId: "r1" }));
  const store = createScriptStore({ title: "", lines });
  const selection = createLineSelection(store);
  const marked = new Set<string>();
  const bind = (id: string) => {
    const toggleAttribute = (_: string, isOn: boolean) => (isOn ? marked.add(id) : marked.delete(id));
    selection.bindRow(id, { toggleAttribute, contains: () => false, querySelector: () => null } as never);
  };
  for (const { id } of lines) bind(id);
  return { store, selection, marked, lines, bind };
}

test("selecting all lines selects them at once and marks their rows in several tasks", () => {
  const { selection, marked } = createRows(100);
  selection.selectAll();
  expect(selection.list()).toHaveLength(100);
  expect(marked.size).toBeGreaterThan(0);
  expect(marked.size).toBeLessThan(100);
  vi.runAllTimers();
  expect(marked.size).toBe(100);
});

test("a selection that is cleared before all rows are marked leaves none marked", () => {
  const { selection, marked } = createRows(100);
  selection.selectAll();
  selection.clear();
  vi.runAllTimers();
  expect(marked.size).toBe(0);
});

test("a row that returns after it was removed while selected is not marked", () => {
  const { store, selection, marked, lines, bind } = createRows(3);
  const id = lines[1]?.id ?? "";
  selection.selectAll();
  selection.bindRow(id, null);
  store.edit({ type: "remove", ids: [id] });
  selection.clear();
  marked.delete(id);
  bind(id);
  vi.runAllTimers();
  expect(marked.has(id)).toBe(false);
});

test("keys with a command key or Alt do nothing to the lines", () => {
  vi.stubGlobal("HTMLTextAreaElement", class {});
  const { store, selection, lines } = createRows(2);
  selection.selectAll();
  const target = { closest: () => ({ dataset: { line: lines[0]?.id } }), matches: () => true };
  const options = { isDragging: () => false, onRemove: () => {} } as never;
  const actionOf = (key: string, held: object) =>
    findRowKeyAction({ target, key, ...held } as never, { selection, store, options });
  for (const key of ["ArrowDown", "Delete", "Escape"]) {
    expect(actionOf(key, {})).toBeInstanceOf(Function);
    for (const held of [{ ctrlKey: true }, { metaKey: true }, { altKey: true }]) expect(actionOf(key, held)).toBeNull();
  }
});
