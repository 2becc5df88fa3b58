/** What decides how a line of a dub sounds, and so whether it must be made and paid for again. Pauses and places around it do not. */
export interface LineSound {
  roleId: string;
  content: string;
  speed?: number | undefined;
  pitch?: number | undefined;
  volume?: number | undefined;
  genre?: number | undefined;
  ext?: Record<string, number | undefined> | undefined;
  emotionPath?: string | undefined;
}

/** The same for two lines exactly when they sound the same; the browser and the upstream count with it what a change costs. */
export function lineKey({
  roleId,
  content,
  speed = 1,
  pitch = 0,
  volume = 0,
  genre = 0,
  ext,
  emotionPath,
}: LineSound): string {
  const weights =
    genre === 2
      ? Object.entries(ext ?? {})
          .filter(([, weight]) => weight)
          .sort()
      : [];
  const tone = genre === 1 ? (emotionPath ?? "") : "";
  return JSON.stringify([roleId, content.normalize("NFC").trim(), speed, pitch, volume, genre, weights, tone]);
}
