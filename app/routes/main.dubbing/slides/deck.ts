import { useEffect, useState } from "react";
import { readStoredValue, writeStoredValue } from "~/features/draft/draft";
import { createStore, type Store } from "~/ui/store";
import type { Dub } from "~server/bff/generations.server";
import type { Voice } from "~server/bff/roles.server";
import { videoTitleMax } from "~server/contract/limits";
import { createLine, isBlank, type ScriptLine } from "../editor/script";
import { draftKeyOf, slidesProjectId } from "../projects/current";
import { type Draft, emptyDraft, parseDraft } from "../stored-draft";
import type { Pdf } from "./open-slides";
import type { SlideText } from "./pptx";

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

const deckKey = "slides-deck";

export interface OpenedDeck {
  draft: Draft;
  deck: Deck | null;
}

export async function openDeck(voices: readonly Voice[]): Promise<OpenedDeck> {
  const [stored, deck] = await Promise.all([
    readStoredValue(draftKeyOf(slidesProjectId)),
    readStoredValue<Deck>(deckKey),
  ]);
  return { draft: parseDraft(stored) ?? emptyDraft(voices[0]?.roleId ?? ""), deck };
}

/** False if the browser has no room for the file. */
export const saveDeck = (deck: Deck) => writeStoredValue(deckKey, deck);

/** The lines of a newly opened file. */
export const toLines = (slides: readonly SlideText[], roleId: string): ScriptLine[] =>
  slides.map(({ text }, index) => createLine({ page: index + 1, roleId, content: text }));

/** The page of a PDF that shows a page of the PowerPoint file that it was made of, with or without hidden pages. */
export function pictureOf(page: number, { hiddenInShow, titles }: Deck, pdfPages: number): number | null {
  if (hiddenInShow.length === 0 || pdfPages >= titles.length) return page <= pdfPages ? page : null;
  if (hiddenInShow.includes(page)) return null;
  const shown = page - hiddenInShow.filter((one) => one < page).length;
  return shown <= pdfPages ? shown : null;
}

/** The spoken pages with the times at which they start in the dub. */
export function pagesOf({ lines: spoken }: Pick<Dub, "lines">, lines: readonly ScriptLine[], { titles }: Deck) {
  const written = lines.filter((line) => !isBlank(line));
  return written.flatMap(({ page }, index) => {
    const start = spoken[index]?.start ?? -1;
    if (page === undefined || start < 0) return [];
    return [
      { page, start: index === 0 ? 0 : start, title: [...(titles[page - 1] ?? "")].slice(0, videoTitleMax).join("") },
    ];
  });
}

const widths = { thumb: 320, page: 1280 } as const;
type PictureSize = keyof typeof widths;

/** Large pictures that are kept: the page shown, and those around it. */
const pagesKept = 6;

/** Address by `thumb 3`; "" for a page that has none. */
type Pictures = ReadonlyMap<string, string>;

/** Draws the pages of a deck when they are asked for. */
export class PagePictures {
  readonly urls: Store<Pictures> = createStore<Pictures>(new Map());
  #deck: Deck;
  #pdf: Promise<Pdf> | null = null;
  #asked = new Set<string>();
  #isClosed = false;
  /** Addresses of pages that were uploaded for a film. */
  readonly uploaded = new Map<number, string>();

  constructor(deck: Deck) {
    this.#deck = deck;
  }

  static keyOf = (page: number, size: PictureSize) => `${size} ${page}`;

  /** Draws a page, unless it was asked for. */
  ask(page: number, size: PictureSize): void {
    const key = PagePictures.keyOf(page, size);
    if (this.#asked.has(key)) return;
    this.#asked.add(key);
    this.drawPage(page, widths[size]).then(
      (blob) => this.#keep(key, blob),
      // Asked for again when the page is shown the next time.
      () => this.#asked.delete(key),
    );
  }

  /** Null for a page without a picture. */
  async drawPage(page: number, width: number): Promise<Blob | null> {
    if (!this.#deck.pdf) return null;
    const pdf = await this.#open(this.#deck.pdf);
    const drawn = pictureOf(page, this.#deck, pdf.count);
    return drawn === null ? null : pdf.draw(drawn, width);
  }

  close(): void {
    this.#isClosed = true;
    for (const url of this.urls.get().values()) URL.revokeObjectURL(url);
    void this.#pdf?.then((pdf) => pdf.close()).catch(() => {});
  }

  #open(file: Blob): Promise<Pdf> {
    this.#pdf ??= Promise.all([import("./open-slides"), file.arrayBuffer()]).then(([{ openPdf }, bytes]) =>
      openPdf(bytes),
    );
    this.#pdf.catch(() => {
      this.#pdf = null;
    });
    return this.#pdf;
  }

  #keep(key: string, picture: Blob | null): void {
    if (this.#isClosed) return;
    const next = new Map(this.urls.get()).set(key, picture ? URL.createObjectURL(picture) : "");
    const large = [...next.keys()].filter((one) => one.startsWith("page "));
    for (const old of large.slice(0, Math.max(0, large.length - pagesKept))) {
      URL.revokeObjectURL(next.get(old) ?? "");
      next.delete(old);
      this.#asked.delete(old);
    }
    this.urls.set(next);
  }
}

/** Null without a deck. */
export function usePagePictures(deck: Deck | null): PagePictures | null {
  const [pictures, setPictures] = useState<PagePictures | null>(null);
  useEffect(() => {
    const next = deck && new PagePictures(deck);
    setPictures(next);
    return () => next?.close();
  }, [deck]);
  return pictures;
}
