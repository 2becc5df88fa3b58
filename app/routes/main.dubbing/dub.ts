import { bffPaths, call, callApi, createIdempotentCall, toForm, uploadForm } from "~/call";
import { dubbingRecordsCopy, dubGenerationCopy } from "~/copy/dubbing-records";
import { sentenceFor } from "~/copy/errors";
import { nameFromText } from "~/copy/generation";
import { playerCopy } from "~/copy/site";
import { toDownloadItem, toDownloads } from "~/features/player/downloads";
import { notify } from "~/features/toasts/notify";
import type { MenuItem } from "~/ui/menu-panel";
import type { Dub, DubPage } from "~server/bff/generations.server";
import type { CallInput } from "~server/bff/upstream.server";
import type { CallData } from "~server/contract/calls/table";
import { dubExports } from "~server/contract/limits";
import { lineKey } from "~server/contract/marks";
import { lineKeyOf, type Script, type ScriptLine, type ScriptMusic, toDelivery, toGenre } from "./editor/script";
import { timingKeyOf } from "./editor/timing";

/** The cost of generating a script now. */
export type Quote = CallData<"dubQuote">;

export type DubRequest = CallInput<"dubCreate">;

const requestDub = createIdempotentCall<DubRequest, { dub: Dub | null }>(bffPaths.dubs);

/** Generates a dub, charged once however often it is sent. Null if it is not listed yet. Throws `Refused`. */
export const createDub = async (dub: DubRequest) => (await requestDub(dub)).dub;

export const quoteDub = (lines: DubRequest["lines"], signal: AbortSignal) => callApi("dubQuote", { lines }, { signal });

/** Null for an unknown dub. Throws `Refused`. */
export const findDub = async (taskId: string) => (await call<{ dub: Dub | null }>(bffPaths.dub(taskId))).dub;

export const listDubs = (page: number, keyword: string) =>
  call<DubPage>(`${bffPaths.dubs}?${new URLSearchParams({ page: String(page), keyword })}`);

/** Uploads music of the account's own. Throws `Refused`. */
export const uploadMusic = (file: File) => uploadForm("musicUpload", toForm(file, file.name));

export const isRunning = ({ status }: Dub) => status === 1;

/** False for a dub whose upstream keeps no text. */
export const hasText = ({ lines }: Dub) => lines.some(({ content }) => content.trim() !== "");

/** The title, or else the first sentence. */
export const titleOf = ({ title, lines }: { title: string; lines: ReadonlyArray<{ content: string }> }): string =>
  title ||
  nameFromText(lines.find(({ content }) => content.trim() !== "")?.content ?? "") ||
  dubbingRecordsCopy.nameless;

export const countFinishedLines = ({ lines }: Dub) => lines.filter(({ status }) => status === 2).length;

/** Sentence for a failed dub. */
export function failureText({ reason, failedAt }: Dub): string {
  if (reason === "cancelled") return dubGenerationCopy.cancelled;
  // Another upstream's own words.
  if (reason && /\p{Script=Han}/u.test(reason)) return reason;
  if (reason && reason !== "synthesis-failed") return sentenceFor({ code: reason });
  return failedAt === undefined ? dubGenerationCopy.failed : dubGenerationCopy.failedAt(failedAt + 1);
}

/** The export formats, all disabled without a dub; only the dub's own file if the upstream has no exports. */
export function toExportItems(
  dub: Pick<Dub, "dubbId" | "title" | "chapter" | "lines" | "voiceUrl" | "downloads"> | null,
  hasExport: boolean,
): MenuItem[] {
  const book = dub?.chapter?.book;
  const nameFor = (format: string) => `${dub ? (format === "m4b" && book) || titleOf(dub) : ""}.${format}`;
  if (dub && !hasExport) {
    return toDownloads({ voiceUrl: dub.voiceUrl, downloads: [] }, nameFor).map(({ format, url }) => ({
      label: format.toUpperCase(),
      href: url,
    }));
  }
  const files = new Map(dub && toDownloads(dub, nameFor).map((file) => [file.format, file]));
  return Object.entries(dubbingRecordsCopy.formats).flatMap(([format, label]): MenuItem[] => {
    const file = files.get(format);
    const isCall = format in dubExports;
    if (!dub) return [{ label, disabled: true }];
    const href = bffPaths.dubExport(dub.dubbId, format, nameFor(format));
    const preparing = () => notify({ kind: "info", text: playerCopy.preparing(format.toUpperCase()) });
    // Encoded with each download, from all chapters of the book that are done.
    if (format === "m4b") return [{ label, href, note: book && dubbingRecordsCopy.wholeBook, onSelect: preparing }];
    if (!file) return isCall ? [{ label, href }] : [];
    const item = toDownloadItem(file, label, preparing);
    return [isCall ? { ...item, href } : item];
  });
}

/** Between the lines of a take: an overrun of one does not shorten the place of the next. */
const takeGapMs = 1000;

/** The lines as a take speaks them: one after the other, in places as long as their own. */
export function toTakeLines(lines: readonly ScriptLine[]): ScriptLine[] {
  let atMs = 0;
  return lines.map((line) => {
    const { startMs, endMs } = line;
    if (startMs === undefined || endMs === undefined) return { ...line, startMs: undefined, endMs: undefined };
    const place = { startMs: atMs, endMs: atMs + endMs - startMs };
    atMs = place.endMs + takeGapMs;
    return { ...line, ...place };
  });
}

