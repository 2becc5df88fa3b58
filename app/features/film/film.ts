import { createStore, useStore } from "~/ui/store";

/** A finished sound that a film can be made of. */
export interface FilmSource {
  kind: "clone" | "dub" | "preview";
  id: string;
  title: string;
}

const source = createStore<FilmSource | null>(null);

/** Opens the dialog. */
export const askForFilm = (from: FilmSource) => source.set(from);
export const closeFilm = () => source.set(null);
/** The sound of the open dialog; null without one. */
export const useFilmSource = () => useStore(source);
