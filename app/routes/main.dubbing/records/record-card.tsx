import { memo } from "react";
import { editorCopy } from "~/copy/dubbing";
import { dubGenerationCopy, formatWhen, dubbingRecordsCopy as words } from "~/copy/dubbing-records";
import { formatClock } from "~/copy/format";
import { useHasCall } from "~/offer";
import { ListenButton } from "~/ui/listen-button";
import { ProgressBar } from "~/ui/progress-bar";
import type { Dub } from "~server/bff/generations.server";
import { Glyph } from "../editor/glyphs";
import { Menu } from "../editor/menu";
import { failureWords } from "../failure-words";
import { exportItems } from "./export-items";

export interface RecordActions {
  onPlay(dub: Dub): void;
  /** What is finished of one that is still being made. */
  onListen(dub: Dub): void;
  onEdit(dub: Dub): void;
  onChange(dub: Dub, act: "cancel" | "retry"): void;
  onRemove(dub: Dub): void;
}

interface RecordCardProps extends RecordActions {
  dub: Dub;
  nowMs: number;
  isPlaying: boolean;
}

/** One dub: what it is, how far it is, and what can be done with it. */
export const RecordCard = memo(function RecordCard({ dub, nowMs, isPlaying, ...actions }: RecordCardProps) {
  const title = dub.title || editorCopy.untitled;
  return (
    <article className="rounded-card border border-line bg-surface p-3.5">
      <div className="flex items-center gap-2.5">
        <div className="min-w-0 flex-1">
          <h3 className="truncate text-sm font-semibold">{title}</h3>
          <p className="tabular text-xs text-muted">{about(dub, nowMs)}</p>
        </div>
        {dub.status === 2 && dub.voiceUrl && (
          <ListenButton
            label={(isPlaying ? words.pause : words.play)(title)}
            onClick={() => actions.onPlay(dub)}
            sound={isPlaying ? "playing" : "silent"}
          />
        )}
      </div>
      {dub.status === 1 && <Running dub={dub} />}
      {dub.status === 3 && <p className="mt-1 text-xs text-seal">{failureWords(dub)}</p>}
      <Actions dub={dub} title={title} {...actions} />
    </article>
  );
});

function Running({ dub }: { dub: Dub }) {
  const done = dub.lines.filter(({ status }) => status === 2).length;
  const place =
    dub.queuePos > 0
      ? words.queued(dub.queuePos)
      : words.segments(Math.min(done + 1, dub.lines.length), dub.lines.length);
  return (
    <div className="mt-3 grid gap-1.5">
      <ProgressBar label={dubGenerationCopy.progress} value={dub.progress} />
      <p className="tabular text-xs text-muted">{place}</p>
    </div>
  );
}

function Actions({
  dub,
  title,
  onListen,
  onEdit,
  onChange,
  onRemove,
}: Omit<RecordActions, "onPlay"> & { dub: Dub; title: string }) {
  const canExport = useHasCall("dubExport");
  const canCancel = useHasCall("taskCancel");
  const canRetry = useHasCall("taskRetry");
  const hasFinished = dub.lines.some(({ status }) => status === 2);
  return (
    <div className="-mx-2 -mb-2.5 mt-1 flex flex-wrap">
      {dub.status === 2 && (
        <Menu
          align="start"
          items={exportItems({ ...dub, title }, canExport)}
          trigger={
            <button aria-label={words.export(title)} className={`${link} inline-flex items-center gap-1`} type="button">
              {words.exportShort}
              <Glyph name="down" size={13} />
            </button>
          }
        />
      )}
      {dub.status === 1 && hasFinished && (
        <button className={link} onClick={() => onListen(dub)} type="button">
          {dubGenerationCopy.listenDone}
        </button>
      )}
      {canCancel && dub.status === 1 && (
        <button className={link} onClick={() => onChange(dub, "cancel")} type="button">
          {words.cancel}
        </button>
      )}
      {canRetry && dub.status === 3 && (
        <button className={`${link} !text-seal`} onClick={() => onChange(dub, "retry")} type="button">
          {words.retry}
        </button>
      )}
      <button className={link} onClick={() => onEdit(dub)} type="button">
        {words.edit}
      </button>
      {dub.status !== 1 && (
        <button className={link} onClick={() => onRemove(dub)} type="button">
          {words.remove}
        </button>
      )}
    </div>
  );
}

const link = "min-h-[44px] rounded px-2 text-xs text-muted transition-colors hover:text-ink";

function about({ lines, duration, createdAt, status }: Dub, nowMs: number): string {
  const names = [...new Set(lines.map(({ name }) => name))].filter(Boolean);
  const who = names.length === 1 ? names[0] : words.roles(new Set(lines.map(({ roleId }) => roleId)).size);
  const length = status === 2 && duration > 0 ? formatClock(duration) : words.lines(lines.length);
  return [length, who, formatWhen(createdAt, nowMs)].filter(Boolean).join(" · ");
}
