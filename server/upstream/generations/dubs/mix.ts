import { open } from "node:fs/promises";
import type { MixedSound } from "../../voices/ports";
import { audibleMs, lengthMs, type PlacedLine } from "./placement";

/** Writes the lines of a dub to one file; memory holds one line at a time. */
export type Mix = Awaited<ReturnType<typeof createMix>>;

const bytesPerSample = 2;
const silenceBlock = new Uint8Array(256 * 1024);

/** `path` must not exist. */
export async function createMix(path: string) {
  const file = await open(path, "wx");
  const timelines = createTimelines();
  const speakers = new Set<string>();
  let sampleRate = 0;
  let written = 0;
  let last: PlacedLine | undefined;
  const toSamples = (ms: number) => Math.round((ms * sampleRate) / 1000);

  const writeSilence = async (until: number) => {
    for (let left = (until - written) * bytesPerSample; left > 0; left -= silenceBlock.length) {
      await file.writeFile(silenceBlock.subarray(0, Math.min(left, silenceBlock.length)));
    }
    written = Math.max(written, until);
  };
  /** Writes the last line as far as `end`, then silence. */
  const writeLast = async (end: number) => {
    if (last) {
      const from = toSamples(last.beginsMs);
      await writeSilence(from);
      const { pcm } = last.sound;
      const part = pcm.subarray(0, Math.max(0, end - from));
      await file.writeFile(new Uint8Array(part.buffer, part.byteOffset, part.byteLength));
      written = from + part.length;
    }
    await writeSilence(end);
  };

  return {
    /**
     * Appends a mastered line. Throws where its sample rate differs from the first line's.
     */
    async add(line: PlacedLine) {
      sampleRate ||= line.sound.sampleRate;
      if (line.sound.sampleRate !== sampleRate) throw new Error("lines of different sample rates");
      await writeLast(toSamples(line.beginsMs));
      last = line;
      timelines.add(line);
      for (const speaker of line.sound.spokenBy?.split(",") ?? []) speakers.add(speaker);
    },
    /** Writes the last line and its pause. Units of the timeline carry their line, from 0; null if a line has no timeline. */
    async end(): Promise<MixedSound> {
      await writeLast(last ? toSamples(endOf(last)) : 0);
      await file.close();
      const spokenBy = [...speakers].sort().join(",");
      const sound = { path, samples: written, sampleRate };
      return { ...sound, timeline: timelines.end(sound), ...(spokenBy && { spokenBy }) };
    },
    /** Idempotent. The caller removes the file. */
    close: (): Promise<void> => file.close(),
  };
}

/** A subtitle lasts to its time: the sound ends with the last one. */
const endOf = ({ beginsMs, sound, pauseAfter, endMs }: PlacedLine): number =>
  Math.max(beginsMs + Math.max(lengthMs(sound), audibleMs(sound) + pauseAfter * 1000), endMs ?? 0);

/** The timeline as pieces of JSON, line by line. */
function createTimelines() {
  const units: string[] = [];
  const phonemes: string[] = [];
  let lines = 0;
  let isTimed = true;
  const push = (into: string[], items: readonly object[]) => {
    if (items.length > 0) into.push(JSON.stringify(items).slice(1, -1));
  };
  return {
    add({ beginsMs, sound: { timeline } }: PlacedLine) {
      const line = lines++;
      isTimed &&= timeline !== undefined;
      if (!timeline || !isTimed) return;
      const later = <T extends { start: number; end: number }>(item: T): T => ({
        ...item,
        start: Math.round(item.start + beginsMs),
        end: Math.round(item.end + beginsMs),
      });
      push(
        units,
        timeline.units.map((unit) => ({ ...later(unit), line })),
      );
      push(phonemes, timeline.phonemes.map(later));
    },
    end({ samples, sampleRate }: { samples: number; sampleRate: number }): string[] | null {
      if (!isTimed || lines === 0) return null;
      const durationMs = Math.round((samples / sampleRate) * 1000);
      const head = `{"sampleRate":${sampleRate},"durationMs":${durationMs},"units":[`;
      return [head, ...withCommas(units), '],"phonemes":[', ...withCommas(phonemes), "]}"];
    },
  };
}

const withCommas = (pieces: readonly string[]) => pieces.map((piece, i) => (i === 0 ? piece : `,${piece}`));
