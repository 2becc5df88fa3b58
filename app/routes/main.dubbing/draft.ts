import { useCallback, useEffect, useRef, useState } from "react";
import { readStoredValue, writeStoredValue } from "~/features/draft/draft";
import { createStore } from "~/ui/store";
import type { Voice } from "~server/bff/roles.server";
import { createLine, isBlank } from "./editor/script";
import { chooseProject, draftKeyOf, recordProject } from "./projects/current";
import { type Draft, emptyDraft, newRevision, parseDraft } from "./stored-draft";

export interface OpenedDraft {
  projectId: string;
  draft: Draft;
}

interface OpenOptions {
  /** Gets an empty last line. */
  role: Voice | null;
  /** For projects that the account has and this browser has not. */
  pull?: Parameters<typeof chooseProject>[1];
}

/** The stored draft of the named project, or of the one that was open last, or an empty script. */
export async function openDraft(
  named: string | null,
  voices: readonly Voice[],
  { role, pull }: OpenOptions,
): Promise<OpenedDraft> {
  const projectId = await chooseProject(named, pull);
  const draft = parseDraft(await readStoredValue(draftKeyOf(projectId))) ?? emptyDraft(voices[0]?.roleId ?? "");
  if (!role) return { projectId, draft };
  const { lines } = draft.script;
  const last = lines[lines.length - 1];
  const next =
    last && isBlank(last)
      ? [...lines.slice(0, -1), { ...last, roleId: role.roleId }]
      : [...lines, createLine({ roleId: role.roleId })];
  const script = { ...draft.script, lines: next };
  return { projectId, draft: { ...draft, script, speakers: [...draft.speakers, role] } };
}

export type SaveStatus = "saved" | "saving" | "conflict";

interface DraftSyncOptions {
  projectId: string;
  /** The revision that was loaded. */
  revision: string;
  /** The draft to save now. */
  read(): Omit<Draft, "revision">;
  /** Called with the draft of another tab that replaces this tab's. */
  onReplaced(draft: Draft): void;
}

const saveDelayMs = 300;

/**
 * Saves the draft shortly after each change and follows the changes of other tabs. If two tabs have changed it, nothing
 * is saved until the user chooses with `loadOther` or `overwrite`.
 */
export function useDraftSync({ projectId, revision, read, onReplaced }: DraftSyncOptions) {
  const draftKey = draftKeyOf(projectId);
  const [status] = useState(() => createStore<SaveStatus>("saved"));
  const state = useRef({ revision, hasChanges: false, hasConflict: false });
  const timer = useRef<ReturnType<typeof setTimeout>>();
  const channel = useRef<BroadcastChannel | null>(null);
  const latest = useRef({ read, onReplaced });
  latest.current = { read, onReplaced };

  const save = useCallback(
    async (isForced = false) => {
      clearTimeout(timer.current);
      const { revision: known, hasChanges, hasConflict } = state.current;
      if (!isForced && (!hasChanges || hasConflict)) return;
      if (!isForced && (await readRevision(draftKey)) !== known && known !== "") {
        state.current.hasConflict = true;
        return status.set("conflict");
      }
      const next = newRevision();
      state.current = { revision: next, hasChanges: false, hasConflict: false };
      const draft = latest.current.read();
      await writeStoredValue(draftKey, { revision: next, ...draft });
      void recordProject(projectId, draft.script);
      channel.current?.postMessage(next);
      status.set(state.current.hasChanges ? "saving" : "saved");
    },
    [projectId, draftKey, status],
  );

  const markChanged = useCallback(() => {
    state.current.hasChanges = true;
    if (state.current.hasConflict) return;
    status.set("saving");
    clearTimeout(timer.current);
    timer.current = setTimeout(() => void save(), saveDelayMs);
  }, [save, status]);

  const loadOther = useCallback(async () => {
    const other = parseDraft(await readStoredValue(draftKey));
    if (!other) return;
    state.current = { revision: other.revision, hasChanges: false, hasConflict: false };
    status.set("saved");
    latest.current.onReplaced(other);
    // The replacement is not a change to save.
    clearTimeout(timer.current);
    state.current.hasChanges = false;
  }, [draftKey, status]);

  useEffect(() => {
    const check = async () => {
      if ((await readRevision(draftKey)) === state.current.revision || state.current.hasConflict) return;
      if (!state.current.hasChanges) return loadOther();
      state.current.hasConflict = true;
      status.set("conflict");
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
  }, [loadOther, save, draftKey, status]);

  return { status, markChanged, save, loadOther, overwrite: () => save(true) };
}

export type DraftSync = ReturnType<typeof useDraftSync>;

const readRevision = async (draftKey: string) => parseDraft(await readStoredValue(draftKey))?.revision ?? "";
