import type { Page } from "playwright";

/** What a scene may use besides its page. */
export interface Props {
  /** A WAV of somebody reading the first sentence. */
  voiceFile: string;
  /** A WAV that the product never made, and one too short to tell. */
  foreignFile: string;
  shortFile: string;
}

export interface Scene {
  /** Of the picture's file. */
  name: string;
  /** What is to be seen, for the index. */
  says: string;
  path: string;
  /** What is done before the picture is taken. */
  prepare?(page: Page, props: Props): Promise<unknown>;
  /** There is such a thing on this size alone. */
  only?: "phone" | "desktop";
  /** Kept in all four looks; the others on desktops by day and on phones by night. */
  isMain?: boolean;
  /** The page to its end, not one screenful. */
  isWhole?: boolean;
}

/** A server may take its time on a busy machine. */
export const patient = { timeout: 45_000 };
