import { type ChildProcess, spawn } from "node:child_process";
import { SpeechError } from "../../engine";
import { resolveProgram } from "../../program";
import type { EspeakReply, EspeakRequest } from "./espeak-protocol";
import { readFrames, writeFrame } from "./espeak-protocol";

export interface SourceSpeech extends EspeakReply {
  pcm: Int16Array;
}

export interface Espeak {
  /** Throws SpeechError 'engine' when the program fails; the next call starts another. */
  speak(request: Omit<EspeakRequest, "id">): Promise<SourceSpeech>;
  close(): void;
}

interface Waiting {
  resolve(speech: SourceSpeech): void;
  reject(error: SpeechError): void;
}

/** eSpeak NG at the other end of a pipe; it starts at once, again after a fall, and ends with this process. */
export function createEspeak(): Espeak {
  const waiting = new Map<number, Waiting>();
  let program: ChildProcess | null = null;
  let lastId = 0;

  function start(): ChildProcess {
    const { path, nodeArguments, env } = resolveProgram("./engines/embedded", "espeak");
    const started = spawn(process.execPath, ["--max-old-space-size=128", ...nodeArguments, path], {
      stdio: ["pipe", "pipe", "inherit"],
      env,
    });
    const ended = (reason: string, cause?: unknown) => {
      if (program !== started) return;
      program = null;
      for (const { reject } of waiting.values()) reject(new SpeechError("engine", reason, { cause }));
      waiting.clear();
      started.kill("SIGKILL");
    };
    started.on("error", (cause) => ended("eSpeak could not be started", cause));
    started.on("exit", (code, signal) => ended(`eSpeak ended (${signal ?? code})`));
    started.stdin?.on("error", (cause) => ended("eSpeak stopped listening", cause));
    started.stdout?.on("error", (cause) => ended("eSpeak spoke nonsense", cause));
    if (started.stdout) readFrames<EspeakReply>(started.stdout, ({ head, body }) => answer(head, body));
    return started;
  }

  function answer(reply: EspeakReply, body: Uint8Array) {
    const caller = waiting.get(reply.id);
    waiting.delete(reply.id);
    if (reply.fault !== undefined) caller?.reject(new SpeechError("engine", reply.fault));
    else caller?.resolve({ ...reply, pcm: new Int16Array(body.buffer, body.byteOffset, body.byteLength >> 1) });
  }

  function speak(request: Omit<EspeakRequest, "id">): Promise<SourceSpeech> {
    program ??= start();
    const { stdin } = program;
    const id = ++lastId;
    return new Promise((resolve, reject) => {
      waiting.set(id, { resolve, reject });
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
  return { speak, close };
}
