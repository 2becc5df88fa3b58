import { randomUUID } from "node:crypto";
import { type CallData, calls, dataSchemaOf } from "../contract/calls/table";
import {
  imageMaxBytes,
  multipartFramingBytes,
  musicMaxBytes,
  transcriptionMaxBytes,
  uploadMaxBytes,
  verifyMaxBytes,
} from "../contract/limits";
import { UpstreamRefusal } from "./refusal.server";
import {
  type Caller,
  createDeadline,
  headersOf,
  readAnswer,
  refused,
  type StreamClientOptions,
} from "./upstream-call.server";

/** The calls that `POST /bff/uploads/<name>` passes on, and the limit of each, which is enforced while it streams. */
export const uploadMaxBytesOf = {
  recordingUpload: uploadMaxBytes,
  fileUpload: imageMaxBytes,
  musicUpload: musicMaxBytes,
  transcribe: transcriptionMaxBytes,
  verify: verifyMaxBytes,
} as const;
export type UploadName = keyof typeof uploadMaxBytesOf;
export const isUploadName = (name: string): name is UploadName => Object.hasOwn(uploadMaxBytesOf, name);

/** Recognition answers nothing until it is done: half a minute for five minutes of sound on a slow machine. */
const transcriptionIdleMs = 120_000;
const tooLarge = () => new UpstreamRefusal({ code: "too-large" });

/** Streams multipart bodies to the upstream: not buffered, not parsed, never sent twice. */
export function createUploader({ base, transport, appId, logger, idleMs = 20_000 }: StreamClientOptions) {
  async function send<N extends UploadName>(caller: Caller, name: N, request: Request): Promise<CallData<N>> {
    if (caller.isReadOnly) throw new UpstreamRefusal({ code: "bad-request" });
    const type = request.headers.get("content-type") ?? "";
    if (!/^multipart\/form-data;.*boundary=/i.test(type) || !request.body)
      throw new UpstreamRefusal({ code: "bad-request" });
    const limit = uploadMaxBytesOf[name] + multipartFramingBytes;
    const length = request.headers.get("content-length");
    if (Number(length ?? 0) > limit) throw tooLarge();
    const deadline = createDeadline(name === "transcribe" ? transcriptionIdleMs : idleMs, request.signal);
    const headers: Record<string, string> = {
      ...headersOf(caller, appId),
      "content-type": type,
      accept: "application/json",
    };
    headers["idempotency-key"] = randomUUID();
    if (length && /^\d+$/.test(length)) headers["content-length"] = length;
    try {
      const body = request.body.pipeThrough(counting({ limit, onChunk: deadline.extend, onExcess: deadline.abort }));
      const url = new URL(`${base}/api/v1${calls[name].path}`);
      return await readAnswer(
        await transport({ method: "POST", url, headers, body, signal: deadline.signal }),
        dataSchemaOf(name),
      );
    } catch (error) {
      throw deadline.signal.reason instanceof UpstreamRefusal ? deadline.signal.reason : error;
    } finally {
      deadline.clear();
    }
  }

  return {
    async upload<N extends UploadName>(caller: Caller, name: N, request: Request): Promise<CallData<N>> {
      try {
        return await send(caller, name, request);
      } catch (error) {
        throw refused(error, { name, caller, logger });
      }
    },
  };
}

function counting({ limit, onChunk, onExcess }: { limit: number; onChunk(): void; onExcess(reason: Error): void }) {
  let seen = 0;
  return new TransformStream<Uint8Array, Uint8Array>({
    transform(piece, controller) {
      seen += piece.byteLength;
      onChunk();
      if (seen <= limit) return controller.enqueue(piece);
      const reason = tooLarge();
      onExcess(reason);
      controller.error(reason);
    },
  });
}
