import type { Dub } from "~server/bff/generations.server";
import type { LineAudio } from "./dub";
import { createLine, type Script, type ScriptLine, type ScriptMusic, type Speaker, toGenre } from "./editor/script";

/** A rendering of a line: the text, the role and the delivery that it was generated with. */
export interface LineTake {
  /** The line key, which its audio is stored under. */
  key: string;
  line: Pick<ScriptLine, "content" | "roleId" | "speed" | "pitch" | "volume" | "genre" | "ext" | "emotionPath">;
  /** Unix milliseconds. */
  at: number;
}

export const takesMax = 5;
export const versionsMax = 10;

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
      ...(isChapter(stored.script.chapter) && { chapter: stored.script.chapter }),
    },
    speakers: Array.isArray(stored.speakers)
      ? stored.speakers.filter((one) => isRecord(one) && isText(one.roleId))
      : [],
    made: Array.isArray(stored.made) ? stored.made.filter((pair) => Array.isArray(pair) && isText(pair[0])) : [],
    takes: parseTakes(stored.takes),
    dubbId: isText(stored.dubbId) ? stored.dubbId : null,
  };
}

/** The server judges the values of both. */
const isMusic = (value: unknown): value is ScriptMusic => isRecord(value) && isText(value.track);
const isChapter = (value: unknown): value is NonNullable<Script["chapter"]> => isRecord(value) && isText(value.bookId);

function parseLine(line: unknown): ScriptLine[] {
  if (!isRecord(line) || !isText(line.id) || !isText(line.content) || !isText(line.roleId)) return [];
  const { roleId, speed, genre } = line;
  const lineSpeed = typeof speed === "number" ? speed : 1;
  return [createLine({ ...(line as Partial<ScriptLine>), roleId, speed: lineSpeed, genre: toGenre(genre) })];
}

export const emptyDraft = (roleId: string): Draft => ({
  revision: "",
  script: { title: "", lines: [createLine({ roleId })] },
  speakers: [],
  made: [],
  takes: [],
  dubbId: null,
});

/** The script and the speakers of a dub. */
export function toScript(dub: Dub): { script: Script; speakers: Speaker[] } {
  const lines = dub.lines.map(({ genre, emotionPath, pauseAfter, ...line }) => {
    const { roleId, content, speed, pitch, volume, ext, startMs, endMs, speedUpMax } = line;
    return createLine({
      ...{ roleId, content, speed, pitch, volume, ext, startMs, endMs, speedUpMax },
      ...(pauseAfter > 0 && { pauseAfter }),
      genre: toGenre(genre),
      emotionPath: emotionPath || undefined,
    });
  });
  const speakers = dub.lines.map(({ roleId, name, avatar, portrait }) => ({ roleId, name, avatar, portrait }));
  const script = {
    title: dub.title,
    ...(dub.music && { music: dub.music }),
    ...(dub.chapter && { chapter: dub.chapter }),
    lines: lines.length > 0 ? lines : [createLine({ roleId: "" })],
  };
  return { script, speakers: speakers.filter(({ roleId, name }) => roleId && name) };
}

/** Unlike all others. */
export const newRevision = () => `${Date.now().toString(36)}-${Math.random().toString(36).slice(2)}`;

/** Reads stored takes without invalid ones. */
export function parseTakes(stored: unknown): Array<[string, LineTake[]]> {
  if (!Array.isArray(stored)) return [];
  return stored.flatMap((entry): Array<[string, LineTake[]]> => {
    if (!Array.isArray(entry) || typeof entry[0] !== "string" || !Array.isArray(entry[1])) return [];
    return [[entry[0], entry[1].filter(isTake).slice(0, takesMax)]];
  });
}

function isTake(value: unknown): value is LineTake {
  const { key, at, line } = (value ?? {}) as Partial<LineTake>;
  return typeof key === "string" && typeof at === "number" && typeof line?.content === "string";
}