/** The line in the shape of the calls, without default values. */
export function toDubLine(line: ScriptLine): DubRequest["lines"][number] {
  const { pitch, volume, ext, emotionPath, genre, speed } = toDelivery(line);
  const { roleId, content, startMs, endMs, speedUpMax, pauseAfter } = line;
  return {
    roleId,
    content,
    speed,
    genre,
    ...(pitch && { pitch }),
    ...(volume && { volume }),
    ...(genre === 2 && { ext }),
    ...(genre === 1 && { emotionPath }),
    ...(startMs !== undefined && { startMs, endMs, ...(speedUpMax && { speedUpMax }) }),
    ...(pauseAfter && { pauseAfter }),
  };
}

/** A script's lines as a dub, with its music and place in a book; `revises` names the dub that it is a version of. */
export async function toDubRequest(
  { title, music, chapter }: Script,
  lines: readonly ScriptLine[],
  revises: string | null | undefined,
): Promise<DubRequest> {
  return {
    ...{ title, lines: lines.map(toDubLine), isTake: false },
    ...(music && { music: toDubMusic(music) }),
    ...(revises && { revises }),
    ...(chapter && { chapter: await withCover(chapter) }),
  };
}

/** Without the cover where it cannot be uploaded now. */
const withCover = (chapter: NonNullable<Script["chapter"]>) =>
  import("./projects/covers").then((covers) => covers.withCover(chapter)).catch(() => chapter);

/** The script's music in the shape of the calls. */
export const toDubMusic = ({ name: _, loudness: __, ...music }: ScriptMusic) => music;

const settingNames = ["track", "musicPath", "level", "duck", "fadeIn", "fadeOut"] as const;

/** Whether the dub was mixed with this music. */
export const hasMusicOf = ({ music }: Pick<Dub, "music">, script: Pick<Script, "music">): boolean =>
  settingNames.every((name) => (music?.[name] ?? null) === (script.music?.[name] ?? null));

/** Whether the dub contains exactly these lines, at the same subtitle times and with the same pauses. */
export const isDubOf = (dub: Dub, lines: readonly ScriptLine[]): boolean =>
  dub.lines.length === lines.length &&
  lines.every((line, index) => {
    const other = dub.lines[index];
    if (other === undefined || lineKeyOf(line) !== dubLineKeyOf(other)) return false;
    const isSamePlace = other.startMs === line.startMs && timingKeyOf(other) === timingKeyOf(line);
    return isSamePlace && (other.pauseAfter ?? 0) === (line.pauseAfter ?? 0);
  });

/** The generated audio of a line. */
export interface LineAudio {
  dubbId: string;
  voiceUrl: string;
  timelineUrl: string;
  seconds: number;
  /** Milliseconds beyond the subtitle's place, by `timingKeyOf`. */
  overruns?: Readonly<Record<string, number>>;
  /** Words that may be spoken wrong; absent without any. */
  doubts?: string[];
}

/** Sounds by line key. */
export type LineAudios = ReadonlyMap<string, LineAudio>;

type DubLine = Dub["lines"][number];

/** Equal to `lineKeyOf` of a script line that sounds the same. */
export const dubLineKeyOf = (line: DubLine): string => lineKey({ ...line, genre: toGenre(line.genre) });

/** Adds the finished lines of a dub. Returns the same map if there are none. */
export function withDubAudio(audios: LineAudios, dub: Dub): LineAudios {
  const added = new Map<string, LineAudio>();
  for (const line of dub.lines) {
    if (line.status !== 2 || !line.voiceUrl) continue;
    const key = dubLineKeyOf(line);
    const timing = timingKeyOf(line);
    const { voiceUrl, timelineUrl, duration: seconds, overrunMs } = line;
    const known = added.get(key) ?? audios.get(key);
    if (known?.voiceUrl === voiceUrl && (!timing || known.overruns?.[timing] === overrunMs)) continue;
    const doubts = [...new Set((line.doubts ?? []).map(({ text }) => text))];
    added.set(key, {
      ...{ dubbId: dub.dubbId, voiceUrl, timelineUrl, seconds },
      ...(timing && { overruns: { ...known?.overruns, [timing]: overrunMs } }),
      ...(doubts.length > 0 && { doubts }),
    });
  }
  return added.size === 0 ? audios : new Map([...audios, ...added]);
}

export const withoutDubAudio = (audios: LineAudios, dubbId: string): LineAudios =>
  new Map([...audios].filter(([, audio]) => audio.dubbId !== dubbId));

/** Adds the lines that were sent to a dub whose upstream returns none. The file of a one-line dub is its line's. */
export function withSentLines(dub: Dub, sent: Dub["lines"] | undefined): Dub {
  if (dub.lines.length > 0 || !sent) return dub;
  const lines = sent.map((line) => ({ ...line, status: dub.status }));
  return { ...dub, lines: lines.map((line) => (lines.length === 1 ? { ...line, voiceUrl: dub.voiceUrl } : line)) };
}
