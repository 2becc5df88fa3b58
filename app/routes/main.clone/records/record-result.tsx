import { useEffect, useRef } from "react";
import { composerCopy, cloneRecordsCopy as words } from "~/copy/clone";
import { sentenceFor } from "~/copy/errors";
import { formatClock, formatDetail } from "~/copy/format";
import { shareCopy } from "~/copy/share";
import { playerCopy } from "~/copy/site";
import { askForFilm } from "~/dialog-requests";
import { type Download, noteOf, toDownloadItem, toDownloads } from "~/features/player/downloads";
import { type PlayerTrack, usePlayer } from "~/features/player/provider";
import { ShareButton } from "~/features/share/share-button";
import { notify } from "~/features/toasts/notify";
import { useHasCall } from "~/offer";
import { paths } from "~/paths";
import { Button, buttonClass, ListenButton } from "~/ui/button";
import { ProgressBar } from "~/ui/feedback";
import { Icon } from "~/ui/icons/icon";
import { ToolIcon } from "~/ui/icons/tool-icon";
import { Menu } from "~/ui/menu";
import type { CloneRecord } from "~server/bff/generations.server";
import { parseMarks } from "~server/contract/marks";
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
      <Downloads downloads={track.downloads} label={label} />
      <ShareButton
        className={buttonClass({ kind: "quiet" })}
        id={record.taskId}
        kind="clone"
        label={shareCopy.openFor(label)}
      >
        {shareCopy.open}
      </ShareButton>
    </>
  );
}

/** The first format in one tap, the others in a menu. */
function Downloads({ downloads, label }: { downloads: readonly Download[]; label: string }) {
  const [first, ...others] = downloads;
  if (!first) return null;
  const format = first.format.toUpperCase();
  return (
    <>
      <a
        aria-label={formatDetail(words.downloadAs(format), label)}
        className={buttonClass()}
        download
        href={first.url}
        title={noteOf(first)}
      >
        <Icon className="max-sm:hidden" name="download" size={18} />
        {format}
      </a>
      {others.length > 0 && (
        <Menu
          align="start"
          aria-label={words.otherFormats(label)}
          className={buttonClass()}
          items={() => downloads.map((file) => toItem(file))}
        >
          {words.formats}
          <ToolIcon name="down" size={14} />
        </Menu>
      )}
    </>
  );
}

function toItem(download: Download) {
  const format = download.format.toUpperCase();
  return toDownloadItem(download, format, () => notify({ kind: "info", text: playerCopy.preparing(format) }));
}

/** The latest generation beside the button; plays when it finishes. */
export function LatestResult({ record }: { record: CloneRecord }) {
  const player = usePlayer();
  const wasRunning = useRef(record.status === 1);
  const play = useRef(player.play);
  play.current = player.play;
  const isReady = record.status === 2 && record.voiceUrl !== "";
  const canFilm = useHasCall("videoCreate") && isReady && record.timelineUrl !== "";
  useEffect(() => {
    if (!isReady || !wasRunning.current) return;
    wasRunning.current = false;
    play.current(toTrack(record));
  }, [isReady, record]);

  return (
    <section
      aria-label={composerCopy.result}
      className="mb-3 flex min-h-[60px] flex-wrap items-center gap-2 rounded bg-wash px-3 py-2 max-sm:[&>button]:mr-auto max-sm:[&>span]:hidden"
    >
      <RecordResult record={record} />
      {canFilm && (
        <Button kind="quiet" onClick={() => askForFilm({ kind: "clone", id: record.taskId, title: labelOf(record) })}>
          {words.film}
        </Button>
      )}
    </section>
  );
}

const fileNameTextLength = 10;
const labelLength = 12;

/** The text without marks. */
export const plainText = (content: string) =>
  parseMarks(content)
    .map((mark) => (mark.kind === "text" ? mark.text : mark.kind === "reading" ? mark.char : ""))
    .join("");

/** The beginning of the text, for accessible names. */
export const labelOf = ({ content }: CloneRecord) => [...plainText(content)].slice(0, labelLength).join("");

/** Voice, beginning of the text and time, joined by hyphens. */
export function fileName(
  { name, content, createdAt }: Pick<CloneRecord, "name" | "content" | "createdAt">,
  extension: string,
) {
  const text = [...plainText(content).replace(/[\s\p{P}]/gu, "")].slice(0, fileNameTextLength).join("");
  const time = createdAt.slice(0, 16).replace(/[-:]/g, "").replace("T", "-");
  return `${[name, text, time].filter(Boolean).join("-")}.${extension}`;
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
