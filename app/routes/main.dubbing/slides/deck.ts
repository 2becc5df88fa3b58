import { readStoredValue, writeStoredValue } from "~/features/draft/draft";
import type { Voice } from "~server/bff/roles.server";
import { type Draft, emptyDraft, parseDraft } from "../draft";
import { createLine, type ScriptLine } from "../editor/script";
import { draftKeyOf, slidesProjectId } from "../projects/current";
import type { SlideText } from "./slide-text";

/** The opened file. The texts are the lines of the script, one for each page. */
export interface Deck {
  name: string;
  /** Null as long as only a PowerPoint file was opened, which has no pictures. */
  pdf: Blob | null;
  /** Headings by the page of the file. */
  titles: readonly string[];
  /** Pages that are hidden in the PowerPoint file, from 1: a PDF made of it may be without them. */
  hiddenInShow: readonly number[];
}

/** Texts of pages that are left out for now, by line id. */
export type HiddenTexts = Readonly<Record<string, string>>;

const keys = { deck: "slides-deck", hidden: "slides-hidden" };

export interface OpenedDeck {
  draft: Draft;
  deck: Deck | null;
  hidden: HiddenTexts;
}

export async function openDeck(voices: readonly Voice[]): Promise<OpenedDeck> {
  const [stored, deck, hidden] = await Promise.all([
    readStoredValue(draftKeyOf(slidesProjectId)),
    readStoredValue<Deck>(keys.deck),
    readStoredValue<HiddenTexts>(keys.hidden),
  ]);
  return { draft: parseDraft(stored) ?? emptyDraft(voices[0]?.roleId ?? ""), deck, hidden: hidden ?? {} };
}

/** False if the browser has no room for the file. */
export const saveDeck = (deck: Deck) => writeStoredValue(keys.deck, deck);
export const saveHidden = (hidden: HiddenTexts) => void writeStoredValue(keys.hidden, hidden);

/** The lines of a newly opened file; their ids tell the pages. */
export function toLines(slides: readonly SlideText[], roleId: string): ScriptLine[] {
  const opened = Math.random().toString(36).slice(2, 8);
  return slides.map(({ text }, index) => createLine({ id: `page-${index + 1}-${opened}`, roleId, content: text }));
}

/** The page of the file that a line belongs to, from 1; null for a line without one. */
export const pageOf = (lineId: string): number | null => {
  const page = /^page-(\d+)-/.exec(lineId)?.[1];
  return page === undefined ? null : Number(page);
};

/** The page of a PDF that shows a page of the PowerPoint file that it was made of, with or without hidden pages. */
export function pictureOf(page: number, { hiddenInShow, titles }: Deck, pdfPages: number): number | null {
  if (hiddenInShow.length === 0 || pdfPages >= titles.length) return page <= pdfPages ? page : null;
  if (hiddenInShow.includes(page)) return null;
  const shown = page - hiddenInShow.filter((one) => one < page).length;
  return shown <= pdfPages ? shown : null;
}
