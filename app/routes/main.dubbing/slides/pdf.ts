import type { PDFDocumentProxy } from "pdfjs-dist";
import { readPieces, type SlideText, type TextPiece } from "./slide-text";

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
        number,
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
