import { refusalOf } from "~/call";
import { isSame, type MergedProject, mergeProjects, type ProjectDocument } from "./merge";

/** What this browser knows of the account's copy of a project. */
export interface SyncState {
  /** 0 before the project is in the account. */
  revision: number;
  /** The document of that revision. */
  document: ProjectDocument | null;
  /** Sent, perhaps in vain: it is sent again under its key before anything else. */
  pending: { key: string; baseRevision: number; document: ProjectDocument } | null;
}

export const unsynced: SyncState = { revision: 0, document: null, pending: null };

export interface ProjectServer {
  get(): Promise<{ revision: number; document: ProjectDocument }>;
  put(pending: NonNullable<SyncState["pending"]>): Promise<{ isSaved: boolean; revision: number }>;
}

/** The project in this browser. */
export interface ProjectCopy {
  read(): Promise<ProjectDocument | null>;
  /** False, and nothing done, if the project is no longer `read`. */
  replace(read: ProjectDocument, merged: ProjectDocument): Promise<boolean>;
  readState(): Promise<SyncState>;
  writeState(state: SyncState): Promise<void>;
  newKey(): string;
}

/** Other devices that save again and again must not keep this one here; the next change goes on. */
const roundsMax = 20;
const lostCodes: ReadonlySet<string> = new Set(["network", "timeout", "request-failed"]);

/**
 * Brings a project of this browser and the account's to one state: what the other devices have changed comes in, what was
 * changed here goes up. `knownRevision`: the account's, if a list has said it. Returns what both have changed. Throws
 * `Refused`; what was sent until then is sent again by the next call.
 */
export async function syncProject(
  server: ProjectServer,
  copy: ProjectCopy,
  knownRevision = 0,
): Promise<MergedProject["both"]> {
  const both = { lines: 0, title: false, music: false };
  let newest = knownRevision;
  for (let round = 0; round < roundsMax; round++) {
    const state = await copy.readState();
    if (state.pending) {
      newest = Math.max(newest, await send(server, copy, state, state.pending));
      continue;
    }
    const local = await copy.read();
    if (!local) return both;
    if (newest > state.revision) {
      const merged = await takeOver(server, copy, state, local);
      both.lines += merged?.lines ?? 0;
      both.title ||= merged?.title ?? false;
      both.music ||= merged?.music ?? false;
      continue;
    }
    if (state.document && isSame(state.document, local)) return both;
    const pending = { key: copy.newKey(), baseRevision: state.revision, document: local };
    await copy.writeState({ ...state, pending });
  }
  return both;
}

/** Returns the account's revision. */
async function send(
  server: ProjectServer,
  copy: ProjectCopy,
  state: SyncState,
  pending: NonNullable<SyncState["pending"]>,
): Promise<number> {
  try {
    const { isSaved, revision } = await server.put(pending);
    await copy.writeState(
      isSaved ? { revision, document: pending.document, pending: null } : { ...state, pending: null },
    );
    return revision;
  } catch (error) {
    // A refused document is not sent again unless it changes.
    if (!lostCodes.has(refusalOf(error).code)) await copy.writeState({ ...state, pending: null });
    throw error;
  }
}

/** Null if the project was edited meanwhile. */
async function takeOver(server: ProjectServer, copy: ProjectCopy, state: SyncState, local: ProjectDocument) {
  const { revision, document } = await server.get();
  const isUnchanged = state.document !== null && isSame(state.document, local);
  const merged = isUnchanged ? null : mergeProjects(state.document, local, document);
  if (!(await copy.replace(local, merged?.document ?? document))) return null;
  await copy.writeState({ revision, document, pending: null });
  return merged?.both ?? null;
}
