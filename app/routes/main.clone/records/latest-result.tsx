import { useEffect, useRef } from "react";
import { composerCopy } from "~/copy/clone";
import { usePlayer } from "~/features/player/provider";
import type { CloneRecord } from "~server/bff/generations.server";
import { plainText } from "./file-name";
import { RecordState } from "./record-state";
import { Sound } from "./sound";
import { toTrack } from "./track";

/** The last generation beside its button: its progress, then its sound, played once it is ready. */
export function LatestResult({ record }: { record: CloneRecord }) {
  const player = usePlayer();
  const wasRunning = useRef(record.status === 1);
  const play = useRef(player.play);
  play.current = player.play;
  const isReady = record.status === 2 && record.voiceUrl !== "";
  useEffect(() => {
    if (!isReady || !wasRunning.current) return;
    wasRunning.current = false;
    play.current(toTrack(record));
  }, [isReady, record]);

  const label = [...plainText(record.content)].slice(0, 12).join("");
  return (
    <section
      aria-label={composerCopy.result}
      className="mb-3 flex min-h-[60px] flex-wrap items-center gap-2 rounded bg-wash px-3 py-2 max-sm:[&>button]:mr-auto max-sm:[&>span]:hidden"
    >
      {record.status === 2 ? (
        <Sound label={label} record={record} />
      ) : (
        <RecordState acting={undefined} label={label} record={record} />
      )}
    </section>
  );
}
