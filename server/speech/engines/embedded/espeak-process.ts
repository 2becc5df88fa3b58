import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { type Program, resolveProgram } from "../../../program";
import { SpeechError } from "../../engine";
import { type EspeakReply, type EspeakRequest, type PronounceRequest, readFrames, writeFrame } from "./espeak-protocol";

export interface SourceSpeech extends Omit<EspeakReply, "fault"> {
  pcm: Int16Array;
}

export interface Espeak {
  /** One text after another. Throws SpeechError 'engine' if two programs fail on it; the next text gets a new one. */
  speak(request: EspeakRequest): Promise<SourceSpeech>;
  /** American IPA of words, in their order; sounds are joined by `_`. Throws as `speak` does. */
  pronounce(words: readonly string[]): Promise<string[]>;
  close(): void;
}

interface PendingAnswer {
  resolve(speech: SourceSpeech): void;
  reject(reason: Error): void;
}

/**
 * A start takes 0.5 s of a core; the longest clause, 48 syllables at the slowest pace, 0.1 s. On a loaded machine the
 * program waits for its turn, because speech processes have a low priority.
 */
const [startMs, defaultAnswerMs] = [60_000, 30_000];
const faultMaxLength = 200;

/** A sentence in both languages, and its sound in a new program: later ones differed by 2.4 % in length, 1 % in level. */
const knownRequest: EspeakRequest = { markup: " [[n'i214]] [[x'au214]] world.", rate: 224, range: 80 };
const knownSound = { phonemes: "n ˈi x a u (en) w ɜː l d (cmn)", samples: 14_290, level: 2655 } as const;
const tolerance = 0.06;

/** A running eSpeak NG, which answers one request at a time. It ends at its first fault: later sound cannot be trusted. */
class EspeakProgram {
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #started: Promise<void>;
  readonly #report: (line: string) => void;
  readonly #answerMs: number;
  #pending: PendingAnswer | null = null;
  #fault: Error | null = null;

  /** `report` receives its fault as one line. */
  constructor({ path, nodeArguments, env }: Program, { report, answerMs }: Required<Omit<EspeakOptions, "program">>) {
    this.#report = report;
    this.#answerMs = answerMs;
    // Without warnings of Node, whatever it writes to its error output is a complaint of eSpeak.
    const nodeOptions = ["--max-old-space-size=128", "--no-warnings", ...nodeArguments];
    this.#child = spawn(process.execPath, [...nodeOptions, path], { stdio: "pipe", env });
    const { stdin, stdout, stderr } = this.#child;
    this.#child.on("error", ({ message }) => this.#fail(`could not be started: ${message}`));
    this.#child.on("exit", (code, signal) => this.#fail(`ended (${signal ?? code})`));
    stdin.on("error", ({ message }) => this.#fail(`closed its input: ${message}`));
    stdout.on("error", ({ message }) => this.#fail(`sent invalid output: ${message}`));
    stderr.on("data", (bytes: Buffer) => this.#fail(`complained: ${firstLine(bytes)}`));
    readFrames<EspeakReply>(stdout, ({ head, body }) => this.#receive(head, body));
    this.#started = this.#requireKnownSound(startMs);
    this.#started.catch(() => {});
  }

  get hasEnded(): boolean {
    return this.#fault !== null;
  }

  /** Rejects if the program fails, or if it speaks the known sentence otherwise after this text. */
  async speak(request: EspeakRequest | PronounceRequest): Promise<SourceSpeech> {
    await this.#started;
    const speech = await this.#ask(request, this.#answerMs);
    await this.#requireKnownSound(this.#answerMs);
    return speech;
  }

  close(): void {
    this.#end(new Error("eSpeak was closed"));
  }

  #fail(reason: string) {
    if (this.#fault) return;
    const fault = new Error(`eSpeak ${reason}`.slice(0, faultMaxLength));
    this.#report(fault.message);
    this.#end(fault);
  }

  #end(fault: Error) {
    this.#fault ??= fault;
    this.#child.kill("SIGKILL");
    this.#pending?.reject(this.#fault);
  }

  async #ask(request: EspeakRequest | PronounceRequest, waitMs: number): Promise<SourceSpeech> {
    if (this.#fault) throw this.#fault;
    const timer = setTimeout(() => this.#fail(`gave no answer within ${waitMs / 1000} s`), waitMs);
    try {
      return await new Promise<SourceSpeech>((resolve, reject) => {
        this.#pending = { resolve, reject };
        writeFrame(this.#child.stdin, request);
      });
    } finally {
      clearTimeout(timer);
      this.#pending = null;
    }
  }

  #receive({ fault, ...reply }: EspeakReply, { buffer, byteOffset, byteLength }: Uint8Array) {
    if (fault !== undefined) this.#fail(`failed: ${fault}`);
    else this.#pending?.resolve({ ...reply, pcm: new Int16Array(buffer, byteOffset, byteLength >> 1) });
  }

  async #requireKnownSound(waitMs: number): Promise<void> {
    const { pcm, phonemes } = await this.#ask(knownRequest, waitMs);
    const level = Math.sqrt(pcm.reduce((sum, value) => sum + value * value, 0) / pcm.length);
    const spoken = phonemes.flatMap(({ ipa }) => ipa || []).join(" ");
    const isKnown =
      spoken === knownSound.phonemes && isNear(pcm.length, knownSound.samples) && isNear(level, knownSound.level);
    if (isKnown) return;
    this.#fail(`spoke a known sentence as “${spoken}”, ${pcm.length} samples of level ${Math.round(level)}`);
    throw this.#fault;
  }
}

const isNear = (value: number, known: number) => Math.abs(value / known - 1) < tolerance;

const firstLine = (bytes: Buffer) => bytes.toString().split("\n", 1)[0];

interface EspeakOptions {
  program?: Program;
  answerMs?: number;
  /** Receives a line for each program that failed. */
  report?(line: string): void;
}

/** Keeps an eSpeak NG program running: starts it immediately, replaces it after a fault and ends it with this process. */
export function createEspeak(options: EspeakOptions = {}): Espeak {
  const { program: source = resolveProgram("./speech/engines/embedded", "espeak") } = options;
  const { report = printLine, answerMs = defaultAnswerMs } = options;
  let program = new EspeakProgram(source, { report, answerMs });
  let isClosed = false;
  let last: Promise<unknown> = Promise.resolve();

  async function attempt(request: EspeakRequest | PronounceRequest): Promise<SourceSpeech> {
    if (isClosed) throw new Error("eSpeak is closed");
    if (program.hasEnded) program = new EspeakProgram(source, { report, answerMs });
    return program.speak(request);
  }

  function send(request: EspeakRequest | PronounceRequest): Promise<SourceSpeech> {
    const speech = last
      .then(() => attempt(request))
      .catch(() => attempt(request))
      .catch((cause: Error) => {
        throw new SpeechError("engine", cause.message, { cause });
      });
    last = speech.catch(() => {});
    return speech;
  }

  function close() {
    isClosed = true;
    process.off("exit", close);
    program.close();
  }

  process.on("exit", close);
  const pronounce = async (words: readonly string[]) => (await send({ words: [...words] })).pronunciations ?? [];

  return { speak: send, pronounce, close };
}

const printLine = (line: string) => void process.stderr.write(`${line}\n`);
