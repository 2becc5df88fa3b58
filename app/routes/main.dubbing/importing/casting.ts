import { useState } from "react";
import { importCopy } from "~/copy/dubbing";
import { notify } from "~/features/toasts/notify";
import { createSavedValue, owned } from "~/ui/store";
import type { Speaker } from "../editor/script";
import type { Cast } from "../use-dub-session";
import type { ParsedLine } from "./parsed-line";
import { castLines, type NameDecisions, nameless, type PendingImport } from "./pending-import";

interface Novel {
  pending: PendingImport;
  /** The same text with its speakers. */
  cast: ParsedLine[];
}

const quotation = /[“「『"]/u;

/** Asks of a text with talk in quotation marks whether its people get voices of their own. */
export function useNovelQuestion(add: (pending: PendingImport) => void) {
  const [novel, setNovel] = useState<Novel | null>(null);
  return {
    /** Adds a text at once that is no novel. */
    async addRead(pending: PendingImport) {
      const cast = pending.spot ? null : await castIfNovel(pending.lines);
      if (cast) setNovel({ pending, cast });
      else add(pending);
    },
    question: novel && {
      people: countPeople(novel.cast),
      unsure: novel.cast.filter(({ isUnsure }) => isUnsure).length,
      choose(reading: "cast" | "narrator") {
        setNovel(null);
        add(reading === "cast" ? { ...novel.pending, lines: novel.cast, asksRole: true } : novel.pending);
      },
      cancel: () => setNovel(null),
    },
  };
}

/** Null for other texts, and where the rules could not be downloaded. */
async function castIfNovel(lines: readonly ParsedLine[]): Promise<ParsedLine[] | null> {
  if (!lines.some(({ text }) => quotation.test(text))) return null;
  const rules = await import("./cast-novel").catch(() => null);
  const cast = rules?.isNovel(lines) ? rules.castNovel(lines) : [];
  return cast.some(({ name }) => name !== null) ? cast : null;
}

/** The most talkative first. */
function countPeople(lines: readonly ParsedLine[]) {
  const counts = new Map<string, number>();
  for (const { name } of lines) if (name !== null) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].map(([name, count]) => ({ name, lines: count })).sort((a, b) => b.lines - a.lines);
}

/** The roles that names got at earlier imports, so that the volumes of a series sound alike. */
const savedCast = createSavedValue(owned("dubbing-cast"), (json) => json as Record<string, Speaker> | null, "local");
const castMax = 300;

export const rememberedCast = (): Readonly<Record<string, Speaker>> => savedCast.read() ?? {};

export function rememberCast(decisions: NameDecisions, speakers: ReadonlyMap<string, Speaker>) {
  const chosen = [...decisions].flatMap(([name, decision]) => {
    const speaker = name !== nameless && decision !== "text" ? speakers.get(decision.roleId) : undefined;
    return speaker ? [[name, speaker] as const] : [];
  });
  const kept = Object.entries(rememberedCast()).filter(([name]) => !decisions.has(name));
  savedCast.write(Object.fromEntries([...kept, ...chosen].slice(-castMax)));
}

/** Makes a project of each chapter. Returns the first one's id; null after an error, which was shown. */
export async function openChapters({ lines, chapters = [] }: PendingImport, decisions: NameDecisions, cast: Cast) {
  const storage = await import("../projects/storage").catch(() => null);
  const parts = chapters.map((title, chapter) => ({
    title,
    lines: castLines(
      lines.filter((line) => line.chapter === chapter),
      decisions,
      cast.defaultRoleId(),
    ),
  }));
  const project = (await storage?.createChapterProjects(parts, [...cast.speakers.values()])) ?? null;
  const failure = importCopy.failures[storage ? "not-stored" : "not-now"];
  notify(project ? { kind: "success", text: importCopy.chapters(parts.length) } : { kind: "error", text: failure });
  return project;
}
