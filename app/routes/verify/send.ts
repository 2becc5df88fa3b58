import { bffPaths } from "~/bff-paths";
import type { CallData } from "~server/contract/calls/table";
import type { ErrorCode } from "~server/contract/codes";

export type Verified = CallData<"verify">;

interface Refusal {
  code: ErrorCode;
  message?: string;
}

export type Sent = { ok: true; verified: Verified } | { ok: false; refusal: Refusal };

interface Watch {
  signal: AbortSignal;
  /** Share of the file that has gone up, 0–1. */
  onSent(share: number): void;
}

/** Takes a file up and brings the answer back; rejects only when aborted. XMLHttpRequest, because fetch tells nothing of what is sent. */
export function send(file: Blob, name: string, { signal, onSent }: Watch): Promise<Sent> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const body = new FormData();
    body.append("file", file, name);
    signal.addEventListener("abort", () => request.abort(), { once: true });
    request.upload.onprogress = ({ loaded, total, lengthComputable }) => lengthComputable && onSent(loaded / total);
    request.upload.onload = () => onSent(1);
    request.onabort = () => reject(signal.reason);
    request.onerror = () => resolve({ ok: false, refusal: { code: "network" } });
    request.onload = () => resolve(read(request));
    request.responseType = "json";
    request.open("POST", bffPaths.verifyFile);
    request.send(body);
  });
}

function read({ status, response }: XMLHttpRequest): Sent {
  const answer = response as { verified?: Verified; refusal?: Refusal } | null;
  if (status === 200 && answer?.verified) return { ok: true, verified: answer.verified };
  return { ok: false, refusal: answer?.refusal ?? { code: status === 413 ? "too-large" : "request-failed" } };
}
