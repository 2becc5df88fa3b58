/** Sound files that people can download. Each has an encoder (speech/encoding) and a label writer (media/label). */
export const soundFormats = ["mp3", "wav"] as const;
export type SoundFormat = (typeof soundFormats)[number];
