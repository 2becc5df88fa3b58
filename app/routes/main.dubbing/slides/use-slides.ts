import { useCallback, useEffect, useRef, useState } from "react";
import { slidesCopy as copy } from "~/copy/slides";
import { notify } from "~/features/toasts/notify";
import { askToConfirm } from "~/state/dialog-requests";
import { videoPagesMax } from "~server/contract/limits";
import { createHistory } from "../editor/edits";
import { isBlank, type ScriptLine } from "../editor/script";
import type { ScriptStore } from "../editor/store";
import type { DubSession } from "../use-dub-session";
import { type Deck, saveDeck, toLines } from "./deck";
import type { OpenedSlides } from "./open-slides";
import type { SlideText } from "./pptx";

/** The opened file, the page that is shown, and the pages that are left out. */
export function useSlides(session: DubSession, storedDeck: Deck | null, announce: (text: string) => void) {
  const { store } = session.editor;
  const [deck, setDeck] = useState(storedDeck);
  const [shownId, show] = useState(() => store.get().lines[0]?.id ?? "");
  const [reading, setReading] = useState<string | null>(null);
  const latest = useRef({ deck, session });
  useEffect(() => {
    latest.current = { deck, session };
  });

  const keepDeck = async (next: Deck) => {
    setDeck(next);
    if (!(await saveDeck(next))) notify({ kind: "warning", text: copy.notStored });
  };

  const replaceAll = async (name: string, opened: Exclude<OpenedSlides, { kind: "fault" }>) => {
    const { lines, title } = store.get();
    const isWritten = latest.current.deck !== null && lines.some((line) => !isBlank(line));
    const question = { title: copy.replaceTitle, text: copy.replaceText, confirm: copy.replace };
    if (isWritten && !(await askToConfirm(question))) return;
    const { cast, selection } = latest.current.session;
    const next = toLines(opened.slides, cast.defaultRoleId());
    await keepDeck(toDeck(name, opened));
    // Without the earlier history: undoing would show the former texts beside the new pages.
    store.history.set(createHistory({ title: name || title, lines: next }));
    selection.select(null);
    show(next[0]?.id ?? "");
    reportOpened(opened);
  };

  const openFile = async (file: File) => {
    setReading(file.name);
    const opener = await import("./open-slides").catch(() => null);
    const opened: OpenedSlides = opener ? await opener.openSlides(file) : { kind: "fault", fault: "not-now" };
    setReading(null);
    if (opened.kind === "fault") return notify({ kind: "error", text: copy.faults[opened.fault] });
    const now = latest.current.deck;
    const name = file.name.replace(/\.[^.]+$/, "");
    if (now && !now.pdf && opened.kind === "pdf") {
      const visible = now.titles.length - now.hiddenInShow.length;
      const isSame = opened.total === now.titles.length || opened.total === visible;
      if (!isSame) notify({ kind: "warning", text: copy.otherCount(opened.total, now.titles.length) });
      return void keepDeck({ ...now, pdf: opened.file });
    }
    const isSameShow = now?.pdf && opened.kind === "pptx" && now.titles.length === opened.slides.length;
    const question = { title: copy.scriptsTitle, text: copy.scriptsText, confirm: copy.replace };
    if (isSameShow && (await askToConfirm(question)))
      return store.edit({ type: "texts", contents: textsByLine(store.get().lines, opened.slides) });
    await replaceAll(name, opened);
  };

  return { deck, reading, shownId, show, openFile, ...usePageEdits(store, show, announce) };
}

/** Moves, hides and removes pages. */
function usePageEdits(store: ScriptStore, show: (id: string) => void, announce: (text: string) => void) {
  const move = useCallback(
    (id: string, step: -1 | 1) => {
      const from = store.get().lines.findIndex((line) => line.id === id);
      const to = from + step;
      if (from < 0 || to < 0 || to >= store.get().lines.length) return;
      store.edit({ type: "move", id, to });
      announce(copy.moved(from + 1, to + 1));
    },
    [store, announce],
  );
  return {
    move,
    setHiddenPage({ id, content, hiddenText }: ScriptLine, isHidden: boolean) {
      const change = isHidden
        ? { content: "", hiddenText: content }
        : { content: hiddenText ?? "", hiddenText: undefined };
      store.edit({ type: "set", ids: [id], change });
    },
    isHidden: ({ hiddenText }: ScriptLine) => hiddenText !== undefined,
    remove(id: string) {
      const { lines } = store.get();
      const index = lines.findIndex((line) => line.id === id);
      show((lines[index + 1] ?? lines[index - 1])?.id ?? "");
      store.edit({ type: "remove", ids: [id] });
      announce(copy.removed(index + 1));
    },
  };
}

export type SlidesDeck = ReturnType<typeof useSlides>;

const toDeck = (name: string, opened: Exclude<OpenedSlides, { kind: "fault" }>): Deck => ({
  name,
  pdf: opened.kind === "pdf" ? opened.file : null,
  titles: opened.slides.map(({ title }) => title),
  hiddenInShow:
    opened.kind === "pptx" ? opened.slides.flatMap(({ isHidden }, index) => (isHidden ? [index + 1] : [])) : [],
});

const textsByLine = (lines: readonly ScriptLine[], slides: readonly SlideText[]) =>
  new Map(
    lines.flatMap(({ id, page = 0, hiddenText }): Array<[string, string]> => {
      const text = slides[page - 1]?.text;
      return text && hiddenText === undefined ? [[id, text]] : [];
    }),
  );

function reportOpened({ slides, total }: Exclude<OpenedSlides, { kind: "fault" }>) {
  const blank = slides.filter(({ text }) => text === "").length;
  if (total > videoPagesMax) notify({ kind: "warning", text: copy.tooMany(total) });
  else notify({ kind: "success", text: copy.opened(slides.length) });
  if (blank > 0) notify({ kind: "info", text: copy.scanned(blank) });
}
