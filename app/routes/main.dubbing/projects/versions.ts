import { readStoredValue, updateStoredValue } from "~/features/draft/draft";
import { isBlank, type Script } from "../editor/script";
import { type Draft, parseDraft, versionsMax } from "../stored-draft";
import { versionsKeyOf } from "./current";

/** A saved state of a project's script. */
export interface Version extends Omit<Draft, "revision" | "made" | "takes"> {
  /** Unix milliseconds. */
  at: number;
}

const textOf = ({ lines }: Script) => JSON.stringify(lines.map(({ id: _, ...line }) => line));

/** Newest first. */
export const readVersions = async (projectId: string): Promise<Version[]> =>
  parseVersions(await readStoredValue(versionsKeyOf(projectId)));

/** Leaves out what is no version. */
export const parseVersions = (stored: unknown): Version[] =>
  (Array.isArray(stored) ? stored : []).flatMap((one) => {
    const draft = parseDraft({ ...one, revision: "" });
    return draft && typeof one.at === "number" ? [{ at: one.at, ...withoutAudio(draft) }] : [];
  });

const withoutAudio = ({ script, speakers, dubbId }: Omit<Draft, "revision">) => ({ script, speakers, dubbId });

/** Keeps a script among the project's last ten versions; a script equal to the newest one is not kept again. */
export async function saveVersion(projectId: string, draft: Omit<Draft, "revision">): Promise<void> {
  if (draft.script.lines.every(isBlank)) return;
  await updateStoredValue<Version[]>(versionsKeyOf(projectId), (stored) => {
    const versions = Array.isArray(stored) ? stored : [];
    const [newest] = versions;
    if (newest && textOf(newest.script) === textOf(draft.script)) return versions;
    return [{ at: Date.now(), ...withoutAudio(draft) }, ...versions].slice(0, versionsMax);
  });
}

/** Adds versions that another device has saved. */
export const addVersions = (projectId: string, added: readonly Version[]): Promise<boolean> =>
  updateStoredValue<Version[]>(versionsKeyOf(projectId), (stored) => {
    const versions = new Map([...(Array.isArray(stored) ? stored : []), ...added].map((one) => [one.at, one]));
    return [...versions.values()].sort((a, b) => b.at - a.at).slice(0, versionsMax);
  });
