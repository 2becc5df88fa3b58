import { paths } from "~/paths";

export interface Download {
  /** A file ending such as mp3. */
  format: string;
  url: string;
}

interface Sound {
  voiceUrl: string;
  /** Empty where the upstream offers no files besides the sound itself. */
  downloads: Download[];
}

/** The files of a sound that can be saved; at least the sound itself. */
export function toDownloads({ voiceUrl, downloads }: Sound, nameFor: (format: string) => string): Download[] {
  const sound = voiceUrl ? [{ format: endingOf(voiceUrl), url: voiceUrl }] : [];
  const files = downloads.length > 0 ? downloads : sound;
  return files.map(({ format, url }) => ({ format, url: paths.media(url, nameFor(format)) }));
}

const endingOf = (url: string) => /\.([a-z0-9]{2,4})(?:[?#]|$)/i.exec(url)?.[1]?.toLowerCase() ?? "mp3";
