import { callApi, type Refusal, refusalOf } from "~/call";
import { projectCopy } from "~/copy/dubbing-tools";
import { readStoredValue, updateStoredValue, writeStoredValue } from "~/features/draft/draft";
import { notify } from "~/features/toasts/notify";
import type { CallData } from "~server/contract/calls/table";
import { pageSizeMax, projectMaxBytes } from "~server/contract/limits";
import { announceSave, type Draft, newRevision, parseDraft } from "../draft";
import { changeProjects, draftKeyOf, type Project, syncKeyOf, toProject } from "./current";
import { isSame, type ProjectDocument } from "./merge";
import { type ListedProject, type ProjectStep, planProjects } from "./plan";
import { readDraft, readProjects, removeStored } from "./storage";
import { type ProjectCopy, type ProjectServer, type SyncState, syncProject, unsynced } from "./sync";
import { addVersions, parseVersions, readVersions, type Version } from "./versions";

const kind = "dub";
/** A page that opens waits no longer for the account. */
const openTimeoutMs = 8000;

/**
 * Brings the projects of this browser and those of the account together; tabs take turns. Returns the last refusal, null
 * if there was none. A project that was refused stays in this browser.
 */
export const syncProjects = (): Promise<Refusal | null> =>
  oneAtATime(async () => {
    let refusal: Refusal | null = null;
    for (const step of planProjects(await readProjects(), await listProjects())) {
      await perform(step).catch((error: unknown) => {
        refusal = refusalOf(error);
        if (refusal.code === "network") throw error;
      });
    }
    return refusal;
  }).catch(refusalOf);

/** The same for one project. */
export const syncOneProject = (id: string): Promise<Refusal | null> =>
  oneAtATime(() => sync(id)).then(() => null, refusalOf);

/**
 * Stores a project of the account in this browser, the one changed last without a name. Returns its id; null if there is
 * none, or after a failure, which is shown for a named one.
 */
export async function pullProject(named: string | null): Promise<string | null> {
  const signal = AbortSignal.timeout(openTimeoutMs);
  try {
    const kept = (await listProjects(signal)).filter(({ deletedAt }) => deletedAt === undefined);
    const listed = named ? kept.find(({ id }) => id === named) : kept[0];
    if (!listed) return null;
    const { id } = listed;
    const { revision, document } = await callApi("projectGet", { projectId: id }, { signal });
    const draft = toDraft(document);
    if (!draft) return null;
    await writeStoredValue(draftKeyOf(id), draft);
    await addVersions(id, parseVersions(document.versions));
    await writeState(id, { revision, document, pending: null });
    await showListed({ ...listed, revision });
    return id;
  } catch {
    if (named) notify({ kind: "error", text: projectCopy.notHere });
    return null;
  }
}

let queue: Promise<unknown> = Promise.resolve();

/** One after the other in this tab, and among all tabs where the browser has locks. */
function oneAtATime<Result>(act: () => Promise<Result>): Promise<Result> {
  const inTab = async () => (navigator.locks ? await navigator.locks.request("projects", act) : act());
  const result = queue.then(inTab, inTab);
  queue = result.catch(() => {});
  return result as Promise<Result>;
}

async function listProjects(signal?: AbortSignal): Promise<ListedProject[]> {
  const listed: ListedProject[] = [];
  let cursor = "";
  do {
    const page = await callApi("projectList", { kind, withDeleted: true, pageSize: pageSizeMax, cursor }, { signal });
    listed.push(...page.list.map(toListed));
    cursor = page.next;
  } while (cursor);
  return listed;
}

const toListed = (summary: CallData<"projectList">["list"][number]): ListedProject => {
  const { projectId: id, title, excerpt, lines, characters, revision, updatedAt, deletedAt } = summary;
  const deleted = deletedAt && { deletedAt: Date.parse(deletedAt) };
  return { id, title, excerpt, lines, characters, revision, updatedAt: Date.parse(updatedAt), ...deleted };
};

async function perform(step: ProjectStep): Promise<void> {
  switch (step.act) {
    case "sync":
      if (step.isLost) await writeState(step.id, unsynced);
      // Neither here nor there.
      if (step.isLost && !(await readDraft(step.id))) return removeProject(step.id);
      return sync(step.id);
    case "list":
      return showListed(step.listed);
    case "delete":
      await callApi("projectDelete", { projectId: step.id });
      return noteAccount(step.id, { isDeleted: true });
    case "restore": {
      const { revision } = await callApi("projectRestore", { projectId: step.id });
      await noteAccount(step.id, { revision, isDeleted: false });
      return sync(step.id);
    }
    case "remove":
      return removeProject(step.id);
  }
}

async function removeProject(id: string): Promise<void> {
  await changeProjects((all) => all.filter((one) => one.id !== id));
  await removeStored(id);
}

/** The entry of a project as the account lists it. */
async function showListed({ revision, ...listed }: ListedProject): Promise<void> {
  const account = { revision, at: listed.updatedAt, isDeleted: listed.deletedAt !== undefined };
  await changeProjects((all) => [{ ...listed, account }, ...all.filter(({ id }) => id !== listed.id)]);
}

async function noteAccount(id: string, change: Partial<Project["account"]>): Promise<void> {
  await changeProjects((all) =>
    all.map((one) => (one.id === id && one.account ? { ...one, account: { ...one.account, ...change } } : one)),
  );
}

/** Says what was changed here and on another device. */
async function sync(id: string): Promise<void> {
  const before = (await readProjects()).find((one) => one.id === id);
  const both = await syncProject(serverOf(id), copyOf(id), before?.account?.revision);
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
const writeState = async (id: string, state: SyncState) => void (await writeStoredValue(syncKeyOf(id), state));

const serverOf = (projectId: string): ProjectServer => ({
  get: () => callApi("projectGet", { projectId }),
  put({ key, baseRevision, document }) {
    const draft = toDraft(document);
    const { title, excerpt, lines, characters } = toProject(projectId, draft?.script ?? { title: "", lines: [] });
    const request = { projectId, kind, baseRevision, title, excerpt, lines, characters, document };
    return callApi("projectPut", request, { idempotencyKey: key });
  },
});

const copyOf = (id: string): ProjectCopy => ({
  async read() {
    const draft = await readDraft(id);
    return draft && toDocument(draft, await readVersions(id));
  },
  async replace(read, merged) {
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

/** Null without a line. */
const toDraft = (document: ProjectDocument): Draft | null => parseDraft({ ...document, revision: newRevision() });
