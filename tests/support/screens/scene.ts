import type { Page } from "playwright";

/** Sound files that scenes upload. */
export interface SceneFiles {
  /** WAV of a person reading the first sentence. */
  voiceFile: string;
  /** WAV that the product did not generate, and one that is too short to verify. */
  foreignFile: string;
  shortFile: string;
}

export interface Scene {
  /** Prefix of the file name. */
  name: string;
  /** Caption in the index. */
  title: string;
  path: string;
  /** Brings the page into the state to show. */
  prepare?(page: Page, files: SceneFiles): Promise<unknown>;
  /** The scene exists on this size only. */
  onlySize?: "phone" | "desktop";
  /** Shown in all four looks; other scenes as light desktop and dark phone. */
  hasAllLooks?: boolean;
  /** Takes the full page instead of one screen. */
  isFullPage?: boolean;
}

/** For waits on a busy machine. */
export const longTimeout = { timeout: 45_000 };
