import { readStoredValue } from "~/features/draft/draft";
import type { Voice } from "~server/bff/roles.server";
import { createLine, isBlank, type Script, type ScriptLine, type Speaker, toGenre } from "../editor/script";
import type { LineAudio } from "../generation/line-audio";

/** The script as saved in this browser. */
export interface Draft {
  /** Changes with every save, so that a tab detects the saves of another. */
  revision: string;
  script: Script;
  speakers: Speaker[];
  /** Generated audio by line key. */
  made: Array<[string, LineAudio]>;
  /** The dub that was generated from the script last. */
  dubbId: string | null;
}

export const draftKey = "dubbing-draft";

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
    script: { title: isText(stored.script.title) ? stored.script.title : "", lines },
    speakers: Array.isArray(stored.speakers)
      ? stored.speakers.filter((one) => isRecord(one) && isText(one.roleId))
      : [],
    made: Array.isArray(stored.made) ? stored.made.filter((pair) => Array.isArray(pair) && isText(pair[0])) : [],
    dubbId: isText(stored.dubbId) ? stored.dubbId : null,
  };
}

function parseLine(line: unknown): ScriptLine[] {
  if (!isRecord(line) || !isText(line.id) || !isText(line.content) || !isText(line.roleId)) return [];
  const { roleId, speed, genre } = line;
  const lineSpeed = typeof speed === "number" ? speed : 1;
  return [createLine({ ...(line as Partial<ScriptLine>), roleId, speed: lineSpeed, genre: toGenre(genre) })];
}

/** The stored draft, or an empty script. `role` gets an empty last line. */
export async function openDraft(voices: readonly Voice[], role: Voice | null): Promise<Draft> {
  const draft = parseDraft(await readStoredValue(draftKey)) ?? emptyDraft(voices[0]?.roleId ?? "");
  if (!role) return draft;
  const { lines } = draft.script;
  const last = lines[lines.length - 1];
  const next =
    last && isBlank(last)
      ? [...lines.slice(0, -1), { ...last, roleId: role.roleId }]
      : [...lines, createLine({ roleId: role.roleId })];
  return { ...draft, script: { ...draft.script, lines: next }, speakers: [...draft.speakers, role] };
}

const emptyDraft = (roleId: string): Draft => ({
  revision: "",
  script: { title: "", lines: [createLine({ roleId })] },
  speakers: [],
  made: [],
  dubbId: null,
});
