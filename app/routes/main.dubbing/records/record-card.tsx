import { type ButtonHTMLAttributes, forwardRef } from "react";
import { editorCopy } from "~/copy/dubbing";
import { dubbingRecordsCopy as copy, dubGenerationCopy, formatWhen } from "~/copy/dubbing-records";
import { formatClock } from "~/copy/format";
import { useHasCall } from "~/offer";
import { ListenButton } from "~/ui/button";
import { ProgressBar } from "~/ui/feedback";
import type { Dub } from "~server/bff/generations.server";
import { countFinishedLines, failureText, toExportItems } from "../dub";
import { Glyph } from "../editor/glyphs";
import { Menu } from "../editor/menu";

export interface RecordActions {
  onPlay(dub: Dub): void;
  /** Plays the finished lines of a running dub. */
  onListen(dub: Dub): void;
  onEdit(dub: Dub): void;
  onChange(dub: Dub, act: "cancel" | "retry"): void;
  onRemove(dub: Dub): void;
}

interface RecordCardProps {
  dub: Dub;
  nowMs: number;
  isPlaying: boolean;
  actions: RecordActions;
}

/** A dub, its progress and its actions. */
export function RecordCard({ dub, nowMs, isPlaying, actions }: RecordCardProps) {
  const title = dub.title || editorCopy.untitled;
  return (
    <article className="rounded-card border border-line bg-surface p-3.5">
      <div className="flex items-center gap-2.5">
        <div className="min-w-0 flex-1">
          <h3 className="truncate text-sm font-semibold">{title}</h3>
          <p className="tabular text-xs text-muted">{summaryOf(dub, nowMs)}</p>
        </div>
        {dub.status === 2 && dub.voiceUrl && (
          <ListenButton
            label={(isPlaying ? copy.pause : copy.play)(title)}
            onClick={() => actions.onPlay(dub)}
            sound={isPlaying ? "playing" : "silent"}
          />
        )}
      </div>
      {dub.status === 1 && <Running dub={dub} />}
      {dub.status === 3 && <p className="mt-1 text-xs text-seal">{failureText(dub)}</p>}
      <ActionRow actions={actions} dub={dub} title={title} />
    </article>
  );
}

function Running({ dub }: { dub: Dub }) {
  const finished = countFinishedLines(dub);
  const position =
    dub.queuePos > 0
      ? copy.queued(dub.queuePos)
      : copy.segments(Math.min(finished + 1, dub.lines.length), dub.lines.length);
  return (
    <div className="mt-3 grid gap-1.5">
      <ProgressBar label={dubGenerationCopy.progress} value={dub.progress} />
      <p className="tabular text-xs text-muted">{position}</p>
    </div>
  );
}

function ActionRow({ dub, title, actions }: { dub: Dub; title: string; actions: RecordActions }) {
  const canExport = useHasCall("dubExport");
  const canCancel = useHasCall("taskCancel");
  const canRetry = useHasCall("taskRetry");
  return (
    <div className="-mx-2 -mb-2.5 mt-1 flex flex-wrap">
      {dub.status === 2 && (
        <Menu
          align="start"
          items={toExportItems({ ...dub, title }, canExport)}
          trigger={
            <TextButton aria-label={copy.export(title)} className="inline-flex items-center gap-1">
              {copy.exportShort}
              <Glyph name="down" size={13} />
            </TextButton>
          }
        />
      )}
      {dub.status === 1 && countFinishedLines(dub) > 0 && (
        <TextButton onClick={() => actions.onListen(dub)}>{dubGenerationCopy.listenDone}</TextButton>
      )}
      {canCancel && dub.status === 1 && (
        <TextButton onClick={() => actions.onChange(dub, "cancel")}>{copy.cancel}</TextButton>
      )}
      {canRetry && dub.status === 3 && (
        <TextButton className="!text-seal" onClick={() => actions.onChange(dub, "retry")}>
          {copy.retry}
        </TextButton>
      )}
      <TextButton onClick={() => actions.onEdit(dub)}>{copy.edit}</TextButton>
      {dub.status !== 1 && <TextButton onClick={() => actions.onRemove(dub)}>{copy.remove}</TextButton>}
    </div>
  );
}

/** Passes the properties and the ref of a menu's trigger on. */
const TextButton = forwardRef<HTMLButtonElement, ButtonHTMLAttributes<HTMLButtonElement>>(
  ({ className = "", ...rest }, ref) => (
    <button
      className={`min-h-[44px] rounded px-2 text-xs text-muted transition-colors hover:text-ink ${className}`}
      ref={ref}
      type="button"
      {...rest}
    />
  ),
);

function summaryOf({ lines, duration, createdAt, status }: Dub, nowMs: number): string {
  const names = [...new Set(lines.map(({ name }) => name))].filter(Boolean);
  const who = names.length === 1 ? names[0] : copy.roles(new Set(lines.map(({ roleId }) => roleId)).size);
  const length = status === 2 && duration > 0 ? formatClock(duration) : copy.lines(lines.length);
  return [length, who, formatWhen(createdAt, nowMs)].filter(Boolean).join(" · ");
}
