/** A digital human the product ships with: a character, a drawn face and a voice made from numbers. */
export interface SeedHuman {
  /** Stable across releases: the row is found again by it. */
  id: string;
  name: string;
  /** One line: the voice · what it is for. */
  describe: string;
  gender: "male" | "female";
  category: string;
  tags: string[];
  language: "zh";
  /** PortraitParameters of app/features/portrait, kept as plain JSON. */
  portrait: Record<string, string | number | string[]>;
  design: SeedVoice;
  /** What it says when someone taps it; synthesised on first start. */
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
