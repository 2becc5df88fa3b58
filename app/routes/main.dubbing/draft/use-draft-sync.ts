import { useCallback, useEffect, useRef, useState } from "react";
import { readStoredValue, writeStoredValue } from "~/features/draft/draft";
import { type Draft, draftKey, parseDraft } from "./draft";

export type SaveStatus = "saved" | "saving" | "conflict";

interface Options {
  /** The revision that was loaded. */
  revision: string;
  /** The draft to save now. */
  read(): Omit<Draft, "revision">;
  /** Called with the draft of another tab that replaces this tab's. */
  onReplaced(draft: Draft): void;
}

const saveDelayMs = 300;
const newRevision = () => `${Date.now().toString(36)}-${Math.random().toString(36).slice(2)}`;

/**
 * Saves the draft shortly after each change and follows the changes of other tabs. If two tabs have changed it, nothing
 * is saved until the user chooses with `loadOther` or `overwrite`.
 */
export function useDraftSync({ revision, read, onReplaced }: Options) {
  const [status, setStatus] = useState<SaveStatus>("saved");
  const state = useRef({ revision, hasChanges: false, hasConflict: false });
  const timer = useRef<ReturnType<typeof setTimeout>>();
  const channel = useRef<BroadcastChannel | null>(null);
  const latest = useRef({ read, onReplaced });
  latest.current = { read, onReplaced };

  const save = useCallback(async (isForced = false) => {
    clearTimeout(timer.current);
    const { revision: known, hasChanges, hasConflict } = state.current;
    if (!isForced && (!hasChanges || hasConflict)) return;
    if (!isForced && (await readRevision()) !== known && known !== "") {
      state.current.hasConflict = true;
      return setStatus("conflict");
    }
    const next = newRevision();
    state.current = { revision: next, hasChanges: false, hasConflict: false };
    await writeStoredValue(draftKey, { revision: next, ...latest.current.read() });
    channel.current?.postMessage(next);
    setStatus(state.current.hasChanges ? "saving" : "saved");
  }, []);

  const markChanged = useCallback(() => {
    state.current.hasChanges = true;
    if (state.current.hasConflict) return;
    setStatus("saving");
    clearTimeout(timer.current);
    timer.current = setTimeout(() => void save(), saveDelayMs);
  }, [save]);

  const loadOther = useCallback(async () => {
    const other = parseDraft(await readStoredValue(draftKey));
    if (!other) return;
    state.current = { revision: other.revision, hasChanges: false, hasConflict: false };
    setStatus("saved");
    latest.current.onReplaced(other);
    // The replacement is not a change to save.
    clearTimeout(timer.current);
    state.current.hasChanges = false;
  }, []);

  useEffect(() => {
    const check = async () => {
      if ((await readRevision()) === state.current.revision || state.current.hasConflict) return;
      if (!state.current.hasChanges) return loadOther();
      state.current.hasConflict = true;
      setStatus("conflict");
    };
    const saveIfHidden = () => document.hidden && void save();
    const onVisibility = () => void (document.hidden ? save() : check());
    channel.current = typeof BroadcastChannel === "undefined" ? null : new BroadcastChannel(draftKey);
    channel.current?.addEventListener("message", check);
    document.addEventListener("visibilitychange", onVisibility);
    window.addEventListener("pagehide", saveIfHidden);
    return () => {
      void save();
      channel.current?.close();
      document.removeEventListener("visibilitychange", onVisibility);
      window.removeEventListener("pagehide", saveIfHidden);
    };
  }, [loadOther, save]);

  return { status, markChanged, save, loadOther, overwrite: () => save(true) };
}

export type DraftSync = ReturnType<typeof useDraftSync>;

const readRevision = async () => parseDraft(await readStoredValue(draftKey))?.revision ?? "";
