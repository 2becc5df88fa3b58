import { formatBytes } from "~/copy/format";
import { playerCopy } from "~/copy/site";
import { paths } from "~/paths";

/** A file that a sound can be saved as. */
export interface Download {
  /** A file ending such as mp3. */
  format: string;
  url: string;
  /** Absent if the upstream does not say. */
  bytes?: number | undefined;
  /** Encoded when it is first asked for, which takes seconds. */
  isOnDemand?: boolean;
  /** Ends with the audible mark, which is not heard on the site. */
  hasMark?: boolean | undefined;
}

interface SavedSound {
  voiceUrl: string;
  /** Empty if the upstream offers no files besides the sound itself. */
  downloads: Download[];
}

/** The files of a sound that can be saved; at least the sound itself. */
export function toDownloads({ voiceUrl, downloads }: SavedSound, nameFor: (format: string) => string): Download[] {
  const sound: Download[] = voiceUrl ? [{ format: endingOf(voiceUrl), url: voiceUrl }] : [];
  const files = downloads.length > 0 ? downloads : sound;
  return files.map(({ format, url, bytes, hasMark }) => ({
    format,
    url: paths.media(url, nameFor(format)),
    ...(bytes !== undefined && { bytes }),
    ...(hasMark && { hasMark }),
    ...(url !== voiceUrl && nameOf(url) === nameOf(voiceUrl) && { isOnDemand: true }),
  }));
}

/** The address without its ending: a file that is not encoded yet has that of the sound. */
const nameOf = (url: string) => url.replace(/\.[a-z0-9]+$/i, "");

/** The note beside a format in a menu: its size, or that encoding takes a moment. */
export const noteOf = ({ bytes, isOnDemand }: Download): string =>
  bytes !== undefined ? formatBytes(bytes) : isOnDemand ? playerCopy.onDemand : "";

/** A download as a row of a menu; `onPrepare` when one is chosen that has to be encoded first. */
export function toDownloadItem(download: Download, label: string, onPrepare: () => void) {
  const note = noteOf(download);
  return { label, href: download.url, ...(note && { note }), ...(download.isOnDemand && { onSelect: onPrepare }) };
}

/** Menu rows that say that the files end with the audible mark and lead to its setting; none if they do not. */
export const toMarkRows = (files: readonly Download[], onSetting: () => void) =>
  files.some(({ hasMark }) => hasMark)
    ? [null, { label: playerCopy.markNote, note: playerCopy.markSetting, onSelect: onSetting }]
    : [];

const endingOf = (url: string) => /\.([a-z0-9]{2,4})(?:[?#]|$)/i.exec(url)?.[1]?.toLowerCase() ?? "mp3";
