import { useEffect, useRef, useState } from "react";
import { formatClock } from "~/copy/format";
import { referenceCopy } from "~/copy/recording";
import { loadFailureCopy } from "~/copy/site";
import { Button, IconButton } from "~/ui/button";
import { Icon, WaveformBars } from "~/ui/icons/icon";
import { adviceOf, type Reference } from "./reference";

interface ReferenceRowProps {
  reference: Reference;
  retakeLabel: string;
  onRetake(): void;
  onTrimmed(reference: Reference): void;
  /** The recording is about to play: other playback should pause. */
  onPlay(): void;
}

/** A reference with playback, waveform, verdict, advice and the action for it. */
export function ReferenceRow({ reference, retakeLabel, onRetake, onTrimmed, onPlay }: ReferenceRowProps) {
  const { isPlaying, toggle } = usePlayback(reference.sound, onPlay);
  const [isTrimming, setTrimming] = useState(false);
  const [isUnloaded, setUnloaded] = useState(false);
  const advice = adviceOf(reference);

  const trim = async () => {
    setTrimming(true);
    setUnloaded(false);
    const code = await import("./audio").catch(() => null);
    if (code) return onTrimmed(await code.trimReference(reference));
    setTrimming(false);
    setUnloaded(true);
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
        {reference.seconds > 0 && <span className="tabular text-xs text-muted">{formatClock(reference.seconds)}</span>}
        <WaveformBars className="text-celadon" heights={reference.heights} />
        <Verdict reference={reference} />
        {advice?.action !== "retake" && (
          <IconButton label={retakeLabel} onClick={onRetake}>
            <Icon name="retake" />
          </IconButton>
        )}
      </div>
      {advice && (
        <div className="mt-1 flex min-h-[44px] items-center gap-3">
          <p className="min-w-0 flex-1 text-xs text-muted">{isUnloaded ? loadFailureCopy.sentence : advice.sentence}</p>
          {advice.action === "trim" && (
            <Button icon={<Icon name="scissors" size={18} />} onClick={trim} pending={isTrimming}>
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

const verdicts = {
  good: { className: "text-celadon", label: referenceCopy.clear },
  usable: { className: "text-gold", label: referenceCopy.usable },
  refused: { className: "text-seal", label: referenceCopy.refused },
};

function Verdict({ reference: { quality } }: { reference: Reference }) {
  if (!quality) return <span className="text-xs text-muted">{referenceCopy.unheard}</span>;
  const { className, label } = verdicts[quality.verdict];
  return <span className={`whitespace-nowrap text-xs ${className}`}>{label}</span>;
}

/** Plays the user's recording apart from the site's player, which is for generated sound. */
function usePlayback(sound: Blob, onPlay: () => void) {
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
