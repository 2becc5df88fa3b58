import { useCallback, useEffect, useRef, useState } from "react";
import { readStoredValue, writeStoredValue } from "~/features/draft/draft";
import { createStore } from "~/ui/store";
import type { Voice } from "~server/bff/roles.server";
import type { LineAudio } from "./dub";
import {
  createLine,
  isBlank,
  type Script,
  type ScriptLine,
  type ScriptMusic,
  type Speaker,
  toGenre,
} from "./editor/script";
import { chooseProject, draftKeyOf, recordProject } from "./projects/current";
import { type LineTake, parseTakes } from "./takes";

/** The script as saved in this browser. */
export interface Draft {
  /** Changes with every save, so that a tab detects the saves of another. */
  revision: string;
  script: Script;
  speakers: Speaker[];
  /** Generated audio by line key. */
  made: Array<[string, LineAudio]>;
  /** The last renderings of each line by its id, newest first; their audio is in `made`. */
  takes: Array<[string, readonly LineTake[]]>;
  /** The dub that was generated from the script last. */
  dubbId: string | null;
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;
const isText = (value: unknown): value is string => typeof value === "string";

/** Reads a stored draft without its invalid parts; null if no line is valid. */
export function parseDraft(stored: unknown): Draft | null {
  if (!isRecord(stored) || !isText(stored.revision) || !isRecord(stored.script) || !Array.isArray(stored.script.lines))
    return null;
  const lines = stored.script.lines.flatMap(parseLine);
  if (lines.length === 0) return null;
  return {
    revision: stored.revision,
    script: {
      title: isText(stored.script.title) ? stored.script.title : "",
      lines,
      ...(isMusic(stored.script.music) && { music: stored.script.music }),
    },
    speakers: Array.isArray(stored.speakers)
      ? stored.speakers.filter((one) => isRecord(one) && isText(one.roleId))
      : [],
    made: Array.isArray(stored.made) ? stored.made.filter((pair) => Array.isArray(pair) && isText(pair[0])) : [],
    takes: parseTakes(stored.takes),
    dubbId: isText(stored.dubbId) ? stored.dubbId : null,
  };
}

/** The server judges its values. */
const isMusic = (value: unknown): value is ScriptMusic => isRecord(value) && isText(value.track);

function parseLine(line: unknown): ScriptLine[] {
  if (!isRecord(line) || !isText(line.id) || !isText(line.content) || !isText(line.roleId)) return [];
  const { roleId, speed, genre } = line;
  const lineSpeed = typeof speed === "number" ? speed : 1;
  return [createLine({ ...(line as Partial<ScriptLine>), roleId, speed: lineSpeed, genre: toGenre(genre) })];
}

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

export const emptyDraft = (roleId: string): Draft => ({
  revision: "",
  script: { title: "", lines: [createLine({ roleId })] },
  speakers: [],
  made: [],
  takes: [],
  dubbId: null,
});

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
export const newRevision = () => `${Date.now().toString(36)}-${Math.random().toString(36).slice(2)}`;

/** Lets the other pages with the project know of a save. */
export function announceSave(projectId: string, revision: string) {
  if (typeof BroadcastChannel === "undefined") return;
  const channel = new BroadcastChannel(draftKeyOf(projectId));
  channel.postMessage(revision);
  channel.close();
}

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
