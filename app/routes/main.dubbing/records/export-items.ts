import { bffPaths } from "~/bff-paths";
import { editorCopy } from "~/copy/dubbing";
import { dubbingRecordsCopy } from "~/copy/dubbing-records";
import { paths } from "~/paths";
import type { Dub } from "~server/bff/generations.server";
import type { MenuItem } from "../editor/menu";

const extensions = { mp3: "mp3", wav: "wav", zip: "zip", srt: "srt", lrc: "lrc", vtt: "vtt" } as const;

/**
 * A finished dub in every format, to be saved under its title; all disabled without one. Where the upstream makes no
 * exports there is its file alone.
 */
export function exportItems(dub: Pick<Dub, "dubbId" | "title" | "voiceUrl"> | null, hasExport: boolean): MenuItem[] {
  if (dub && !hasExport) {
    const extension = /\.(mp3|wav|m4a|ogg|flac)(?=$|\?)/i.exec(dub.voiceUrl)?.[1]?.toLowerCase() ?? "mp3";
    const href = paths.media(dub.voiceUrl, `${dub.title || dubbingRecordsCopy.heading}.${extension}`);
    return [{ label: extension.toUpperCase(), href }];
  }
  return Object.entries(extensions).map(([format, extension]) => ({
    label: dubbingRecordsCopy.formats[format as keyof typeof extensions],
    ...(dub
      ? { href: bffPaths.dubExport(dub.dubbId, format, `${dub.title || dubbingRecordsCopy.heading}.${extension}`) }
      : { disabled: true }),
  }));
}

/** What of the script can be saved now, and what to know about it; `changed` lines are not in the dub. */
export function scriptExports(dub: Dub | null, changed: number, hasExport: boolean) {
  if (dub?.status !== 2) return { items: exportItems(null, hasExport), heading: dubbingRecordsCopy.exportHint };
  const heading = changed > 0 ? dubbingRecordsCopy.exportStale : dub.title || editorCopy.untitled;
  return { items: exportItems(dub, hasExport), heading };
}
