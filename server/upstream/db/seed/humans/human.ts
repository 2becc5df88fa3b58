/** A seeded role: a character, a drawn portrait and a designed voice. */
export interface SeedHuman {
  /** The row's id, stable across releases. */
  id: string;
  name: string;
  /** One line: the voice · its use. */
  describe: string;
  gender: "male" | "female";
  category: string;
  tags: string[];
  language: "zh";
  /** PortraitParameters of server/contract/portrait, kept as plain JSON. */
  portrait: Record<string, string | number | string[]>;
  design: SeedVoice;
  /** The text of its preview; synthesised on first start. */
  preview: string;
}

/** Has the shape of the speech port's VoiceDesign; see there for units. */
export interface SeedVoice {
  pitchHz: number;
  pitchSpreadSt: number;
  tract: number;
  breath: number;
  tilt: number;
  rate: number;
}
