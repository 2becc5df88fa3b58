import { useEffect, useState } from "react";

const moves = ["timeupdate", "seeking", "emptied", "loadedmetadata"] as const;

/** Seconds played so far, as often as the browser tells: about four times a second. */
export function usePosition(media: HTMLAudioElement | null): number {
  const [seconds, setSeconds] = useState(media?.currentTime ?? 0);
  useEffect(() => {
    if (!media) return;
    const read = () => setSeconds(media.currentTime);
    read();
    for (const move of moves) media.addEventListener(move, read);
    return () => {
      for (const move of moves) media.removeEventListener(move, read);
    };
  }, [media]);
  return seconds;
}
