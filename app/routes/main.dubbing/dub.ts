import { bffPaths } from "~/bff-paths";
import { dubbingRecordsCopy, dubGenerationCopy } from "~/copy/dubbing-records";
import { sentenceFor } from "~/copy/errors";
import { toDownloads } from "~/features/player/downloads";
import type { Dub } from "~server/bff/generations.server";
import type { MenuItem } from "./editor/menu";
import { createLine, lineKeyOf, type Script, type ScriptLine, type Speaker, toGenre } from "./editor/script";
import { dubLineKeyOf } from "./generation/line-audio";

export const isRunning = ({ status }: Dub) => status === 1;

export const countFinishedLines = ({ lines }: Dub) => lines.filter(({ status }) => status === 2).length;

/** Why a dub failed. */
export function failureText({ reason, failedAt }: Dub): string {
  if (reason === "cancelled") return dubGenerationCopy.cancelled;
  if (reason && reason !== "synthesis-failed") return sentenceFor({ code: reason });
  return failedAt === undefined ? dubGenerationCopy.failed : dubGenerationCopy.failedAt(failedAt + 1);
}

/** The export formats, all disabled without a dub; only the dub's own file if the upstream has no exports. */
export function toExportItems(dub: Pick<Dub, "dubbId" | "title" | "voiceUrl"> | null, hasExport: boolean): MenuItem[] {
  const nameFor = (format: string) => `${dub?.title || dubbingRecordsCopy.heading}.${format}`;
  if (dub && !hasExport) {
    return toDownloads({ voiceUrl: dub.voiceUrl, downloads: [] }, nameFor).map(({ format, url }) => ({
      label: format.toUpperCase(),
      href: url,
    }));
  }
  return Object.entries(dubbingRecordsCopy.formats).map(([format, label]) => ({
    label,
    ...(dub ? { href: bffPaths.dubExport(dub.dubbId, format, nameFor(format)) } : { disabled: true }),
  }));
}

/** The script and the speakers of a dub. */
export function toScript(dub: Dub): { script: Script; speakers: Speaker[] } {
  const lines = dub.lines.map(({ roleId, content, speed, pitch, volume, genre, ext, emotionPath, startMs, endMs }) =>
    createLine({
      ...{ roleId, content, speed, pitch, volume, ext, startMs, endMs },
      genre: toGenre(genre),
      emotionPath: emotionPath || undefined,
    }),
  );
  const speakers = dub.lines.map(({ roleId, name, avatar, portrait }) => ({ roleId, name, avatar, portrait }));
  const script = { title: dub.title, lines: lines.length > 0 ? lines : [createLine({ roleId: "" })] };
  return { script, speakers: speakers.filter(({ roleId, name }) => roleId && name) };
}

/** Whether the dub contains exactly these lines, at the same subtitle times. */
export const isDubOf = (dub: Dub, lines: readonly ScriptLine[]): boolean =>
  dub.lines.length === lines.length &&
  lines.every((line, index) => {
    const other = dub.lines[index];
    return other !== undefined && lineKeyOf(line) === dubLineKeyOf(other) && other.startMs === line.startMs;
  });
