import type { PDFDocumentProxy } from "pdfjs-dist";
import { openedFileMaxMb, videoPagesMax } from "~server/contract/limits";
import { joinParagraphs, readPptx, type SlideText } from "./pptx";

const maxBytes = openedFileMaxMb * 1024 * 1024;

export type SlidesFault = "too-large" | "old-ppt" | "encrypted" | "unreadable" | "not-now";

export type OpenedSlides =
  | { kind: "pdf"; file: Blob; slides: SlideText[]; total: number }
  | { kind: "pptx"; slides: Array<SlideText & { isHidden: boolean }>; total: number }
  | { kind: "fault"; fault: SlidesFault };

const fault = (named: SlidesFault): OpenedSlides => ({ kind: "fault", fault: named });

/** Reads a PDF or PowerPoint file in the browser, without an upload; pages beyond `videoPagesMax` are left out. */
export async function openSlides(file: File): Promise<OpenedSlides> {
  if (file.size > maxBytes) return fault("too-large");
  const bytes = await file.arrayBuffer().catch(() => null);
  if (!bytes) return fault("unreadable");
  const start = new Uint8Array(bytes, 0, Math.min(1024, bytes.byteLength));
  if (start[0] === 0xd0 && start[1] === 0xcf) return fault("old-ppt");
  if (start[0] === 0x50 && start[1] === 0x4b) return openPptx(new Uint8Array(bytes));
  // Readers accept a PDF whose mark is within the first 1,024 bytes.
  return new TextDecoder("latin1").decode(start).includes("%PDF-") ? openPdfFile(file, bytes) : fault("unreadable");
}

function openPptx(bytes: Uint8Array): OpenedSlides {
  try {
    const show = readPptx(bytes);
    if ("fault" in show) return fault(show.fault);
    return { kind: "pptx", slides: show.slides.slice(0, videoPagesMax), total: show.slides.length };
  } catch {
    return fault("unreadable");
  }
}

async function openPdfFile(file: File, bytes: ArrayBuffer): Promise<OpenedSlides> {
  try {
    const pdf = await openPdf(bytes);
    try {
      const slides: SlideText[] = [];
      for (let page = 1; page <= Math.min(pdf.count, videoPagesMax); page++) slides.push(await pdf.readText(page));
      return { kind: "pdf", file, slides, total: pdf.count };
    } finally {
      pdf.close();
    }
  } catch (error) {
    const isMissing = error instanceof TypeError && /dynamically imported|module script/i.test(error.message);
    if (isMissing) return fault("not-now");
    return fault(error instanceof Error && error.name === "PasswordException" ? "encrypted" : "unreadable");
  }
}

/** An open PDF; its pages are counted from 1. */
export interface Pdf {
  count: number;
  readText(page: number): Promise<SlideText>;
  /** A picture of the page that is `width` pixels wide, or, if it is upright, high. */
  draw(page: number, width: number): Promise<Blob>;
  close(): void;
}

/** Throws an error named `PasswordException` for a PDF with a password, and others for broken files. */
export async function openPdf(bytes: ArrayBuffer): Promise<Pdf> {
  const [pdfjs, { default: PdfWorker }] = await Promise.all([
    import("pdfjs-dist/legacy/build/pdf.mjs"),
    import("pdfjs-dist/legacy/build/pdf.worker.min.mjs?worker"),
  ]);
  const port = new PdfWorker();
  const worker = pdfjs.PDFWorker.create({ port });
  const close = () => {
    worker.destroy();
    port.terminate();
  };
  // Character maps, decoders and stand-ins for fonts that a file does not bring along.
  const files = new URL(import.meta.env.PDF_FILES, window.location.href).href;
  const urls = { cMapUrl: files, wasmUrl: files, iccUrl: files, standardFontDataUrl: files };
  try {
    const loading = pdfjs.getDocument({ data: bytes, worker, isEvalSupported: false, enableXfa: false, ...urls });
    return readDocument(await loading.promise, close);
  } catch (error) {
    close();
    throw error;
  }
}

