import { videoPagesMax } from "~server/contract/limits";
import type { SlideText } from "./slide-text";

const maxBytes = 20 * 1024 * 1024;

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

async function openPptx(bytes: Uint8Array): Promise<OpenedSlides> {
  const reader = await import("./pptx").catch(() => null);
  if (!reader) return fault("not-now");
  try {
    const show = reader.readPptx(bytes);
    if ("fault" in show) return fault(show.fault);
    return { kind: "pptx", slides: show.slides.slice(0, videoPagesMax), total: show.slides.length };
  } catch {
    return fault("unreadable");
  }
}

async function openPdfFile(file: File, bytes: ArrayBuffer): Promise<OpenedSlides> {
  const reader = await import("./pdf").catch(() => null);
  if (!reader) return fault("not-now");
  try {
    const pdf = await reader.openPdf(bytes);
    const slides: SlideText[] = [];
    for (let page = 1; page <= Math.min(pdf.count, videoPagesMax); page++) slides.push(await pdf.readText(page));
    pdf.close();
    return { kind: "pdf", file, slides, total: pdf.count };
  } catch (error) {
    const isMissing = error instanceof TypeError && /dynamically imported|module script/i.test(error.message);
    if (isMissing) return fault("not-now");
    return fault(error instanceof Error && error.name === "PasswordException" ? "encrypted" : "unreadable");
  }
}
