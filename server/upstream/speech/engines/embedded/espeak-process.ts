import { type ChildProcess, spawn } from "node:child_process";
import { resolveProgram } from "../../../program";
import { SpeechError } from "../../engine";
import type { EspeakReply, EspeakRequest, PronounceRequest } from "./espeak-protocol";
import { readFrames, writeFrame } from "./espeak-protocol";

export interface SourceSpeech extends EspeakReply {
  pcm: Int16Array;
}

export interface Espeak {
  /** Throws SpeechError 'engine' if the program fails; the next call restarts it. */
  speak(request: Omit<EspeakRequest, "id">): Promise<SourceSpeech>;
  /** American IPA of words, in their order; sounds are joined by `_`. Throws as `speak` does. */
  pronounce(words: readonly string[]): Promise<string[]>;
  close(): void;
}

interface PendingReply {
  resolve(speech: SourceSpeech): void;
  reject(error: SpeechError): void;
}

/** Runs eSpeak NG as a child program; starts it immediately, restarts it after a crash and ends it with this process. */
export function createEspeak(): Espeak {
  const pending = new Map<number, PendingReply>();
  let program: ChildProcess | null = null;
  let lastId = 0;

  function start(): ChildProcess {
    const { path, nodeArguments, env } = resolveProgram("./speech/engines/embedded", "espeak");
    const started = spawn(process.execPath, ["--max-old-space-size=128", ...nodeArguments, path], {
      stdio: ["pipe", "pipe", "inherit"],
      env,
    });
    const fail = (reason: string, cause?: unknown) => {
      if (program !== started) return;
      program = null;
      for (const { reject } of pending.values()) reject(new SpeechError("engine", reason, { cause }));
      pending.clear();
      started.kill("SIGKILL");
    };
    started.on("error", (cause) => fail("eSpeak could not be started", cause));
    started.on("exit", (code, signal) => fail(`eSpeak fail (${signal ?? code})`));
    started.stdin?.on("error", (cause) => fail("eSpeak closed its input", cause));
    started.stdout?.on("error", (cause) => fail("eSpeak sent invalid output", cause));
    if (started.stdout) readFrames<EspeakReply>(started.stdout, ({ head, body }) => settle(head, body));
    return started;
  }

  function settle(reply: EspeakReply, body: Uint8Array) {
    const caller = pending.get(reply.id);
    pending.delete(reply.id);
    if (reply.fault !== undefined) caller?.reject(new SpeechError("engine", reply.fault));
    else caller?.resolve({ ...reply, pcm: new Int16Array(body.buffer, body.byteOffset, body.byteLength >> 1) });
  }

  function send(request: Omit<EspeakRequest, "id"> | Omit<PronounceRequest, "id">): Promise<SourceSpeech> {
    program ??= start();
    const { stdin } = program;
    const id = ++lastId;
    return new Promise((resolve, reject) => {
      pending.set(id, { resolve, reject });
      if (stdin) writeFrame(stdin, { id, ...request });
    });
  }

  function close() {
    const running = program;
    program = null;
    running?.kill("SIGKILL");
  }

  program = start();
  process.on("exit", close);
  const pronounce = async (words: readonly string[]) => (await send({ words: [...words] })).pronunciations ?? [];

  return { speak: send, pronounce, close };
}
