import { bffPaths, call, callApi } from "~/call";
import { writeStoredValue } from "~/features/draft/draft";
import { notify } from "~/features/toasts/notify";
import type { Dub } from "~server/bff/generations.server";
import type { CallData } from "~server/contract/calls/table";
import { pageSizeMax } from "~server/contract/limits";
import { isBlank, lineKeyOf } from "../editor/script";
import { type Draft, newRevision, parseDraft, toScript } from "../stored-draft";
import { changeProjects, draftKeyOf, recordProject, syncKeyOf } from "./current";
import type { ProjectDocument } from "./merge";
import type { ListedProject } from "./plan";
import type { SyncState } from "./sync";
import { addVersions, parseVersions } from "./versions";

/** The account's projects that are scripts of this page. */
export const projectKind = "dub";
/** A page that opens waits no longer for the account. */
const openTimeoutMs = 8000;

/**
 * Stores a project of the account in this browser, or the script of a dub that is named; without a name the project that
 * was changed last. Returns its id; null if there is none, or after a failure, which is shown for a named one.
 */
export async function pullProject(named: string | null): Promise<string | null> {
  const signal = AbortSignal.timeout(openTimeoutMs);
  try {
    const kept = (await listProjects(signal)).filter(({ deletedAt }) => deletedAt === undefined);
    const listed = named ? kept.find(({ id }) => id === named) : kept[0];
    if (!listed) return named && (await copyDub(named));
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
    if (named)
      import("~/copy/dubbing-tools").then(
        ({ projectCopy }) => notify({ kind: "error", text: projectCopy.notHere }),
        () => {},
      );
    return null;
  }
}

/** All of the account, deleted ones too, last changed first. */
export async function listProjects(signal?: AbortSignal): Promise<ListedProject[]> {
  const listed: ListedProject[] = [];
  let cursor = "";
  do {
    const page = await callApi(
      "projectList",
      { kind: projectKind, withDeleted: true, pageSize: pageSizeMax, cursor },
      { signal },
    );
    listed.push(...page.list.map(toListed));
    cursor = page.next;
  } while (cursor);
  return listed;
}

export const toListed = (summary: CallData<"projectList">["list"][number]): ListedProject => {
  const { projectId: id, title, excerpt, lines, characters, revision, updatedAt, deletedAt } = summary;
  const deleted = deletedAt && { deletedAt: Date.parse(deletedAt) };
  return { id, title, excerpt, lines, characters, revision, updatedAt: Date.parse(updatedAt), ...deleted };
};

/** The entry of a project as the account lists it. */
export async function showListed({ revision, ...listed }: ListedProject): Promise<void> {
  const account = { revision, at: listed.updatedAt, isDeleted: listed.deletedAt !== undefined };
  await changeProjects((all) => [{ ...listed, account }, ...all.filter(({ id }) => id !== listed.id)]);
}

export const writeState = async (id: string, state: SyncState) => void (await writeStoredValue(syncKeyOf(id), state));

/** Null without a line. */
export const toDraft = (document: ProjectDocument): Draft | null =>
  parseDraft({ ...document, revision: newRevision() });

/** Stores the script of a dub as a project with the dub's id; null if there is no such dub or it has no text. */
async function copyDub(dubbId: string): Promise<string | null> {
  const { dub } = await call<{ dub: Dub | null }>(bffPaths.dub(dubbId));
  if (!dub) return null;
  const { script, speakers } = toScript(dub);
  if (script.lines.every(isBlank)) return null;
  const draft: Draft = {
    revision: newRevision(),
    script,
    speakers,
    made: soundsOf(dub, script.lines),
    takes: [],
    dubbId,
  };
  await writeStoredValue(draftKeyOf(dubbId), draft);
  await recordProject(dubbId, script);
  return dubbId;
}

/** The sounds of its finished lines. */
const soundsOf = ({ dubbId, lines }: Dub, written: Draft["script"]["lines"]): Draft["made"] =>
  written.flatMap((line, index): Draft["made"] => {
    const { voiceUrl = "", timelineUrl = "", duration: seconds = 0 } = lines[index] ?? {};
    return voiceUrl ? [[lineKeyOf(line), { dubbId, voiceUrl, timelineUrl, seconds }]] : [];
  });
