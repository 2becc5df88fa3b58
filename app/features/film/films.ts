import { type ReactNode, useCallback, useEffect, useState } from "react";
import { bffPaths, callApi, createIdempotentCall, refusalOf } from "~/call";
import { usePolling } from "~/ui/feedback";
import type { CallData, CallRequest } from "~server/contract/calls/table";

export type FilmList = CallData<"videoList">;
export interface FilmTools {
  notify: Notify;
  /** The dialog that makes a finished film public; undefined if the upstream has no public pages. */
  sharePanel?: ((taskId: string, onClose: () => void) => ReactNode) | undefined;
}

type Notify = (notice: { kind: "success" | "error"; text: string }) => void;
export type Film = FilmList["list"][number];
export type FilmRequest = CallRequest<"videoCreate">;

/** All calls throw `Refused`. */
export const createFilm = createIdempotentCall<FilmRequest, CallData<"videoCreate">>(bffPaths.passed("videoCreate"));

/** What decides the picture of a film. */
export type FilmLook = Pick<FilmRequest, "size" | "background" | "captions" | "style">;

/** What a film looks like unless something is chosen. */
export const plainStyle: FilmLook["style"] = {
  ...{ layout: "face", picturePath: "", logoPath: "", logoAt: "top-left", faceAt: "bottom-right" },
  ...{ title: "", cover: false },
  subtitles: { place: "bottom", size: "medium", color: "white", edge: "thin", karaoke: false },
};

/** Words alone stand on paper in ink; before pictures, and in the night, they are white. */
export const lettersOf = ({ background, style: { layout, picturePath } }: Pick<FilmLook, "background" | "style">) =>
  layout === "face" || layout === "corner" || picturePath || background === "ink"
    ? ({ color: "white", edge: "thin" } as const)
    : ({ color: "ink", edge: "none" } as const);

/** The look after a change. Letters that were not chosen by the person follow it. */
export function changeLook<Look extends FilmLook>(look: Look, change: Partial<FilmLook>): Look {
  const changed = { ...look, ...change };
  const { subtitles } = look.style;
  const usual = lettersOf(look);
  const isUsual = subtitles.color === usual.color && subtitles.edge === usual.edge;
  if (!isUsual || (change.style && change.style.subtitles !== subtitles)) return changed;
  return { ...changed, style: { ...changed.style, subtitles: { ...subtitles, ...lettersOf(changed) } } };
}

export type FilmTemplate = CallData<"videoTemplates">["list"][number];

/** The account's templates, none while they are read; and how to show those that a change answered. */
export function useTemplates() {
  const [templates, setTemplates] = useState<readonly FilmTemplate[]>([]);
  useEffect(() => {
    callApi("videoTemplates", {}).then(
      ({ list }) => setTemplates(list),
      // The film is made without them.
      () => {},
    );
  }, []);
  return [templates, setTemplates] as const;
}

/** Shown of one sound. */
const listedMax = 20;

interface Films {
  view: FilmList | null;
  /** The code of a failed reading. */
  failure: string | null;
  /** Resolves when the films were read, or could not be. */
  refresh(): Promise<void>;
}

const pollMs = 1500;

/** The films of a sound; read again while one of them is being made. */
export function useFilms(id: string): Films {
  const [view, setView] = useState<FilmList | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const refresh = useCallback(
    () =>
      callApi("videoList", { sourceId: id, pageSize: listedMax }).then(
        (read) => {
          setView(read);
          setFailure(null);
        },
        (error: unknown) => setFailure(refusalOf(error).code),
      ),
    [id],
  );
  useEffect(() => void refresh(), [refresh]);
  usePolling(view?.list.some(({ status }) => status === 1) ?? false, refresh, pollMs);
  return { view, failure, refresh };
}
