import { randomBytes, randomUUID } from "node:crypto";
import { promisify } from "node:util";
import { brotliDecompress, constants, createBrotliCompress } from "node:zlib";

/** Parts that differ between two answers with the same page. */
export interface AnswerMarks {
  /** CSP nonce. */
  nonce: string;
  requestId: string;
}

type Bytes = Uint8Array<ArrayBuffer>;

/** A rendered page with gaps where the marks of each answer go. */
export interface PageTemplate {
  bytes: number;
  fill(marks: AnswerMarks): Bytes;
  /** The page compressed with Brotli once for all answers; null if that cannot be done. */
  fillBrotli(marks: AnswerMarks): Promise<Bytes | null>;
}

/** Marks to render a page with: random per render, so that no text can have been written to contain them. */
export const createPlaceholders = (): AnswerMarks => ({
  nonce: randomUUID(),
  requestId: randomUUID(),
});

/** Null if a placeholder is where no mark belongs: outside a nonce attribute, or the request id more than once. */
export function createPageTemplate(html: string, { nonce, requestId }: AnswerMarks): PageTemplate | null {
  const texts = html.split(nonce);
  const isInAttributes = texts.slice(0, -1).every((text) => text.endsWith(' nonce="'));
  if (!isInAttributes || html.indexOf(requestId) !== html.lastIndexOf(requestId)) return null;
  const pieces = interleave(texts, { mark: "nonce" })
    .flatMap((piece) => (typeof piece === "string" ? interleave(piece.split(requestId), { mark: "requestId" }) : piece))
    .map((piece) => (typeof piece === "string" ? Buffer.from(piece) : piece));
  let packed: { lengths: string; pieces: Promise<Piece[] | null> } | undefined;
  return {
    bytes: Buffer.byteLength(html),
    fill: (marks) => join(pieces, marks),
    async fillBrotli(marks) {
      // Back-references count bytes. A proxy's request ids may have another length than ours, and are alike among themselves.
      const lengths = `${marks.nonce.length} ${marks.requestId.length}`;
      if (packed?.lengths !== lengths) packed = { lengths, pieces: packRepeatedly(pieces, marks) };
      const found = await packed.pieces;
      return found && join(found, marks);
    },
  };
}

/** Bytes, or a gap for a mark. */
type Piece = Buffer | Gap;
interface Gap {
  mark: keyof AnswerMarks;
}

const interleave = (texts: string[], gap: Gap): Array<string | Gap> =>
  texts.flatMap((text, i) => (i === 0 ? [text] : [gap, text]));

const join = (pieces: Piece[], marks: Record<keyof AnswerMarks, string | Buffer>): Bytes =>
  Buffer.concat(pieces.map((piece) => (Buffer.isBuffer(piece) ? piece : Buffer.from(marks[piece.mark] as string))));

/** Bytes that HTML in UTF-8 cannot contain, so that the encoder finds no match between a gap's sample and the page. */
const foreignBytes = [
  1, 2, 3, 4, 5, 6, 7, 8, 0xc0, 0xc1, 0xf5, 0xf6, 0xf7, 0xf8, 0xf9, 0xfa, 0xfb, 0xfc, 0xfd, 0xfe, 0xff,
];
const sampleOf = (mark: string) =>
  Buffer.from(randomBytes(mark.length).map((byte) => foreignBytes[byte % foreignBytes.length] ?? 1));

/** About one sample in 500 compresses into a page whose marks cannot be exchanged; another sample then does. */
const packRepeatedly = async (...page: Parameters<typeof pack>) =>
  (await pack(...page)) ?? (await pack(...page)) ?? pack(...page);

/**
 * Compresses a page around its gaps: the first gap of each mark becomes an uncompressed meta-block (RFC 7932, 9.2), which
 * can be exchanged; later ones are back-references to it. A page of 55 kB costs one compression, 3 to 8 ms, instead of one
 * per answer. Relies on Brotli's state at a flush, so the result is tried with other marks before use.
 */
async function pack(pieces: Piece[], marks: AnswerMarks): Promise<Piece[] | null> {
  const samples = { nonce: sampleOf(marks.nonce), requestId: sampleOf(marks.requestId) };
  const encoder = openEncoder();
  const packed: Piece[] = [];
  const seen = new Set<keyof AnswerMarks>();
  let text: Buffer[] = [];
  let skip = 0;
  for (const [i, piece] of pieces.entries()) {
    if (Buffer.isBuffer(piece)) {
      text.push(piece.subarray(skip));
      skip = 0;
    } else if (seen.has(piece.mark)) text.push(samples[piece.mark]);
    else {
      const { mark } = piece;
      seen.add(mark);
      // The code of a literal depends on the two bytes before it, which must not be the mark's.
      const next = pieces[i + 1];
      if (!Buffer.isBuffer(next) || next.length < contextBytes) return null;
      const after = next.subarray(0, contextBytes);
      skip = contextBytes;
      packed.push(await encoder.flush(Buffer.concat(text)));
      text = [];
      await encoder.flush(Buffer.concat([samples[mark], after]));
      packed.push(uncompressedHeader(samples[mark].length + contextBytes), piece, after);
    }
  }
  packed.push(await encoder.end(Buffer.concat(text)));
  return (await isExchangeable(packed, pieces, marks)) ? packed : null;
}

const contextBytes = 2;

/** ISLAST 0, MNIBBLES 4, MLEN - 1, ISUNCOMPRESSED 1; for at most 65,536 bytes. */
function uncompressedHeader(length: number): Buffer {
  const header = Buffer.alloc(3);
  header.writeUIntLE(((length - 1) << 3) | (1 << 19), 0, 3);
  return header;
}

/** No byte of these marks is one of the samples', so a back-reference into a gap that stands for text shows. */
async function isExchangeable(packed: Piece[], pieces: Piece[], { nonce, requestId }: AnswerMarks): Promise<boolean> {
  const marks = { nonce: "n".repeat(nonce.length), requestId: "r".repeat(requestId.length) };
  const html = await promisify(brotliDecompress)(join(packed, marks)).catch(() => null);
  return html?.equals(join(pieces, marks)) ?? false;
}

function openEncoder() {
  const params = { [constants.BROTLI_PARAM_QUALITY]: 5, [constants.BROTLI_PARAM_LGWIN]: 18 };
  const encoder = createBrotliCompress({ params });
  const chunks: Buffer[] = [];
  encoder.on("data", (chunk: Buffer) => void chunks.push(chunk));
  const taken = () => Buffer.concat(chunks.splice(0));
  return {
    /** Compresses so much, up to a byte's boundary. */
    flush: (bytes: Buffer) =>
      new Promise<Buffer>((resolve, reject) => {
        encoder.once("error", reject);
        encoder.write(bytes);
        encoder.flush(constants.BROTLI_OPERATION_FLUSH, () => resolve(taken()));
      }),
    end: (bytes: Buffer) =>
      new Promise<Buffer>((resolve, reject) => {
        encoder.once("error", reject);
        encoder.once("end", () => resolve(taken()));
        encoder.end(bytes);
      }),
  };
}
