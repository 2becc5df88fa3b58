import { useCallback, useEffect, useRef, useState } from "react";
import { keep, readKept } from "~/features/draft/draft";
import { type Draft, draftKey, parseDraft } from "./draft";

export type Keeping = "saved" | "saving" | "conflict";

interface Options {
  /** The revision this tab began with. */
  revision: string;
  /** What is to be kept now, without its revision. */
  read(): Omit<Draft, "revision">;
  /** Another tab has written something newer, and this one had nothing of its own. */
  onAdopt(draft: Draft): void;
}

const settleMs = 300;
const newRevision = () => `${Date.now().toString(36)}-${Math.random().toString(36).slice(2)}`;

/**
 * Keeps the draft a moment after each change. Two tabs with one script: the tab that changed nothing follows the other;
 * where both did, nothing is written over until somebody chooses.
 */
export function useKeptDraft({ revision, read, onAdopt }: Options) {
  const [keeping, setKeeping] = useState<Keeping>("saved");
  const state = useRef({ known: revision, isDirty: false, isTorn: false });
  const timer = useRef<ReturnType<typeof setTimeout>>();
  const channel = useRef<BroadcastChannel | null>(null);
  const latest = useRef({ read, onAdopt });
  latest.current = { read, onAdopt };

  const write = useCallback(async (isForced = false) => {
    clearTimeout(timer.current);
    const { known, isDirty, isTorn } = state.current;
    if (!isForced && (!isDirty || isTorn)) return;
    if (!isForced && (await readRevision()) !== known && known !== "") {
      state.current.isTorn = true;
      return setKeeping("conflict");
    }
    const next = newRevision();
    state.current = { known: next, isDirty: false, isTorn: false };
    await keep(draftKey, { revision: next, ...latest.current.read() });
    channel.current?.postMessage(next);
    setKeeping(state.current.isDirty ? "saving" : "saved");
  }, []);

  /** Something changed. */
  const touch = useCallback(() => {
    state.current.isDirty = true;
    if (state.current.isTorn) return;
    setKeeping("saving");
    clearTimeout(timer.current);
    timer.current = setTimeout(() => void write(), settleMs);
  }, [write]);

  const adopt = useCallback(async () => {
    const theirs = parseDraft(await readKept(draftKey));
    if (!theirs) return;
    state.current = { known: theirs.revision, isDirty: false, isTorn: false };
    setKeeping("saved");
    latest.current.onAdopt(theirs);
    // What was adopted is no change of this tab's.
    clearTimeout(timer.current);
    state.current.isDirty = false;
  }, []);

  useEffect(() => {
    const look = async () => {
      if ((await readRevision()) === state.current.known || state.current.isTorn) return;
      if (!state.current.isDirty) return adopt();
      state.current.isTorn = true;
      setKeeping("conflict");
    };
    const leave = () => document.hidden && void write();
    const told = typeof BroadcastChannel === "undefined" ? null : new BroadcastChannel(draftKey);
    channel.current = told;
    if (told) told.onmessage = () => void look();
    const returned = () => (document.hidden ? leave() : void look());
    document.addEventListener("visibilitychange", returned);
    window.addEventListener("pagehide", leave);
    return () => {
      void write();
      told?.close();
      document.removeEventListener("visibilitychange", returned);
      window.removeEventListener("pagehide", leave);
    };
  }, [adopt, write]);

  return { keeping, touch, flush: write, adopt, insist: () => write(true) };
}

const readRevision = async () => parseDraft(await readKept(draftKey))?.revision ?? "";
