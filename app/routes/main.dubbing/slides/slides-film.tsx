import { useEffect, useRef, useState } from "react";
import { refusalOf, uploadForm } from "~/call";
import { sentenceFor } from "~/copy/errors";
import { filmCopy } from "~/copy/film";
import { slidesFilmCopy as copy } from "~/copy/slides";
import { FilmsOfSound } from "~/features/film/film-dialog";
import { Choice } from "~/features/film/film-fields";
import { createFilm, type FilmList, type FilmRequest, plainStyle } from "~/features/film/films";
import { SharePanel } from "~/features/share/share-button";
import { notify } from "~/features/toasts/notify";
import { Button } from "~/ui/button";
import { Fault } from "~/ui/feedback";
import type { Dub } from "~server/bff/generations.server";
import { videoPictureMaxPx } from "~server/contract/limits";
import type { ScriptLine } from "../editor/script";
import { type Deck, type PagePictures, pagesOf } from "./deck";

interface SlidesFilmProps {
  deck: Deck;
  /** Finished, and of these lines. */
  dub: Dub;
  lines: readonly ScriptLine[];
  pictures: PagePictures;
  onClose(): void;
}

interface Choices {
  faceAt: keyof typeof copy.corners;
  captions: keyof typeof filmCopy.captions;
  height: "720" | "1080";
}

/** Makes a film of the dub with its pages, and lists those that were made. The default export is for `lazyPart`. */
export default function SlidesFilm(props: SlidesFilmProps) {
  return (
    <FilmsOfSound
      form={(view, refresh) => <FilmForm {...props} onStarted={refresh} view={view} />}
      id={props.dub.dubbId}
      notify={notify}
      onClose={props.onClose}
      sharePanel={sharePanel}
    />
  );
}

const sharePanel = (taskId: string, onClose: () => void) => <SharePanel id={taskId} kind="video" onClose={onClose} />;

interface FilmFormProps extends SlidesFilmProps {
  view: FilmList;
  /** Resolves when the new film is listed. */
  onStarted(): Promise<void>;
}

function FilmForm({ deck, dub, lines, pictures, view, onStarted }: FilmFormProps) {
  const [choices, setChoices] = useState<Choices>({ faceAt: "bottom-right", captions: "burnt", height: "720" });
  const [progress, setProgress] = useState<{ done: number; total: number } | null>(null);
  const [fault, setFault] = useState<string | null>(null);
  const isGone = useRef(false);
  useEffect(() => {
    isGone.current = false;
    return () => {
      isGone.current = true;
    };
  }, []);
  const pages = pagesOf(dub, lines, deck);
  const change = (part: Partial<Choices>) => setChoices((now) => ({ ...now, ...part }));
  const start = async () => {
    setFault(null);
    try {
      const sent: FilmRequest["pages"] = [];
      for (const [index, { page, ...rest }] of pages.entries()) {
        setProgress({ done: index, total: pages.length });
        const picturePath = await uploadPage(pictures, page);
        if (isGone.current) return;
        if (picturePath) sent.push({ ...rest, picturePath });
      }
      const format = view.formats.includes("mp4") ? "mp4" : "webm";
      const height = choices.height === "1080" ? 1080 : 720;
      const style = { ...plainStyle, layout: "slides" as const, faceAt: choices.faceAt };
      const source = { kind: "dub", id: dub.dubbId } as const;
      await createFilm({
        source,
        size: "16:9",
        height,
        format,
        captions: choices.captions,
        background: "auto",
        style,
        pages: sent,
        reuse: false,
      });
      notify({ kind: "success", text: filmCopy.started });
      await onStarted();
    } catch (error) {
      const refusal = refusalOf(error);
      // Unused pictures are deleted after a while: the next try sends them again.
      if (refusal.code === "picture-missing") pictures.uploaded.clear();
      setFault(sentenceFor(refusal));
    }
    setProgress(null);
  };
  const isMaking = view.list.some(({ status }) => status === 1);
  return (
    <form
      className="mt-5 grid gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        void start();
      }}
    >
      <p className="text-sm text-muted">{copy.pages(pages.length)}</p>
      <Choice label={copy.face} names={copy.corners} onChange={(faceAt) => change({ faceAt })} value={choices.faceAt} />
      <Choice
        label={filmCopy.fields.captions}
        names={filmCopy.captions}
        onChange={(captions) => change({ captions })}
        value={choices.captions}
      />
      <Choice
        label={filmCopy.fields.height}
        names={filmCopy.heights}
        onChange={(height) => change({ height })}
        value={choices.height}
      />
      {progress && (
        <p className="tabular text-sm text-muted" role="status">
          {copy.uploading(progress.done + 1, progress.total)}
        </p>
      )}
      <Fault>{fault}</Fault>
      <Button kind="primary" pending={progress !== null || isMaking} type="submit">
        {isMaking ? filmCopy.making : filmCopy.start}
      </Button>
    </form>
  );
}

/** Null for a page that the PDF does not have: the film goes on showing the page before it. */
async function uploadPage(pictures: PagePictures, page: number): Promise<string | null> {
  const address = pictures.uploaded.get(page);
  if (address) return address;
  const picture = await pictures.drawPage(page, videoPictureMaxPx);
  if (!picture) return null;
  const form = new FormData();
  // The server reads the fields in their order.
  form.append("type", "picture");
  form.append("file", picture, `page-${page}.jpg`);
  const sent = (await uploadForm("fileUpload", form)).url;
  pictures.uploaded.set(page, sent);
  return sent;
}
