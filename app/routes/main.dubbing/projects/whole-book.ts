import { updateStoredValue } from "~/features/draft/draft";
import type { Dub } from "~server/bff/generations.server";
import { createDub, findDub, isDubOf, toDubLine, toDubMusic } from "../dub";
import { computeCost, isBlank, type ScriptLine } from "../editor/script";
import { type Draft, newRevision, parseDraft } from "../stored-draft";
import { withCover } from "./covers";
import { announceSave, changeProjects, draftKeyOf } from "./current";
import { pullProject } from "./pull-project";
import { readDraft, readProjects } from "./storage";

/** A chapter of a book, which is a project. */
export interface BookChapter {
  id: string;
  draft: Draft;
}

export interface WholeBook {
  name: string;
  chapters: number;
  /** Chapters, in order, without a dub of their lines as they are now. */
  open: BookChapter[];
  /** What the open chapters cost at most: lines that were spoken before are free. */
  characters: number;
}

const writtenLines = ({ draft }: BookChapter): ScriptLine[] => draft.script.lines.filter((line) => !isBlank(line));

/** The book's chapters in this browser and the account, and which of them are to be generated. */
export async function readWholeBook(bookId: string): Promise<WholeBook> {
  const chapters: BookChapter[] = [];
  for (const { id, deletedAt } of await readProjects()) {
    if (deletedAt !== undefined) continue;
    const draft = (await readDraft(id)) ?? ((await pullProject(id)) ? await readDraft(id) : null);
    const chapter = draft && { id, draft };
    if (chapter?.draft.script.chapter?.bookId === bookId && writtenLines(chapter).length > 0) chapters.push(chapter);
  }
  chapters.sort((a, b) => numberOf(a) - numberOf(b));
  const open: BookChapter[] = [];
  for (const chapter of chapters) if (!(await isGenerated(chapter))) open.push(chapter);
  return {
    name: chapters[0]?.draft.script.chapter?.book ?? "",
    chapters: chapters.length,
    open,
    characters: open.reduce((sum, one) => sum + computeCost(writtenLines(one), new Map(one.draft.made)).characters, 0),
  };
}

const numberOf = ({ draft }: BookChapter) => draft.script.chapter?.number ?? 0;

/** True for a chapter that is being generated, too. */
async function isGenerated(chapter: BookChapter): Promise<boolean> {
  const { dubbId } = chapter.draft;
  const dub = dubbId ? await findDub(dubbId).catch(() => null) : null;
  return dub !== null && dub.status !== 3 && isDubOf(dub, writtenLines(chapter));
}

/** Generates a chapter, as a version of its earlier dub. Null if the dub is not listed yet. Throws `Refused`. */
export async function generateChapter(chapter: BookChapter): Promise<Dub | null> {
  const { script, dubbId } = chapter.draft;
  return createDub({
    title: script.title,
    lines: writtenLines(chapter).map(toDubLine),
    isTake: false,
    ...(script.music && { music: toDubMusic(script.music) }),
    ...(dubbId && { revises: dubbId }),
    ...(script.chapter && { chapter: await withCover(script.chapter).catch(() => script.chapter) }),
  });
}

/** Notes the dub in the chapter's draft; the chapters keep their order in the list of projects. */
export async function noteChapterDub(chapter: BookChapter, dubbId: string): Promise<void> {
  const revision = newRevision();
  await updateStoredValue<unknown>(draftKeyOf(chapter.id), (stored) => {
    const draft = parseDraft(stored);
    return draft ? { ...draft, dubbId, revision } : stored;
  });
  announceSave(chapter.id, revision);
  const updatedAt = Date.now() - numberOf(chapter);
  await changeProjects((all) => all.map((one) => (one.id === chapter.id ? { ...one, updatedAt } : one)));
}
