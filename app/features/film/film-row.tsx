import { useRef, useState } from "react";
import { callApi, changeTask, refusalOf } from "~/call";
import { sentenceFor } from "~/copy/errors";
import { filmCopy as copy } from "~/copy/film";
import { formatClock } from "~/copy/format";
import { resultCopy } from "~/copy/generation";
import { paths } from "~/paths";
import { Button, buttonClass } from "~/ui/button";
import { ProgressBar } from "~/ui/feedback";
import { Icon } from "~/ui/icons/icon";
import { ToolIcon } from "~/ui/icons/tool-icon";
import { Menu } from "~/ui/menu";
import type { MenuItem } from "~/ui/menu-panel";
import type { Film, FilmTools } from "./films";

interface FilmRowProps extends FilmTools {
  film: Film;
  /** Shows a finished film at once. */
  isNewest: boolean;
  onChanged(): void;
}

/** A film with its progress, its next action and a menu of the others. */
export function FilmRow({ film, isNewest, onChanged, notify, sharePanel }: FilmRowProps) {
  const { size, height, format, status, duration, missing } = film;
  const [isWatched, setWatched] = useState(isNewest);
  const [isBusy, setBusy] = useState(false);
  const [isAsking, setAsking] = useState(false);
  const [isSharing, setSharing] = useState(false);
  /** The closing menu leaves the focus to the question. */
  const keepsFocus = useRef(false);
  const ask = (isOn: boolean) => {
    keepsFocus.current = isOn;
    setAsking(isOn);
  };
  const act = async (change: () => Promise<unknown>, done?: string) => {
    setBusy(true);
    try {
      await change();
      if (done) notify({ kind: "success", text: done });
    } catch (error) {
      notify({ kind: "error", text: sentenceFor(refusalOf(error)) });
    }
    setBusy(false);
    onChanged();
  };
  const remove = () => void act(() => callApi("videoDelete", { videoId: film.videoId }), copy.removed);
  const facts = [copy.sizes[size], `${height}p`, copy.formats[format], status === 2 && formatClock(duration)];
  return (
    <li className="rounded border border-line p-3">
      <p className="tabular text-xs text-muted">{facts.filter(Boolean).join(" · ")}</p>
      {status === 1 && (
        <div className="mt-2 grid gap-1.5">
          <ProgressBar label={copy.progress} value={film.queuePos > 0 ? null : film.progress} />
          <p className="tabular text-xs text-muted">{progressText(film)}</p>
        </div>
      )}
      {status === 3 && <p className="mt-1 text-sm text-seal">{sentenceFor({ code: film.reason ?? film.msg })}</p>}
      {missing && <p className="mt-1 text-xs text-muted">{copy.missing(missing)}</p>}
      {status === 2 && isWatched && (
        <video
          aria-label={film.title}
          className="mx-auto mt-2 max-h-[50vh] max-w-full rounded bg-wash"
          controls
          playsInline
          preload="metadata"
          src={paths.media(film.videoUrl)}
        >
          <track kind="captions" />
        </video>
      )}
      <div className="mt-2 flex flex-wrap items-center gap-2">
        {status === 2 && (
          <a className={buttonClass()} download href={paths.media(film.videoUrl, `${film.title}.${format}`)}>
            <Icon name="download" size={18} />
            {copy.download}
          </a>
        )}
        {status === 2 && <AlbumButton film={film} notify={notify} />}
        {status === 1 && (
          <Button onClick={() => void act(() => changeTask(film.taskId, "cancel"))} pending={isBusy}>
            {copy.cancel}
          </Button>
        )}
        {status === 3 && (
          <Button onClick={() => void act(() => changeTask(film.taskId, "retry"))} pending={isBusy}>
            {copy.retry}
          </Button>
        )}
        {isAsking && (
          <Button autoFocus className="text-seal" onBlur={() => ask(false)} onClick={remove} pending={isBusy}>
            {copy.confirm}
          </Button>
        )}
        {status !== 1 && (
          <Menu
            aria-label={copy.more(facts.filter(Boolean).join(" "))}
            className="icon-button quiet ml-auto"
            items={() => [
              ...(isWatched || status !== 2 ? [] : [{ label: copy.watch, onSelect: () => setWatched(true) }]),
              ...(status === 2 ? toFileItems(film) : []),
              ...(status === 2 && sharePanel ? [{ label: resultCopy.share, onSelect: () => setSharing(true) }] : []),
              { label: copy.remove, isDanger: true, onSelect: () => ask(true) },
            ]}
            onClosed={(event) => keepsFocus.current && event.preventDefault()}
          >
            <ToolIcon name="more" />
          </Menu>
        )}
      </div>
      {isSharing && sharePanel?.(film.taskId, () => setSharing(false))}
    </li>
  );
}

/** Its subtitles, where they are a file of their own. */
function toFileItems({ captions, title, srt }: Film): MenuItem[] {
  if (captions !== "file") return [];
  const href = `data:application/x-subrip;charset=utf-8,${encodeURIComponent(srt)}`;
  return [{ label: copy.subtitles, href, fileName: `${title}.srt` }];
}

/** Hands the film to the phone's own sheet, which saves it to the album; elsewhere the download is the way. */
function AlbumButton({ film, notify }: { film: Film; notify: FilmTools["notify"] }) {
  const [isBusy, setBusy] = useState(false);
  const [file, setFile] = useState<File | null>(null);
  const type = `video/${film.format}`;
  const canShare = (files: File[]) => typeof navigator.canShare === "function" && navigator.canShare({ files });
  if (!matchMedia("(pointer: coarse)").matches) return null;
  if (!canShare([new File([], "film.mp4", { type })]))
    return <p className="w-full text-xs text-muted">{copy.albumHint}</p>;
  const share = async () => {
    setBusy(true);
    try {
      const read = file ?? (await readFilm(film, type));
      // A browser may refuse the sheet when reading took longer than the tap counts: then the second tap opens it.
      setFile(read);
      await navigator.share({ files: [read] });
    } catch (error) {
      const name = (error as { name?: string }).name;
      if (name === "NotAllowedError") notify({ kind: "success", text: copy.albumReady });
      else if (name !== "AbortError") notify({ kind: "error", text: copy.albumFailed });
    }
    setBusy(false);
  };
  return (
    <Button onClick={() => void share()} pending={isBusy}>
      {copy.album}
    </Button>
  );
}

async function readFilm({ videoUrl, title, format }: Film, type: string): Promise<File> {
  const answer = await fetch(paths.media(videoUrl));
  if (!answer.ok) throw new Error(String(answer.status));
  return new File([await answer.blob()], `${title}.${format}`, { type });
}

function progressText({ queuePos, segDone, segTotal, progress }: Film): string {
  if (queuePos > 0) return copy.queued(queuePos);
  if (segTotal === 0) return copy.waiting;
  return progress > 0.95 ? copy.finishing : copy.drawing(segDone, segTotal);
}
