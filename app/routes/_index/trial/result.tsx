import { formatClock } from "~/copy/format";
import { trialResultCopy as words } from "~/copy/home";
import { siteCopy } from "~/copy/site";
import { usePlayer } from "~/features/player/provider";
import { Button, buttonClass } from "~/ui/button";
import { Badge } from "~/ui/chip";
import { Icon } from "~/ui/icons/icon";
import { ListenButton } from "~/ui/listen-button";
import { toTrack } from "./track";
import type { Done } from "./use-work";

interface ResultProps {
  work: Done;
  onAgain(): void;
  /** null where the voice is somebody's on the square already. */
  onSave: (() => void) | null;
}

/** Hear it, keep it, go on. */
export function Result({ work, onAgain, onSave }: ResultProps) {
  const { wanted, result } = work;
  const player = usePlayer();
  const track = toTrack(work);
  const isLoaded = player.track?.url === track.url;
  const isPlaying = isLoaded && player.isPlaying;
  const listen = () => (isPlaying ? player.toggle() : player.play(track));

  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <div className="flex items-center gap-3">
        <ListenButton
          label={isPlaying ? words.pause : words.play}
          onClick={listen}
          size="large"
          sound={isPlaying ? "playing" : "silent"}
        />
        <div className="min-w-0 flex-1">
          <p className="flex items-center gap-2">
            <span className="truncate font-song text-lg font-semibold">{wanted.voiceName}</span>
            <Badge>{siteCopy.aiBadge}</Badge>
          </p>
          <p className="truncate text-xs text-muted">{wanted.content}</p>
        </div>
        <span className="tabular text-xs text-muted">
          {result.durationMs > 0 && formatClock(result.durationMs / 1000)}
        </span>
      </div>
      <div className="flex flex-wrap gap-2">
        {track.downloads.map(({ format, url }) => (
          <a className={buttonClass()} download href={url} key={format}>
            <Icon name="download" size={18} />
            {words.download(format.toUpperCase())}
          </a>
        ))}
        <Button kind="quiet" onClick={onAgain}>
          {words.again}
        </Button>
        {onSave && (
          <Button kind="quiet" onClick={onSave}>
            {words.save}
          </Button>
        )}
      </div>
    </div>
  );
}
