import { readStoredValue, updateStoredValue } from "~/features/draft/draft";
import { createSavedValue, owned } from "~/ui/store";
import { countLineCharacters, isBlank, type Script } from "../editor/script";

/** A script with its draft and versions in this browser, as the list of projects shows it. */
export interface Project {
  id: string;
  title: string;
  /** The beginning of its first line. */
  excerpt: string;
  /** Lines with text. */
  lines: number;
  characters: number;
  /** Unix milliseconds. */
  updatedAt: number;
  /** Unix milliseconds; its draft stays for a while so that the deletion can be undone. */
  deletedAt?: number | undefined;
  /** What the account has of it, where that is known. */
  account?: AccountCopy | undefined;
}

/** The account's copy of a project, as it was listed or saved last. */
interface AccountCopy {
  revision: number;
  /** The `updatedAt` that it contains: with another one, the project was changed in this browser since. */
  at: number;
  isDeleted: boolean;
}

export const projectsKey = "dubbing-projects";

/** The project of scripts that were written before there were several. */
export const firstProjectId = "first";

/** The script of /main/slides, which only that page opens: it is not among the projects. */
export const slidesProjectId = "slides";

export const draftKeyOf = (projectId: string) =>
  projectId === firstProjectId ? "dubbing-draft" : `dubbing-draft-${projectId}`;

export const versionsKeyOf = (projectId: string) => `dubbing-versions-${projectId}`;

/** What this browser knows of the account's copy. */
export const syncKeyOf = (projectId: string) => `dubbing-sync-${projectId}`;

const isId = (value: unknown): value is string => typeof value === "string" && /^[\w-]{1,40}$/.test(value);

const lastProject = createSavedValue(owned("dubbing-project"), (json) => (isId(json) ? json : null), "local");

/**
 * The stored project that is named, otherwise the one that was open last in this browser, otherwise the one edited last,
 * otherwise one that is not stored yet. The next visit opens it again. The address may still name another owner's project.
 * `pull` loads a project that is named and not stored, or the newest where none is stored; null if there is none.
 */
export async function chooseProject(
  named: string | null,
  pull: (named: string | null) => Promise<string | null> = async () => null,
): Promise<string> {
  const last = lastProject.read();
  const listed = (await readStoredValue<Project[]>(projectsKey)) ?? [];
  const ids = listed.filter(({ deletedAt }) => deletedAt === undefined).map(({ id }) => id);
  const findStored = async (sought: readonly (string | null)[]) => {
    for (const id of sought) if (isId(id) && (await readStoredValue(draftKeyOf(id)))) return id;
    return null;
  };
  const find = async () => {
    const wanted = isId(named) ? named : null;
    const stored = await findStored([wanted, last, ...ids, firstProjectId]);
    if (stored && (wanted === null || stored === wanted)) return stored;
    return (await pull(wanted)) ?? stored ?? last ?? newProjectId();
  };
  const projectId = await find();
  lastProject.write(projectId);
  return projectId;
}

/** Unlike the id of another owner's project, which a login may bring into the same list. */
export const newProjectId = () => `${Date.now().toString(36)}-${Math.random().toString(36).slice(2, 8)}`;

const excerptLength = 40;

export const toProject = (id: string, { title, lines }: Script): Project => {
  const written = lines.filter((line) => !isBlank(line));
  return {
    id,
    title,
    excerpt: written[0]?.content.slice(0, excerptLength) ?? "",
    lines: written.length,
    characters: written.reduce((sum, line) => sum + countLineCharacters(line), 0),
    updatedAt: Date.now(),
  };
};

/** Puts a saved script on top of the list of projects; a deleted project that is still edited elsewhere returns. */
export const recordProject = async (id: string, script: Script): Promise<boolean> =>
  id === slidesProjectId ||
  changeProjects((all) => {
    const account = all.find((one) => one.id === id)?.account;
    return [{ ...toProject(id, script), account }, ...all.filter((one) => one.id !== id)];
  });

/** Changes the list of projects in one transaction. Returns false if it failed. */
export const changeProjects = (change: (all: readonly Project[]) => Project[]): Promise<boolean> =>
  updateStoredValue<Project[]>(projectsKey, (all) => change(Array.isArray(all) ? all : []));

/** Lets the other pages with the project know of a save. */
export function announceSave(projectId: string, revision: string) {
  if (typeof BroadcastChannel === "undefined") return;
  const channel = new BroadcastChannel(draftKeyOf(projectId));
  channel.postMessage(revision);
  channel.close();
}
