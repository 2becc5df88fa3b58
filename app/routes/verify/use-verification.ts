import { useEffect, useRef, useState } from "react";
import { bffPaths, Refused, readResponse, refusalOf, toForm } from "~/call";
import { sentenceFor } from "~/copy/errors";
import { verifyCopy } from "~/copy/verify";
import { notify } from "~/features/toasts/notify";
import type { CallData } from "~server/contract/calls/table";
import { verifyMaxBytes } from "~server/contract/limits";

export type Verdict = CallData<"verify">;

export type Verification =
  | { phase: "empty" }
  | { phase: "reading" | "comparing"; name: string }
  | { phase: "uploading"; name: string; share: number }
  | { phase: "done"; name: string; verdict: Verdict }
  | { phase: "failed"; name: string; sentence: string; isRetryable: boolean };

/** Verifies one file at a time; a new file aborts the previous one. */
export function useVerification() {
  const [state, setState] = useState<Verification>({ phase: "empty" });
  const running = useRef<AbortController>();
  const file = useRef<File>();
  useEffect(() => () => running.current?.abort(), []);

  const verifyFile = async (chosen: File) => {
    running.current?.abort();
    file.current = chosen;
    const { name } = chosen;
    const fail = (sentence: string, isRetryable = false) => setState({ phase: "failed", name, sentence, isRetryable });
    if (chosen.size > verifyMaxBytes) return fail(verifyCopy.tooLarge);
    const controller = new AbortController();
    running.current = controller;
    const { signal } = controller;
    setState({ phase: "reading", name });
    const onProgress = (share: number) =>
      setState(share < 1 ? { phase: "uploading", name, share } : { phase: "comparing", name });
    onProgress(0);
    try {
      const verdict = await send({ sound: chosen, name }, { signal, onProgress });
      if (verdict.ours !== null || !(await isAac(chosen))) return setState({ phase: "done", name, verdict });
      setState({ phase: "reading", name });
      const sound = await toWav(chosen);
      if (signal.aborted) return;
      if (!sound) return fail(verifyCopy.unreadable);
      const heard = await send(sound, { signal, onProgress });
      setState({ phase: "done", name, verdict: joinVerdicts(verdict, heard) });
    } catch (error) {
      if (signal.aborted) return;
      const refusal = refusalOf(error);
      notify({ kind: "error", text: sentenceFor(refusal) });
      fail(sentenceFor(refusal), refusal.code !== "reference-not-audio");
    }
  };

  return {
    state,
    verifyFile,
    retry: () => file.current && verifyFile(file.current),
    reset() {
      running.current?.abort();
      setState({ phase: "empty" });
    },
  };
}

/** The labels are read in the file itself: the converted sound has none. A label that may be ours leaves a "no" open. */
function joinVerdicts({ labelled, signature }: Verdict, heard: Verdict): Verdict {
  const mayBeOurs = signature !== null && signature !== "foreign";
  return { ...heard, ours: heard.ours === false && mayBeOurs ? null : heard.ours, labelled, signature };
}

interface Upload {
  sound: Blob;
  name: string;
}

/** The sound of a film or of an AAC file, which a server without ffmpeg cannot decode; null if this browser cannot either. */
async function toWav(file: File): Promise<Upload | null> {
  const { decodeAudio, encodeWav } = await import("~/features/reference/audio");
  const decoded = await decodeAudio(file).catch(() => null);
  const sound = decoded && encodeWav(decoded);
  return sound && sound.size <= verifyMaxBytes ? { sound, name: `${file.name.replace(/\.[^.]*$/, "")}.wav` } : null;
}

/** True for an MP4 container or ADTS frames. */
async function isAac(file: Blob): Promise<boolean> {
  const head = new Uint8Array(await file.slice(0, 12).arrayBuffer());
  const isMp4 = String.fromCharCode(...head.subarray(4, 8)) === "ftyp";
  return isMp4 || (head[0] === 0xff && ((head[1] ?? 0) & 0xf6) === 0xf0);
}

interface SendOptions {
  signal: AbortSignal;
  /** Called with the uploaded share, 0–1. */
  onProgress(share: number): void;
}

/** Uploads with XMLHttpRequest, because fetch reports no upload progress. Throws `Refused`. */
function send({ sound, name }: Upload, { signal, onProgress }: SendOptions): Promise<Verdict> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    signal.addEventListener("abort", () => request.abort(), { once: true });
    request.upload.onprogress = ({ loaded, total, lengthComputable }) => lengthComputable && onProgress(loaded / total);
    request.upload.onload = () => onProgress(1);
    request.onabort = () => reject(signal.reason);
    request.onerror = () => reject(new Refused({ code: "network" }));
    request.onload = () => {
      try {
        resolve(readResponse<Verdict>(request.status, request.response ?? undefined));
      } catch (error) {
        reject(error);
      }
    };
    request.responseType = "json";
    request.open("POST", bffPaths.upload("verify"));
    request.send(toForm(sound, name));
  });
}
