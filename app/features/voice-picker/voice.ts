import type { ReactNode } from "react";

/** Somebody to speak with. */
export interface Voice {
  roleId: string;
  name: string;
  describe: string;
  avatar: string;
  portrait: Record<string, unknown> | null;
  voiceUrl: string;
  timelineUrl: string;
  /** 1 the voice is being learned, 2 ready, 3 could not be learned. */
  status: 1 | 2 | 3;
}

export type VoiceShelf = "own" | "square";

export interface VoicePickerProps {
  /** The role chosen now; null without one. */
  chosen: string | null;
  onChoose(voice: Voice): void;
  onClose(): void;
  /** Lets a voice be heard, and pauses the one that sounds. */
  onPreview(voice: Voice): void;
  /** Whose preview sounds now. */
  sounding: string | null;
  /** A small picture of somebody. */
  picture(voice: Voice): ReactNode;
  isLoggedIn: boolean;
  onLogIn(): void;
}
