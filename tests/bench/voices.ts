/**
 * Each installed engine learns the voices of a folder of WAV files and says 60 everyday sentences. A recogniser, a speaker
 * model and DNSMOS of other authors judge them beside the people's own speech. EARS_PYTHON is a Python with the packages
 * that ears.py lists, EARS_WHISPER the recogniser's folder, EARS_RECORDINGS the folder of recordings.
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findInstalledModels } from "../../server/settings/installed";
import { prepareText } from "../../server/speech/chinese/prepare";
import { speechRate } from "../../server/speech/dsp/grid";
import { concatArrays, toPcm } from "../../server/speech/dsp/pcm";
import { resample } from "../../server/speech/dsp/resample";
import type { SpeechEngine, VoiceProfile } from "../../server/speech/engine";
import { createEmbeddedEngine } from "../../server/speech/engines/embedded/engine";
import { normaliseLevel } from "../../server/speech/engines/embedded/voice/enrolment";
import { createKokoroEngine } from "../../server/speech/engines/kokoro/engine";
import { modelFiles } from "../../server/speech/engines/kokoro/model";
import { createRemoteEngine } from "../../server/speech/engines/remote/remote-engine";
import { createSherpaBackend } from "../../server/speech/engines/sherpa/engine";
import { createListener } from "../../server/speech/engines/sherpa/listener";
import { decodeRecording } from "../../server/speech/recording/decode";
import { encodeWav } from "../../server/speech/recording/formats/wav";
import { everydaySentences } from "./everyday-sentences";
import { median } from "./quantile";
import type { Row } from "./row";

const maxSpeakers = 12;
/** Share of a recording from which a voice is learned; the judges compare with the rest. */
const enrolShare = 0.6;
const signal = new AbortController().signal;

interface Speaker {
  name: string;
  enrolled: Float32Array;
}
interface JudgedSound {
  system: string;
  speaker: string;
  file: string;
  /** The words as they must be heard. */
  text?: string;
}
interface SpokenSystem {
  sounds: JudgedSound[];
  realTimeFactor: number;
  firstSoundMs: number;
}
/** Printed by ears.py. */
interface Judgement {
  misunderstood: number | null;
  dnsmos: number;
  own: number;
  others: number | null;
  nearest: number;
  speakers: number;
}

export async function benchVoices(): Promise<Row[]> {
  const recordings = process.env.EARS_RECORDINGS ?? "";
  const fault = findEarsFault();
  if (fault) {
    console.log(`Skipped: ${fault}`);
    return [];
  }
  const folder = mkdtempSync(join(tmpdir(), "bench-ears-"));
  // The engines' processes do not keep this one alive.
  const awake = setInterval(() => {}, 1000);
  try {
    return await measureIn(folder, recordings);
  } finally {
    clearInterval(awake);
    rmSync(folder, { recursive: true });
  }
}

async function measureIn(folder: string, recordings: string): Promise<Row[]> {
  const speakers = await writeOwners(folder, recordings);
  const sounds: JudgedSound[] = speakers.map(({ name }) => ({
    system: "people",
    speaker: name,
    file: firstPart(name),
  }));
  const systems = new Map<string, SpokenSystem>();
  const engines = await openEngines();
  for (const [name, engine] of engines) {
    const spoken = await speakAll(engine, { system: name, speakers, folder });
    systems.set(name, spoken);
    sounds.push(...spoken.sounds);
  }
  // Together, because ZipVoice aligns with the built-in engine.
  for (const engine of engines.values()) await engine.close?.();
  return Object.entries(judge(folder, sounds)).flatMap(([name, judgement]) =>
    toRows(name, judgement, systems.get(name)),
  );
}

function findEarsFault(): string | null {
  const { EARS_PYTHON, EARS_WHISPER, EARS_RECORDINGS } = process.env;
  if (!EARS_PYTHON || !EARS_WHISPER || !EARS_RECORDINGS)
    return "EARS_PYTHON, EARS_WHISPER and EARS_RECORDINGS are not set; see tests/bench/ears.py.";
  const modules = "cn2an, librosa, zhconv, faster_whisper, pypinyin, resemblyzer, speechmos";
  const { status } = spawnSync(EARS_PYTHON, ["-c", `import ${modules}`], { stdio: "ignore" });
  return status === 0 ? null : `${EARS_PYTHON} has not all of ${modules}.`;
}

/** Built-in, and what is installed. */
async function openEngines(): Promise<Map<string, SpeechEngine>> {
  const embedded = await createEmbeddedEngine();
  const engines = new Map<string, SpeechEngine>([["built-in", embedded]]);
  const dataDir = process.env.DATA_DIR ?? "data";
  const kokoro = join(dataDir, "models", "kokoro");
  if (existsSync(join(kokoro, modelFiles.styles))) engines.set("Kokoro", createKokoroEngine({ folder: kokoro }));
  const { cloner, hasCloner, recogniser: senseVoice } = findInstalledModels(dataDir);
  const { recogniser } = createListener({ recogniser: senseVoice });
  if (cloner && hasCloner && recogniser) {
    const limits = { concurrency: 1, maxQueue: 1, timeoutMs: 120_000 };
    const parts = { align: embedded.align, prepareText, recogniser };
    engines.set("ZipVoice", createRemoteEngine(createSherpaBackend({ folder: cloner }), { ...limits, ...parts }));
  }
  return engines;
}

