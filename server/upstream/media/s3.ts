import type { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import type { Dispatcher } from "undici";
import type { S3Settings } from "../../settings/storage";
import { AppError, storageFull } from "../errors";
import { createS3Client, type S3Client, type S3Request } from "./s3-client";
import { type MediaStore, requireKey } from "./store";

/** Bodies up to this size are one PUT; larger ones are uploaded in parts of this size, to limit memory. */
const partBytes = 8 * 2 ** 20;

/**
 * Stores files in a bucket of any S3 server. A key appears complete or not at all: one PUT, or a multipart upload that is
 * aborted after an error. The bucket's lifecycle rule removes incomplete uploads of killed processes.
 */
export function createS3Store(place: S3Settings, dispatcher?: Dispatcher): MediaStore {
  const client = createS3Client(place, dispatcher);
  return {
    async put(key, body, size) {
      const pieces = body instanceof Uint8Array ? [body] : inPieces(body);
      const counted = { written: 0, announced: size };
      try {
        await putPieces(client, requireKey(key), count(pieces, counted));
      } catch (error) {
        throw isFull(error) ? storageFull(error) : error;
      }
    },
    async open(key, range) {
      const headers: Record<string, string> = range ? { range: `bytes=${range.start}-${range.end}` } : {};
      const { status, body, drop } = await client.send({
        method: "GET",
        key: requireKey(key),
        headers,
        allowed: [404],
      });
      if (status !== 404) return body;
      await drop();
      throw new AppError("not-found", "no such file", { status: 404 });
    },
    async size(key) {
      const { status, header, drop } = await client.send({ method: "HEAD", key: requireKey(key), allowed: [404] });
      await drop();
      return status === 404 ? null : Number(header("content-length"));
    },
    async remove(key) {
      await (await client.send({ method: "DELETE", key: requireKey(key), allowed: [404] })).drop();
    },
    ...(place.linkSeconds !== null && { link: (key, answer) => client.link(requireKey(key), answer) }),
  };
}

const isFull = (error: unknown) =>
  error instanceof Error && /QuotaExceeded|StorageFull|InsufficientStorage/.test(error.message);

/** Throws before the last part is sent if the body does not have the declared length. */
async function* count(
  pieces: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
  counted: { written: number; announced: number | undefined },
): AsyncGenerator<Uint8Array> {
  for await (const piece of pieces) {
    counted.written += piece.length;
    yield piece;
  }
  const { written, announced } = counted;
  if (announced === undefined || written === announced) return;
  throw new AppError("bad-request", `body of ${written} bytes where ${announced} were announced`);
}

async function* inPieces(body: Readable): AsyncGenerator<Uint8Array> {
  let kept: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body as AsyncIterable<Uint8Array>) {
    kept.push(chunk);
    size += chunk.length;
    if (size < partBytes) continue;
    yield Buffer.concat(kept);
    kept = [];
    size = 0;
  }
  yield Buffer.concat(kept);
}

async function putPieces(client: S3Client, key: string, pieces: AsyncGenerator<Uint8Array>): Promise<void> {
  const first = await pieces.next();
  const second = await pieces.next();
  if (second.done) {
    await putTagged(client, { method: "PUT", key, body: first.value ?? new Uint8Array(0) });
    return;
  }
  const upload = await begin(client, key);
  try {
    const tags = [
      await putPart(client, { ...upload, number: 1, bytes: first.value as Uint8Array }),
      await putPart(client, { ...upload, number: 2, bytes: second.value }),
    ];
    for await (const bytes of pieces) {
      if (bytes.length > 0) tags.push(await putPart(client, { ...upload, number: tags.length + 1, bytes }));
    }
    await complete(client, upload, tags);
  } catch (error) {
    const abort: S3Request = { method: "DELETE", key, query: { uploadId: upload.id }, allowed: [404] };
    await client.send(abort).then(
      ({ drop }) => drop(),
      () => {},
    );
    throw error;
  }
}

interface Upload {
  key: string;
  id: string;
}

async function begin(client: S3Client, key: string): Promise<Upload> {
  const { body } = await client.send({ method: "POST", key, query: { uploads: "" } });
  const id = /<UploadId>([^<]+)<\/UploadId>/.exec((await buffer(body)).toString())?.[1];
  if (!id) throw new Error("the bucket began no multipart upload");
  return { key, id };
}

async function putPart(client: S3Client, part: Upload & { number: number; bytes: Uint8Array }): Promise<string> {
  const query = { partNumber: String(part.number), uploadId: part.id };
  return putTagged(client, { method: "PUT", key: part.key, query, body: part.bytes });
}

/** A proxy in between may answer 200 for a bucket that stored nothing: only a bucket has the tag. */
async function putTagged(client: S3Client, request: S3Request): Promise<string> {
  const { header, drop } = await client.send(request);
  await drop();
  const tag = header("etag");
  if (!tag) throw new Error("the bucket took bytes without a tag");
  return tag;
}

async function complete(client: S3Client, { key, id }: Upload, tags: string[]): Promise<void> {
  const parts = tags.map((tag, index) => `<Part><PartNumber>${index + 1}</PartNumber><ETag>${tag}</ETag></Part>`);
  const document = Buffer.from(`<CompleteMultipartUpload>${parts.join("")}</CompleteMultipartUpload>`);
  const { body } = await client.send({ method: "POST", key, query: { uploadId: id }, body: document });
  // This response of S3 can have status 200 and still be an error.
  const text = (await buffer(body)).toString();
  if (text.includes("<Error>") || !text.includes("<ETag>"))
    throw new Error(`the bucket did not complete an upload: ${text.slice(0, 300)}`);
}
