import { cloneRecordsCopy as words } from "~/copy/clone";
import { formatClock, formatDetail } from "~/copy/format";
import { usePlayer } from "~/features/player/provider";
import { buttonClass } from "~/ui/button";
import { Icon } from "~/ui/icons/icon";
import { ListenButton } from "~/ui/listen-button";
import type { CloneRecord } from "~server/bff/generations.server";
import { toTrack } from "./track";

/** A finished record: play and pause, its length, its files. */
export function Sound({ record, label }: { record: CloneRecord; label: string }) {
  const player = usePlayer();
  const track = toTrack(record);
  const isLoaded = player.track?.url === track.url;
  const isPlaying = isLoaded && player.isPlaying;
  const isLoading = isLoaded && player.isLoading;
  const name = (isPlaying ? words.pause : words.play)(label);
  return (
    <>
      <ListenButton
        label={name}
        onClick={() => (isPlaying ? player.toggle() : player.play(track))}
        sound={isLoading ? "loading" : isPlaying ? "playing" : "silent"}
      />
      <span className="tabular mr-auto text-xs text-muted">{record.seconds > 0 && formatClock(record.seconds)}</span>
      {track.downloads.map(({ format, url }) => (
        <a
          aria-label={formatDetail(words.downloadAs(format.toUpperCase()), label)}
          className={`${buttonClass()} px-3.5`}
          download
          href={url}
          key={format}
        >
          <Icon name="download" size={18} />
          {format.toUpperCase()}
        </a>
      ))}
    </>
  );
}
