import { cloneRecordsCopy as words } from "~/copy/clone";
import { sentenceFor } from "~/copy/errors";
import { formatClock } from "~/copy/format";
import { nameFromText } from "~/copy/generation";
import { playerCopy } from "~/copy/site";
import { type Download, toDownloadItem, toDownloads, toMarkRows } from "~/features/player/downloads";
import { type PlayerTrack, usePlayer } from "~/features/player/provider";
import { notify } from "~/features/toasts/notify";
import { paths } from "~/paths";
import { useHasCall } from "~/state/capabilities";
import { openMark } from "~/state/dialog-requests";
import { buttonClass, ListenButton } from "~/ui/button";
import { ProgressBar } from "~/ui/feedback";
import { Icon } from "~/ui/icons/icon";
import { Menu } from "~/ui/menu";
import type { CloneRecord } from "~server/bff/generations.server";
import { plainText } from "~server/contract/marks";
import type { RecordAction } from "./use-record-actions";

interface RecordResultProps {
  record: CloneRecord;
  /** The action in progress. */
  action?: RecordAction | undefined;
}

/** The audio of a finished record, the progress of a running one or the reason of a failure. */
export function RecordResult({ record, action }: RecordResultProps) {
  if (record.status === 2) return <Audio record={record} />;
  if (record.status === 3 && !action) return <Failure record={record} />;
  const share = record.queuePos > 0 || action ? null : record.progress;
  return (
    <div className="grid min-w-0 flex-1 gap-1.5">
      <p className="flex justify-between gap-3 text-xs text-muted">
        <span>{statusText(record, action)}</span>
        {share !== null && <span className="tabular">{`${Math.round(share * 100)}%`}</span>}
      </p>
      <ProgressBar label={words.bar(labelOf(record))} value={share} />
    </div>
  );
}

/** The status of a record in words. */
export function statusText(record: CloneRecord, action?: RecordAction): string {
  const { status, progress, segDone, segTotal, queuePos, refusal } = record;
  if (action) return action === "cancel" ? words.states.cancelling : words.states.retrying;
  if (status === 2) return words.states.done;
  if (status === 3) return refusal?.code === "cancelled" ? words.states.cancelled : words.states.failed;
  if (progress >= 1) return words.states.finishing;
  if (queuePos > 0) return words.states.queued(queuePos);
  return segTotal === 0 ? words.states.learning : words.states.speaking(segDone, segTotal);
}

function Failure({ record }: { record: CloneRecord }) {
  const { refusal } = record;
  if (refusal?.code === "cancelled") return <p className="min-w-0 flex-1 text-sm text-muted">{statusText(record)}</p>;
  return (
    <p className="flex min-w-0 flex-1 items-start gap-2 text-sm text-seal">
      <Icon className="mt-0.5 shrink-0" name="alert" size={18} />
      <span>{refusal ? sentenceFor(refusal) : statusText(record)}</span>
    </p>
  );
}

function Audio({ record }: { record: CloneRecord }) {
  const player = usePlayer();
  const track = toTrack(record);
  const label = labelOf(record);
  const files = track.downloads;
  const hasMarkSetting = useHasCall("audibleMark");
  const doubted = [...new Set((record.doubts ?? []).map(({ text }) => text))];
  const isLoaded = player.track?.url === track.url;
  const isPlaying = isLoaded && player.isPlaying;
  const isLoading = isLoaded && player.isLoading;
  return (
    <>
      <ListenButton
        label={(isPlaying ? words.pause : words.play)(label)}
        onClick={() => (isPlaying ? player.toggle() : player.play(track))}
        sound={isLoading ? "loading" : isPlaying ? "playing" : "silent"}
      />
      <span className="mr-auto text-xs text-muted">
        <span className="tabular">{record.seconds > 0 && formatClock(record.seconds)}</span>
        {doubted.length > 0 && <span className="block text-seal">{words.doubts(doubted)}</span>}
      </span>
      <Menu
        aria-label={words.download(label)}
        className={buttonClass()}
        items={() => [...toFormatItems(files), ...(hasMarkSetting ? toMarkRows(files, openMark) : [])]}
      >
        <Icon name="download" size={18} />
        {playerCopy.download}
      </Menu>
    </>
  );
}

const toFormatItems = (files: readonly Download[]) =>
  files.map((file) => {
    const format = file.format.toUpperCase();
    return toDownloadItem(file, words.downloadAs(format), () =>
      notify({ kind: "info", text: playerCopy.preparing(format) }),
    );
  });

const labelLength = 12;

/** The beginning of the text, for accessible names. */
export const labelOf = ({ content }: CloneRecord) => [...plainText(content)].slice(0, labelLength).join("");

/** First sentence, voice and time, joined by hyphens. */
export function fileName(
  { name, content, createdAt }: Pick<CloneRecord, "name" | "content" | "createdAt">,
  extension: string,
) {
  const time = createdAt.slice(0, 16).replace(/[-:]/g, "").replace("T", "-");
  return `${[nameFromText(content), name, time].filter(Boolean).join("-")}.${extension}`;
}

/** A record as a player track with downloads. */
export function toTrack(record: CloneRecord) {
  const { voiceUrl, timelineUrl, name, content } = record;
  const withoutExtension = fileName(record, "");
  return {
    url: paths.media(voiceUrl),
    title: name,
    subtitle: plainText(content),
    ...(timelineUrl && { timelineUrl: paths.media(timelineUrl) }),
    downloads: toDownloads(record, (format) => withoutExtension + format),
  } satisfies PlayerTrack;
}
