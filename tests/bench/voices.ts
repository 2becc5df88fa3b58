/** Recordings for benchmarks: WAV files and their text in README.md (`| name.wav | text |`) or transcripts.txt (`name.wav text`). */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { speechRate } from "../../server/speech/dsp/grid";
import { resample } from "../../server/speech/dsp/resample";
import { normaliseLevel } from "../../server/speech/engines/embedded/voice/enrolment";
import { decodeRecording } from "../../server/speech/recording/decode";

/** Share of a recording from which a voice is learned; the rest scores it. */
export const enrolShare = 0.6;

export function readVoices(folder: string): Promise<Array<{ name: string; samples: Float32Array }>> {
  const files = readdirSync(folder)
    .filter((file) => file.endsWith(".wav"))
    .sort();
  return Promise.all(
    files.map(async (name) => {
      const { samples, sampleRate } = await decodeRecording(readFileSync(join(folder, name)));
      return { name, samples: normaliseLevel(resample(samples, sampleRate, speechRate)) };
    }),
  );
}

export function readTranscripts(folder: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const file of ["README.md", "transcripts.txt"].map((name) => join(folder, name)).filter(existsSync)) {
    for (const line of readFileSync(file, "utf8").split("\n")) {
      const [, name, text] = /^\|?\s*(\S+\.wav)\s*\|?\s*(.+?)\s*\|?\s*$/.exec(line) ?? [];
      if (name && text) found.set(name, text);
    }
  }
  return found;
}
