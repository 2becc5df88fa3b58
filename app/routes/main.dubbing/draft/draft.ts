import { createLine, type Script, type ScriptLine } from "../editor/script";
import type { Speaker } from "../editor/state";
import type { Made } from "../generation/made";

/** What this browser keeps of the script, so that neither a reload nor a crash loses a word. */
export interface Draft {
  /** Another one with every change; tells this tab's writing from another's. */
  revision: string;
  script: Script;
  /** Those who speak in it, as they were when chosen. */
  speakers: Speaker[];
  /** Lines that are made, by how they sound. */
  made: Array<[string, Made]>;
  /** The dub that was made of it last. */
  dubbId: string | null;
}

export const draftKey = "dubbing-draft";

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;
const isText = (value: unknown): value is string => typeof value === "string";

/** Reads what is kept as if somebody else had written it; null where it is no draft. */
export function parseDraft(kept: unknown): Draft | null {
  if (!isRecord(kept) || !isText(kept.revision) || !isRecord(kept.script) || !Array.isArray(kept.script.lines))
    return null;
  const lines = kept.script.lines.flatMap(toLine);
  if (lines.length === 0) return null;
  return {
    revision: kept.revision,
    script: { title: isText(kept.script.title) ? kept.script.title : "", lines },
    speakers: Array.isArray(kept.speakers) ? kept.speakers.filter((one) => isRecord(one) && isText(one.roleId)) : [],
    made: Array.isArray(kept.made) ? kept.made.filter((pair) => Array.isArray(pair) && isText(pair[0])) : [],
    dubbId: isText(kept.dubbId) ? kept.dubbId : null,
  };
}

function toLine(line: unknown): ScriptLine[] {
  if (!isRecord(line) || !isText(line.id) || !isText(line.content) || !isText(line.roleId)) return [];
  const { speed, genre } = line;
  return [
    createLine({
      ...(line as Partial<ScriptLine>),
      roleId: line.roleId,
      speed: typeof speed === "number" ? speed : 1,
      genre: genre === 1 || genre === 2 ? genre : 0,
    }),
  ];
}
