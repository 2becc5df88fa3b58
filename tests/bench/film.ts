/** A film of 60 s at 720 × 1280 by each encoder: wall time, processor time and memory of its processes. */
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { findFfmpeg } from "../../server/settings/installed";
import { encodeWav } from "../../server/speech/recording/formats/wav";
import { humans } from "../../server/upstream/db/seed/seed";
import type { FilmRequest } from "../../server/upstream/film/film";
import { createFilmMaker } from "../../server/upstream/film/maker";
import { speechLike, toPcm } from "../support/sounds";
import type { Row } from "./row";

const seconds = 60;
const goal = { seconds: 60, megabytes: 400 };
const sampleEveryMs = 500;
const phonemeMs = 120;
const mouths = ["aa", "oh", "E", "ih", "ou", "PP", "FF", "SS"];
/** The built product's; from TypeScript, the loader's memory and time would count too. */
const builtProgram = fileURLToPath(new URL("../../build/server/film-child.js", import.meta.url));

interface ProcessUse {
  pid: number;
  parent: number;
  kilobytes: number;
  seconds: number;
}

/** All processes that `root` started, directly or not. */
function listDescendants(root: number): ProcessUse[] {
  const text = execFileSync("ps", ["-eo", "pid=,ppid=,cputimes="]).toString();
  const all = text.split("\n").map((line) => {
    const [pid = 0, parent = 0, used = 0] = line.trim().split(/\s+/).map(Number);
    return { pid, parent, seconds: used };
  });
  const found = new Set([root]);
  for (let size = 0; size !== found.size; ) {
    size = found.size;
    for (const { pid, parent } of all) if (found.has(parent)) found.add(pid);
  }
  const started = all.filter(({ pid }) => pid !== root && found.has(pid));
  return started.map((one) => ({ ...one, kilobytes: readKilobytes(one.pid) }));
}

/** Pages that several processes share count for each by its share; 0 for a process that has ended. */
function readKilobytes(pid: number): number {
  const path = `/proc/${pid}/smaps_rollup`;
  try {
    return Number(/^Pss:\s+(\d+)/m.exec(readFileSync(path, "utf8"))?.[1] ?? 0);
  } catch {
    return 0;
  }
}

/** Samples the processes while `run` runs. */
async function measure(run: () => Promise<unknown>) {
  const processorSeconds = new Map<number, number>();
  let peakKilobytes = 0;
  const timer = setInterval(() => {
    const found = listDescendants(process.pid);
    for (const { pid, seconds: used } of found) processorSeconds.set(pid, used);
    peakKilobytes = Math.max(
      peakKilobytes,
      found.reduce((sum, { kilobytes }) => sum + kilobytes, 0),
    );
  }, sampleEveryMs);
  const startedAt = performance.now();
  await run().finally(() => clearInterval(timer));
  return {
    wall: (performance.now() - startedAt) / 1000,
    processor: [...processorSeconds.values()].reduce((sum, used) => sum + used, 0),
    megabytes: peakKilobytes / 1024,
  };
}

function writeRequest(folder: string, name: string): FilmRequest {
  const sound = speechLike({ seconds: seconds - 2, seed: 5 });
  const [soundPath, timelinePath] = [join(folder, "sound.wav"), join(folder, "timeline.json")];
  writeFileSync(soundPath, encodeWav(toPcm(sound), sound.sampleRate));
  const durationMs = (seconds - 2) * 1000;
  const phonemes = Array.from({ length: Math.floor(durationMs / phonemeMs) }, (_, i) => ({
    ...{ start: i * phonemeMs, end: (i + 1) * phonemeMs, viseme: mouths[i % mouths.length], phoneme: "a" },
  }));
  writeFileSync(timelinePath, JSON.stringify({ durationMs, phonemes, units: [] }));
  const text = "今天的天气怎么样？";
  return {
    ...{ width: 720, height: 1280, format: "mp4", background: "paper", seed: "bench", soundPath, timelinePath },
    people: [{ portrait: humans[0]?.portrait ?? null, photoPath: null }],
    turns: [{ start: 0, end: durationMs, person: 0, text }],
    cues: [{ start: 0, end: durationMs, text }],
    ...{ folder: join(folder, "work"), to: join(folder, `${name}.mp4`) },
  };
}

const program = { path: builtProgram, nodeArguments: [], env: { NODE_ENV: "production" } as const, arguments: [] };

export async function benchFilm(): Promise<Row[]> {
  const ffmpegPath = findFfmpeg(undefined, process.env.PATH);
  const folder = mkdtempSync(join(tmpdir(), "bench-film-"));
  const options = { signal: new AbortController().signal, onProgress: () => {} };
  const rows: Row[] = [];
  for (const [name, path] of [["ffmpeg", ffmpegPath] as const, ["WebAssembly", undefined] as const]) {
    if (name === "ffmpeg" && !path) continue;
    const films = createFilmMaker({ ffmpegPath: path, ...(existsSync(builtProgram) && { program }) });
    const { wall, processor, megabytes } = await measure(() => films.make(writeRequest(folder, name), options));
    rows.push(
      {
        name: `${name}: ${seconds} s of film`,
        value: wall,
        unit: "s",
        reference: `≤ ${goal.seconds} s on quiet cores`,
      },
      {
        name: `${name}: processor time`,
        value: processor,
        unit: "s",
        reference: `≤ ${2 * goal.seconds} s on two cores`,
      },
      { name: `${name}: all processes`, value: megabytes, unit: "MB", reference: `≤ ${goal.megabytes} MB` },
    );
  }
  rmSync(folder, { recursive: true });
  return rows;
}
