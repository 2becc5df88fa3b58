import { useEffect, useRef, useState } from "react";
import { loadFailureCopy } from "~/copy/errors";
import { formatClock } from "~/copy/format";
import { recordingTips, referenceCopy } from "~/copy/recording";
import { Button, IconButton } from "~/ui/button";
import { Icon } from "~/ui/icons/icon";
import type { Reference } from "./reference";
import { Strokes } from "./strokes";

interface ReferenceRowProps {
  reference: Reference;
  /** 重录 for a recording, 换一个 for a file. */
  retakeLabel: string;
  onRetake(): void;
  onTrimmed(reference: Reference): void;
  /** Something else that sounds should be quiet now. */
  onPlay(): void;
}

/** A finished recording: hear it, its shape, what the coach says, and what to do about it. */
export function ReferenceRow({ reference, retakeLabel, onRetake, onTrimmed, onPlay }: ReferenceRowProps) {
  const { isPlaying, toggle } = useSound(reference.sound, onPlay);
  const [isTrimming, setTrimming] = useState(false);
  const [isLost, setLost] = useState(false);
  const tip = reference.quality?.tips[0];
  const advice = tip ? recordingTips[tip] : null;

  const trim = async () => {
    setTrimming(true);
    setLost(false);
    const code = await import("./examine").catch(() => null);
    if (code) return onTrimmed(await code.trimmed(reference));
    setTrimming(false);
    setLost(true);
  };

  return (
    <div>
      <div className="flex min-h-[44px] items-center gap-3">
        <IconButton
          className="border border-line bg-surface text-ink hover:border-edge"
          label={isPlaying ? referenceCopy.pause : referenceCopy.play}
          onClick={toggle}
        >
          <Icon name={isPlaying ? "pause" : "play"} size={18} />
        </IconButton>
        <span className="tabular text-xs text-muted">{formatClock(reference.seconds)}</span>
        <Strokes className="text-celadon" heights={reference.heights} />
        <Verdict reference={reference} />
        {advice?.action !== "retake" && (
          <IconButton label={retakeLabel} onClick={onRetake}>
            <Icon name="retake" />
          </IconButton>
        )}
      </div>
      {advice && (
        <div className="mt-1 flex min-h-[44px] items-center gap-3">
          <p className="min-w-0 flex-1 text-xs text-muted">{isLost ? loadFailureCopy.sentence : advice.sentence}</p>
          {advice.action === "trim" && (
            <Button onClick={trim} pending={isTrimming}>
              <Icon name="scissors" size={18} />
              {referenceCopy.trim}
            </Button>
          )}
          {advice.action === "retake" && (
            <Button onClick={onRetake}>
              <Icon name="retake" size={18} />
              {retakeLabel}
            </Button>
          )}
        </div>
      )}
      {!advice && reference.isTrimmed && (
        <p className="text-xs text-muted">{referenceCopy.trimmed(reference.seconds)}</p>
      )}
    </div>
  );
}

function Verdict({ reference: { quality } }: { reference: Reference }) {
  if (!quality) return <span className="text-xs text-muted">{referenceCopy.unheard}</span>;
  const look = { good: "text-celadon", usable: "text-gold", refused: "text-seal" }[quality.verdict];
  const word = { good: referenceCopy.clear, usable: referenceCopy.usable, refused: referenceCopy.refused }[
    quality.verdict
  ];
  return <span className={`whitespace-nowrap text-xs ${look}`}>{word}</span>;
}

/** One's own recording plays beside the site's player: it is nobody's generated sound. */
function useSound(sound: Blob, onPlay: () => void) {
  const [isPlaying, setPlaying] = useState(false);
  const media = useRef<HTMLAudioElement | null>(null);

  useEffect(() => {
    const url = URL.createObjectURL(sound);
    const audio = new Audio(url);
    audio.onplay = () => setPlaying(true);
    audio.onpause = () => setPlaying(false);
    media.current = audio;
    return () => {
      audio.pause();
      URL.revokeObjectURL(url);
      media.current = null;
    };
  }, [sound]);

  const toggle = () => {
    const audio = media.current;
    if (!audio) return;
    if (!audio.paused) return audio.pause();
    onPlay();
    void audio.play().catch(() => setPlaying(false));
  };
  return { isPlaying, toggle };
}