const firstPart = (speaker: string) => join("people", `${speaker}-first.wav`);

/** The part of each recording that is learned from, and the rest for the judges. */
async function writeOwners(folder: string, recordings: string): Promise<Speaker[]> {
  mkdirSync(join(folder, "people"));
  const owners: Record<string, string> = {};
  const speakers = (await readRecordings(recordings)).slice(0, maxSpeakers).map(({ name, samples }) => {
    const cut = Math.floor(samples.length * enrolShare);
    const [enrolled, rest] = [samples.slice(0, cut), samples.slice(cut)];
    owners[name] = join("people", `${name}-rest.wav`);
    writeFileSync(join(folder, owners[name]), encodeWav(toPcm(rest), speechRate));
    writeFileSync(join(folder, firstPart(name)), encodeWav(toPcm(enrolled), speechRate));
    return { name, enrolled };
  });
  writeFileSync(join(folder, "owners.json"), JSON.stringify(owners));
  return speakers;
}

/** The sentences are dealt to the speakers, so that each is said once. */
async function speakAll(
  engine: SpeechEngine,
  { system, speakers, folder }: { system: string; speakers: Speaker[]; folder: string },
): Promise<SpokenSystem> {
  mkdirSync(join(folder, system));
  const voices = new Map<string, VoiceProfile>();
  for (const { name, enrolled } of speakers) {
    voices.set(name, await engine.enroll({ samples: enrolled, sampleRate: speechRate }));
  }
  const found: SpokenSystem = { sounds: [], realTimeFactor: 0, firstSoundMs: 0 };
  const times = { spentMs: 0, soundMs: 0, firsts: [] as number[] };
  for (const [i, { text, heard }] of everydaySentences.entries()) {
    const speaker = (speakers[i % speakers.length] as Speaker).name;
    const startedAt = performance.now();
    const chunks = [];
    const request = { text: prepareText(text), voice: voices.get(speaker) as VoiceProfile, speed: 1 };
    for await (const chunk of engine.synthesize(request, signal)) {
      if (chunks.length === 0) times.firsts.push(performance.now() - startedAt);
      chunks.push(chunk);
    }
    times.spentMs += performance.now() - startedAt;
    const pcm = concatArrays(
      Int16Array,
      chunks.map((chunk) => chunk.pcm),
    );
    const { sampleRate } = chunks[0] as (typeof chunks)[number];
    times.soundMs += (1000 * pcm.length) / sampleRate;
    const file = join(system, `${i}.wav`);
    writeFileSync(join(folder, file), encodeWav(pcm, sampleRate));
    found.sounds.push({ system, speaker, file, text: heard ?? text });
  }
  return { ...found, realTimeFactor: times.spentMs / times.soundMs, firstSoundMs: median(times.firsts.slice(1)) };
}

async function readRecordings(folder: string): Promise<Array<{ name: string; samples: Float32Array }>> {
  const files = readdirSync(folder).filter((file) => file.endsWith(".wav"));
  return Promise.all(
    files.sort().map(async (name) => {
      const { samples, sampleRate } = await decodeRecording(readFileSync(join(folder, name)));
      return { name, samples: normaliseLevel(resample(samples, sampleRate, speechRate)) };
    }),
  );
}

function judge(folder: string, sounds: JudgedSound[]): Record<string, Judgement> {
  writeFileSync(join(folder, "sounds.json"), JSON.stringify(sounds));
  const args = [join(import.meta.dirname, "ears.py"), folder, process.env.EARS_WHISPER as string];
  const { status, stdout, stderr } = spawnSync(process.env.EARS_PYTHON as string, args, { encoding: "utf8" });
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout);
}

function toRows(system: string, judged: Judgement, spoken: SpokenSystem | undefined): Row[] {
  const { misunderstood, dnsmos, own, others, nearest, speakers } = judged;
  const row = (name: string, value: number, unit = ""): Row => ({ name: `${system}: ${name}`, value, unit });
  return [
    ...(misunderstood === null ? [] : [row("syllables misunderstood", 100 * misunderstood, "%")]),
    row("likeness to the owner", own),
    ...(others === null ? [] : [row("likeness to others", others)]),
    row(`nearest to the owner, of ${speakers}`, nearest),
    row("DNSMOS", dnsmos),
    ...(spoken
      ? [
          row("time per second of sound", spoken.realTimeFactor, "s"),
          row("first sound of a sentence, warm, median", spoken.firstSoundMs, "ms"),
        ]
      : []),
  ];
}
