import { projectCopy } from "~/copy/dubbing-tools";
import { readStoredValue, writeStoredValue } from "~/features/draft/draft";
import { notify } from "~/features/toasts/notify";
import { scriptLinesMax } from "~server/contract/limits";
import { titleOf } from "../dub";
import { createLine, type Script, type ScriptLine, type Speaker } from "../editor/script";
import { castLines, type ImportedBook, type NameDecisions, type PendingImport } from "../importing/pending-import";
import { type Draft, emptyDraft, newRevision, parseDraft } from "../stored-draft";
import {
  announceSave,
  changeProjects,
  draftKeyOf,
  firstProjectId,
  newProjectId,
  type Project,
  projectsKey,
  recordProject,
  syncKeyOf,
  toProject,
  versionsKeyOf,
} from "./current";

/** Time during which a deleted project can be restored. */
const restorableMs = 30 * 60_000;

export const readDraft = async (id: string) => parseDraft(await readStoredValue(draftKeyOf(id)));

/** All projects, the last edited first, those deleted within the last half hour among them. */
export async function readProjects(): Promise<Project[]> {
  const stored = await readStoredValue<Project[]>(projectsKey);
  const projects = Array.isArray(stored) ? stored : [];
  if (projects.some(({ id }) => id === firstProjectId)) return sortByTime(projects);
  // A script from before there were several projects, not edited since.
  const first = await readDraft(firstProjectId);
  return sortByTime(first ? [...projects, { ...toProject(firstProjectId, first.script), updatedAt: 0 }] : projects);
}

const sortByTime = (projects: readonly Project[]) => [...projects].sort((a, b) => b.updatedAt - a.updatedAt);

/** Projects whose title or beginning contains the keyword. */
export function searchProjects(projects: readonly Project[], keyword: string): Project[] {
  const sought = keyword.trim().toLowerCase();
  return projects.filter(({ title, excerpt }) => `${title}\n${excerpt}`.toLowerCase().includes(sought));
}

/** Returns the id of a new project, whose only line has that role. */
export async function createProject(roleId: string): Promise<string> {
  const id = newProjectId();
  const draft = { ...emptyDraft(roleId), revision: newRevision() };
  await writeStoredValue(draftKeyOf(id), draft);
  await recordProject(id, draft.script);
  return id;
}

/**
 * Creates a project for each chapter, the first one on top of the list. Returns its id; null, and no project, if the
 * browser cannot store them all.
 */
export async function createChapterProjects(
  chapters: ReadonlyArray<{ title: string; lines: ReadonlyArray<Pick<ScriptLine, "roleId" | "content">> }>,
  speakers: ReadonlyMap<string, Speaker>,
  book?: ImportedBook,
): Promise<string | null> {
  const created: { id: string; script: Script }[] = [];
  for (const [number, { title, lines }] of [...chapters.entries()].reverse()) {
    const id = newProjectId();
    const script = { title, ...(book && { chapter: { ...book, number } }), lines: lines.map(createLine) };
    created.push({ id, script });
    const used = [...new Set(lines.map(({ roleId }) => roleId))].flatMap((roleId) => speakers.get(roleId) ?? []);
    const draft = { ...emptyDraft(""), script, speakers: used, revision: newRevision() };
    if (!(await writeStoredValue(draftKeyOf(id), draft))) {
      for (const project of created) await writeStoredValue(draftKeyOf(project.id), null);
      return null;
    }
  }
  for (const { id, script } of created) await recordProject(id, script);
  return created.at(-1)?.id ?? null;
}

interface BookCast {
  speakers: ReadonlyMap<string, Speaker>;
  defaultRoleId(): string;
}

/** Makes a project of each chapter. Returns the first one's id; null after an error, which was shown. */
export async function openChapters(pending: PendingImport, decisions: NameDecisions, cast: BookCast) {
  const { lines, chapters = [], book } = pending;
  const parts = chapters.flatMap((title, chapter) => {
    const own = lines.flatMap(({ chapter: of, ...line }) => (of === chapter ? [line] : []));
    return toParts(title, castLines(own, decisions, cast.defaultRoleId()));
  });
  const project = await createChapterProjects(parts, cast.speakers, book);
  notify(
    project
      ? { kind: "success", text: projectCopy.chapters(parts.length) }
      : { kind: "error", text: projectCopy.notStored },
  );
  return project;
}

/** A chapter of too many lines in numbered parts. */
function toParts<Line>(title: string, lines: readonly Line[]) {
  const name = title.replace(/\s+/g, " ").slice(0, 80);
  const parts = Math.ceil(lines.length / scriptLinesMax);
  return Array.from({ length: parts }, (_, part) => ({
    title: `${name}${parts > 1 ? ` (${part + 1})` : ""}`,
    lines: lines.slice(part * scriptLinesMax, (part + 1) * scriptLinesMax),
  }));
}

/** A page that has the project open takes the new title over. */
export async function renameProject(id: string, title: string): Promise<void> {
  const draft = await readDraft(id);
  if (!draft) return;
  const renamed = { ...draft, revision: newRevision(), script: { ...draft.script, title } };
  await writeStoredValue(draftKeyOf(id), renamed);
  await recordProject(id, renamed.script);
  announceSave(id, renamed.revision);
}

/** The copy has the audio of its lines too. Returns its id; null if the project is gone. */
export async function duplicateProject(id: string): Promise<string | null> {
  const draft = await readDraft(id);
  if (!draft) return null;
  const copyId = newProjectId();
  const { lines } = draft.script;
  const script = {
    ...draft.script,
    // A book has its chapter once.
    chapter: undefined,
    title: projectCopy.copyOf(titleOf(draft.script)),
    lines: lines.map(({ id: _, ...line }) => createLine(line)),
  };
  const newIds = new Map(lines.map(({ id: lineId }, index) => [lineId, script.lines[index]?.id ?? ""]));
  const takes = draft.takes.map(([lineId, all]): Draft["takes"][number] => [newIds.get(lineId) ?? "", all]);
  // What is generated from it is a record of its own, and no version of this one's.
  const copy = { ...draft, revision: newRevision(), script, takes, dubbId: null };
  await writeStoredValue(draftKeyOf(copyId), copy);
  await recordProject(copyId, script);
  return copyId;
}

/** Can be undone with `restoreProject`: for half an hour, or as long as the account keeps it. */
export const deleteProject = (project: Project) =>
  changeProjects((all) => {
    const listed = all.some(({ id }) => id === project.id) ? all : [project, ...all];
    return listed.map((one) => (one.id === project.id ? { ...one, deletedAt: Date.now() } : one));
  });

export const restoreProject = (id: string) =>
  changeProjects((all) => all.map((one) => (one.id === id ? { ...one, deletedAt: undefined } : one)));

/** Removes what can no longer be restored. What the account keeps stays in the list, without its draft. */
export async function purgeDeletedProjects(nowMs: number): Promise<void> {
  const isOver = ({ deletedAt, account }: Project) =>
    deletedAt !== undefined && nowMs - deletedAt > restorableMs && (!account || account.isDeleted);
  const over = (await readProjects()).filter(isOver);
  if (over.length === 0) return;
  await changeProjects((all) => all.filter((one) => !isOver(one) || one.account !== undefined));
  for (const { id } of over) await removeStored(id);
}

/** Removes what this browser keeps of a project beside its entry in the list. */
export async function removeStored(id: string): Promise<void> {
  for (const key of [draftKeyOf(id), versionsKeyOf(id), syncKeyOf(id)]) await writeStoredValue(key, null);
}
