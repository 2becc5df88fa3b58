import { type ReactNode, useEffect, useRef, useState } from "react";
import { refusalOf } from "~/call";
import { sentenceFor } from "~/copy/errors";
import { filmCopy as copy } from "~/copy/film";
import { useHasCall } from "~/state/capabilities";
import { closeFilm, type FilmSource, useFilmSource } from "~/state/dialog-requests";
import { Button } from "~/ui/button";
import { Dialog } from "~/ui/dialog";
import { Skeleton } from "~/ui/feedback";
import { SubtitleFields, TemplateFields } from "./film-details";
import { Choice, PictureFields } from "./film-fields";
import { FilmPreview, LayoutChoice } from "./film-preview";
import { FilmRow } from "./film-row";
import {
  changeLook,
  createFilm,
  type Film,
  type FilmList,
  type FilmLook,
  type FilmRequest,
  type FilmTools,
  plainStyle,
  useFilms,
} from "./films";

type Choices = Omit<FilmRequest, "source">;

const first: Choices = {
  ...{ size: "9:16", height: 720, format: "mp4", captions: "burnt", background: "auto", pages: [] },
  style: plainStyle,
};

/** A sound without a face is shown as its waveform. */
const firstLookFor = (people: FilmSource["people"]): Choices =>
  people.some(({ roleId, avatar, portrait }) => roleId || avatar || portrait)
    ? first
    : changeLook(first, { style: { ...first.style, layout: "wave" } });

/** Makes films of one sound and lists those that were made. `lazy` requires a default export. */
export default function FilmDialog(tools: FilmTools) {
  const source = useFilmSource();
  return source && <OpenDialog source={source} {...tools} />;
}

function OpenDialog({ source, ...tools }: FilmTools & { source: FilmSource }) {
  return (
    <FilmsOfSound
      form={(view, refresh) => <FilmForm notify={tools.notify} onStarted={refresh} source={source} view={view} />}
      id={source.id}
      onClose={closeFilm}
      {...tools}
    />
  );
}

interface FilmsOfSoundProps extends FilmTools {
  id: string;
  onClose(): void;
  /** Makes another one. */
  form(view: FilmList, refresh: () => Promise<void>): ReactNode;
}

/** The films of a sound in a dialog. */
export function FilmsOfSound({ id, onClose, form, ...tools }: FilmsOfSoundProps) {
  const { view, failure, refresh } = useFilms(id);
  const price = view && copy.price(view.used, view.limit);
  return (
    <Dialog closeLabel={copy.close} description={price ?? undefined} onClose={onClose} title={copy.title}>
      {view ? (
        <>
          <Made onChanged={refresh} view={view} {...tools} />
          {view.formats.length > 0 ? form(view, refresh) : <p className="mt-4 text-sm text-seal">{copy.unavailable}</p>}
        </>
      ) : failure ? (
        <div className="mt-4 grid gap-3" role="alert">
          <p className="text-sm text-seal">{sentenceFor({ code: failure })}</p>
          <Button onClick={() => void refresh()}>{copy.again}</Button>
        </div>
      ) : (
        <Skeleton className="mt-4 h-64 rounded" />
      )}
    </Dialog>
  );
}

function Made({ view, onChanged, ...tools }: FilmTools & { view: FilmList; onChanged(): void }) {
  const top = useRef<HTMLElement>(null);
  const total = view.list.length;
  const last = useRef(total);
  useEffect(() => {
    // The button that starts a film is below.
    if (total > last.current) top.current?.scrollIntoView({ block: "center" });
    last.current = total;
  }, [total]);
  if (total === 0) return null;
  return (
    <section aria-label={copy.list} className="mt-5 border-b border-line pb-5" ref={top}>
      <h3 className="text-sm font-semibold">{copy.list}</h3>
      <ul className="mt-2 grid gap-2">
        {view.list.map((film, index) => (
          <FilmRow film={film} isNewest={index === 0} key={film.videoId} onChanged={onChanged} {...tools} />
        ))}
      </ul>
    </section>
  );
}

interface FilmFormProps {
  source: FilmSource;
  view: FilmList;
  /** Resolves when the new film is listed. */
  onStarted(): Promise<void>;
  notify: FilmTools["notify"];
}

function FilmForm({ source: { kind, id, people, text }, view, onStarted, notify }: FilmFormProps) {
  const { formats } = view;
  const [choices, setChoices] = useState(() => firstLookFor(people));
  const [isStarting, setStarting] = useState(false);
  const equal = view.list.find((film) => film.status !== 3 && isFilmOf(film, choices));
  const change = (part: Partial<Choices>) => setChoices((now) => ({ ...now, ...part }));
  const changeStyle = (part: Partial<Choices["style"]>) =>
    setChoices((now) => changeLook(now, { style: { ...now.style, ...part } }));
  const chooseTemplate = ({ size, captions, background, style }: FilmLook) =>
    change({ size, captions, background, style });
  const hasTemplates = useHasCall("videoTemplates");
  const start = async () => {
    setStarting(true);
    try {
      // A finished film is made again on purpose: the button says so.
      await createFilm({ ...choices, source: { kind, id }, reuse: !equal });
      notify({ kind: "success", text: copy.started });
      await onStarted();
    } catch (error) {
      notify({ kind: "error", text: sentenceFor(refusalOf(error)) });
    }
    setStarting(false);
  };
  return (
    <form
      className="mt-5 grid gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        void start();
      }}
    >
      <FilmPreview look={choices} people={people} text={text} />
      {hasTemplates && <TemplateFields look={choices} notify={notify} onChoose={chooseTemplate} />}
      <LayoutChoice look={choices} onChange={changeStyle} people={people} />
      <Choice label={copy.fields.size} names={copy.sizes} onChange={(size) => change({ size })} value={choices.size} />
      <Choice
        label={copy.fields.captions}
        names={copy.captions}
        onChange={(captions) => change({ captions })}
        value={choices.captions}
      />
      {choices.captions === "burnt" && <SubtitleFields look={choices} onChange={changeStyle} />}
      <Choice
        label={copy.fields.background}
        names={copy.backgrounds}
        onChange={(background) => setChoices((now) => changeLook(now, { background }))}
        value={choices.background}
      />
      <p className="-mt-2 text-xs text-muted">{copy.backgroundHint}</p>
      <PictureFields look={choices} notify={notify} onChange={changeStyle} />
      <Choice
        label={copy.fields.height}
        names={copy.heights}
        onChange={(height) => change({ height: height === "1080" ? 1080 : 720 })}
        value={choices.height === 1080 ? "1080" : "720"}
      />
      {formats.length > 1 && (
        <Choice
          label={copy.fields.format}
          names={copy.formats}
          onChange={(format) => change({ format })}
          value={choices.format}
        />
      )}
      {equal?.status === 2 && <p className="text-sm text-muted">{copy.same}</p>}
      <Button
        kind={equal?.status === 2 ? "outline" : "primary"}
        pending={isStarting || equal?.status === 1}
        type="submit"
      >
        {equal ? (equal.status === 1 ? copy.making : copy.remake) : copy.start}
      </Button>
    </form>
  );
}

const isFilmOf = (film: Film, choices: Choices) =>
  (["size", "height", "format", "captions", "background"] as const).every((name) => film[name] === choices[name]) &&
  isEqual(film.style, choices.style);

const isEqual = (a: object, b: object): boolean =>
  Object.entries(a).every(([name, value]) => {
    const other = b[name as keyof typeof b] as unknown;
    return typeof value === "object" ? isEqual(value as object, other as object) : value === other;
  });