export function readDocument(document: PDFDocumentProxy, close: () => void): Pdf {
  /** One page at a time: a canvas of a large page takes tens of megabytes. */
  let last: Promise<unknown> = Promise.resolve();
  return {
    count: document.numPages,
    async readText(number) {
      const page = await document.getPage(number);
      const { items } = await page.getTextContent();
      page.cleanup();
      return readPieces(
        items.filter((item): item is typeof item & TextPiece => "str" in item),
        { number, width: page.getViewport({ scale: 1 }).width },
      );
    },
    draw(number, width) {
      const drawn = last.then(() => drawPage(document, number, width));
      last = drawn.catch(() => {});
      return drawn;
    },
    close() {
      void document.destroy().finally(close);
    },
  };
}

async function drawPage(pdf: PDFDocumentProxy, number: number, width: number): Promise<Blob> {
  const page = await pdf.getPage(number);
  const natural = page.getViewport({ scale: 1 });
  const viewport = page.getViewport({ scale: width / Math.max(natural.width, natural.height) });
  const canvas = document.createElement("canvas");
  canvas.width = Math.max(1, Math.round(viewport.width));
  canvas.height = Math.max(1, Math.round(viewport.height));
  await page.render({ canvas, viewport, background: "#fff" }).promise;
  page.cleanup();
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, "image/jpeg", 0.9));
  // Browsers keep a canvas's memory until it has no size.
  canvas.width = 0;
  if (!blob) throw new Error("the browser made no picture");
  return blob;
}

/** A piece of a PDF page's text: `transform` holds its place in the 5th and 6th value. */
export interface TextPiece {
  str: string;
  transform: readonly number[];
  width: number;
  height: number;
  hasEOL: boolean;
}

interface TextRow {
  text: string;
  left: number;
  right: number;
  height: number;
}

/**
 * The text of a PDF page. A row goes on in the next one of the same size if it reaches the right margin, which is as wide
 * as the left one, or an edge that other rows reach too; any other row ends a paragraph. The largest of the first rows is
 * the heading. The page's number is left out.
 */
export function readPieces(pieces: readonly TextPiece[], page: { number: number; width: number }): SlideText {
  const rows = toRows(pieces).filter(({ text }) => text !== "" && text !== String(page.number));
  const left = Math.min(...rows.map((row) => row.left));
  const right = Math.max(...rows.map((row) => row.right));
  const hasEdge = rows.filter((row) => row.right + row.height > right).length > 1;
  const paragraphs: string[] = [];
  rows.forEach((row, index) => {
    const before = rows[index - 1];
    const last = paragraphs.at(-1);
    const isFull = before !== undefined && before.right + before.height * 1.5 > (hasEdge ? right : page.width - left);
    const isContinued = isFull && Math.abs(before.height - row.height) < 1 && !/[。！？.!?]$/.test(before.text);
    if (!isContinued || last === undefined) paragraphs.push(row.text);
    else paragraphs[paragraphs.length - 1] = last + (/\w$/.test(last) && /^\w/.test(row.text) ? " " : "") + row.text;
  });
  const [heading] = rows.slice(0, 3).sort((a, b) => b.height - a.height);
  return { text: joinParagraphs(paragraphs), title: heading?.text ?? "" };
}

const radicals =
  "⺟母⺠民⻁虎⻄西⻅见⻆角⻉贝⻋车⻑長⻓长⻔门⻘青⻙韦⻚页⻛风⻜飞⻢马⻣骨⻤鬼⻥鱼⻦鸟⻨麦⻩黄⻬齐⻮齿⻰龙⻳龟";
const characterOf = new Map(radicals.match(/../gu)?.map((pair) => [pair[0], pair[1]]));

/** Many PDFs write radicals in the place of the characters that look the same. */
const withoutRadicals = (text: string) =>
  text.replace(/[\u2E80-\u2FDF]/g, (radical) => characterOf.get(radical) ?? radical.normalize("NFKC"));

function toRows(pieces: readonly TextPiece[]): TextRow[] {
  const rows: TextRow[] = [];
  let row: TextRow | null = null;
  for (const { str, transform, width, height, hasEOL } of pieces) {
    const left = transform[4] ?? 0;
    if (str !== "") {
      row ??= { text: "", left, right: left, height: 0 };
      row.text += withoutRadicals(str);
      row.right = Math.max(row.right, left + width);
      row.height = Math.max(row.height, height);
    }
    if (hasEOL && row) {
      rows.push({ ...row, text: row.text.trim() });
      row = null;
    }
  }
  return row ? [...rows, { ...row, text: row.text.trim() }] : rows;
}
