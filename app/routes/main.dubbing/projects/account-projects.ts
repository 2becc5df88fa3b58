import { callApi, type Refusal, refusalOf } from "~/call";
import { projectCopy } from "~/copy/dubbing-tools";
import { readStoredValue, updateStoredValue } from "~/features/draft/draft";
import { notify } from "~/features/toasts/notify";
import { projectMaxBytes } from "~server/contract/limits";
import { type Draft, newRevision, parseDraft } from "../stored-draft";
import {
  announceSave,
  changeProjects,
  draftKeyOf,
  firstProjectId,
  type Project,
  syncKeyOf,
  toProject,
} from "./current";
import { isSame, type ProjectDocument } from "./merge";
import { type ProjectStep, planProjects } from "./plan";
import { listProjects, projectKind, showListed, toDraft, writeState } from "./pull-project";
import { readDraft, readProjects, removeStored } from "./storage";
import { type ProjectCopy, type ProjectServer, type SyncState, syncProject, unsynced } from "./sync";
import { addVersions, parseVersions, readVersions, type Version } from "./versions";

type Save = () => Promise<void>;

/** Refusals of one project, after which the others are tried. */
const refusesOne: ReadonlySet<string> = new Set(["project-limit", "too-large", "bad-request"]);

/**
 * Brings the projects of this browser and those of the account together; tabs take turns. `save` stores what is typed in
 * the open project, which a change of another device must not pass by. Returns the last refusal, null if there was none.
 * A project that was refused stays in this browser.
 */
export const syncProjects = (save: Save): Promise<Refusal | null> =>
  oneAtATime(async () => {
    let refusal: Refusal | null = null;
    for (const step of planProjects(await readProjects(), await listProjects())) {
      await perform(step, save).catch((error: unknown) => {
        refusal = refusalOf(error);
        if (!refusesOne.has(refusal.code)) throw error;
      });
    }
    return refusal;
  }).catch(refusalOf);

/** The same for one project; a script from before there were projects stays in its browser. */
export const syncOneProject = (id: string, save: Save): Promise<Refusal | null> =>
  id === firstProjectId ? Promise.resolve(null) : oneAtATime(() => sync(id, save)).then(() => null, refusalOf);

let queue: Promise<unknown> = Promise.resolve();

/** One after the other in this tab, and among all tabs where the browser has locks. */
function oneAtATime<Result>(act: () => Promise<Result>): Promise<Result> {
  const inTab = async () => (navigator.locks ? await navigator.locks.request("projects", act) : act());
  const result = queue.then(inTab, inTab);
  queue = result.catch(() => {});
  return result as Promise<Result>;
}

async function perform(step: ProjectStep, save: Save): Promise<void> {
  switch (step.act) {
    case "sync":
      if (step.isLost) await writeState(step.id, unsynced);
      // Its document is neither in this browser nor in the account.
      if (step.isLost && !(await readDraft(step.id))) return removeProject(step.id);
      return sync(step.id, save);
    case "list":
      return showListed(step.listed);
    case "delete":
      await callApi("projectDelete", { projectId: step.id });
      return noteAccount(step.id, { isDeleted: true });
    case "restore": {
      const { revision } = await callApi("projectRestore", { projectId: step.id });
      await noteAccount(step.id, { revision, isDeleted: false });
      return sync(step.id, save);
    }
    case "remove":
      return removeProject(step.id);
  }
}

async function removeProject(id: string): Promise<void> {
  await changeProjects((all) => all.filter((one) => one.id !== id));
  await removeStored(id);
}

async function noteAccount(id: string, change: Partial<Project["account"]>): Promise<void> {
  await changeProjects((all) =>
    all.map((one) => (one.id === id && one.account ? { ...one, account: { ...one.account, ...change } } : one)),
  );
}

/** Says what was changed here and on another device. */
async function sync(id: string, save: Save): Promise<void> {
  const before = (await readProjects()).find((one) => one.id === id);
  const both = await syncProject(serverOf(id), copyOf(id, save), before?.account?.revision);
  const { revision, document } = await readState(id);
  const draft = document && toDraft(document);
  if (!before || !draft) return;
  const project = toProject(id, draft.script);
  if (both.lines > 0 || both.title || both.music)
    notify({ kind: "warning", text: projectCopy.changedTwice(project.title || project.excerpt, both.lines) });
  // With the time from before, what was saved meanwhile counts as a change.
  const account = { revision, at: before.updatedAt, isDeleted: false };
  await changeProjects((all) => all.map((one) => (one.id === id ? { ...one, ...textsOf(project), account } : one)));
}

const textsOf = ({ title, excerpt, lines, characters }: Project) => ({ title, excerpt, lines, characters });

const readState = async (id: string) => (await readStoredValue<SyncState>(syncKeyOf(id))) ?? unsynced;

const serverOf = (projectId: string): ProjectServer => ({
  get: () => callApi("projectGet", { projectId }),
  put({ key, baseRevision, document }) {
    const draft = toDraft(document);
    const { title, excerpt, lines, characters } = toProject(projectId, draft?.script ?? { title: "", lines: [] });
    const request = { projectId, kind: projectKind, baseRevision, title, excerpt, lines, characters, document };
    return callApi("projectPut", request, { idempotencyKey: key });
  },
});

const copyOf = (id: string, save: Save): ProjectCopy => ({
  async read() {
    const draft = await readDraft(id);
    return draft && toDocument(draft, await readVersions(id));
  },
  async replace(read, merged) {
    await save();
    const versions = await readVersions(id);
    const next = toDraft(merged);
    let isReplaced = false;
    await updateStoredValue<unknown>(draftKeyOf(id), (stored) => {
      const draft = parseDraft(stored);
      isReplaced = next !== null && draft !== null && isSame(toDocument(draft, versions), read);
      return isReplaced ? next : stored;
    });
    if (!isReplaced || !next) return false;
    await addVersions(id, parseVersions(merged.versions));
    announceSave(id, next.revision);
    return true;
  },
  readState: () => readState(id),
  writeState: (state) => writeState(id, state),
  newKey: () => `project-${newRevision()}`,
});

const versionsMaxBytes = projectMaxBytes * 0.9;

/** The account's copy of a draft, with as many versions, from the newest on, as it has room for. */
function toDocument({ revision: _, ...draft }: Draft, versions: readonly Version[]): ProjectDocument {
  let size = bytesOf(draft);
  const kept = versions.filter((version) => {
    size += bytesOf(version);
    return size <= versionsMaxBytes;
  });
  return { ...draft, versions: kept };
}

const bytesOf = (value: unknown) => new Blob([JSON.stringify(value)]).size;
