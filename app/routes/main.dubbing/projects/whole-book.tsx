import { useCallback, useEffect, useState } from "react";
import { refusalOf } from "~/call";
import { dubGenerationCopy } from "~/copy/dubbing-records";
import { bookCopy as copy } from "~/copy/dubbing-tools";
import { sentenceFor } from "~/copy/errors";
import { costCopy } from "~/copy/generation";
import { useAccount } from "~/features/account/provider";
import { updateStoredValue } from "~/features/draft/draft";
import { notify } from "~/features/toasts/notify";
import { askToBuyFor, askToLogIn } from "~/state/dialog-requests";
import { Button } from "~/ui/button";
import type { Dub } from "~server/bff/generations.server";
import { entitlementReasonOf } from "~server/contract/codes";
import { createDub, findDub, isDubOf, titleOf, toDubRequest } from "../dub";
import { computeCost, isBlank, type ScriptLine } from "../editor/script";
import { type Draft, newRevision, parseDraft } from "../stored-draft";
import type { DubSession } from "../use-dub-session";
import { announceSave, changeProjects, draftKeyOf } from "./current";
import { pullProject } from "./pull-project";
import { readDraft, readProjects } from "./storage";

/** The book that the open project is a chapter of: how many chapters are generated, and a button for the others. */
export function BookRow({ session, bookId }: { session: DubSession; bookId: string }) {
  const { projectId, selection, generation, records, price } = session;
  const { isLogin } = useAccount().account;
  const { book, read } = useWholeBook(session, bookId);
  const [submitted, setSubmitted] = useState<number | null>(null);
  if (!book || book.chapters < 2) return null;
  const { name, chapters, open, characters } = book;

  const submit = async (chapter: BookChapter) => {
    const dub = await generateChapter(chapter);
    if (!dub) return;
    records.upsert(dub);
    if (chapter.id !== projectId) return noteChapterDub(chapter, dub.dubbId);
    generation.follow(dub);
    selection.select(dub.dubbId);
  };
  const generate = async () => {
    if (!isLogin) return askToLogIn("asked");
    for (const [index, chapter] of open.entries()) {
      setSubmitted(index);
      if (!(await submit(chapter).then(() => true, tellStop(chapter)))) break;
    }
    setSubmitted(null);
    await read();
  };
  const left = price.allowance?.left ?? null;
  const isShort = isLogin && price.allowance?.tier && left !== null && characters > left;
  return (
    <section
      aria-label={copy.label}
      className="mt-3 flex flex-wrap items-center gap-x-3 gap-y-2 rounded bg-wash px-4 py-3"
    >
      <p className="min-w-0 flex-1 basis-56 text-sm" role="status">
        {submitted === null
          ? copy.state(name, chapters, chapters - open.length)
          : copy.submitting(submitted + 1, open.length)}
        {submitted === null && (
          <span className={`tabular block text-xs ${isShort ? "text-seal" : "text-muted"}`}>
            {open.length === 0 ? copy.done : isShort ? costCopy.short(characters, left) : copy.cost(characters)}
          </span>
        )}
      </p>
      {open.length > 0 && (
        <Button onClick={() => void generate()} pending={submitted !== null}>
          {open.length === chapters ? copy.all(chapters) : copy.rest(open.length)}
        </Button>
      )}
    </section>
  );
}

/** Null until it was read, with the open project as it is now. */
function useWholeBook({ draftSync: { save } }: DubSession, bookId: string) {
  const [book, setBook] = useState<WholeBook | null>(null);
  const read = useCallback(async () => {
    await save();
    setBook(await readWholeBook(bookId));
  }, [save, bookId]);
  useEffect(() => void read(), [read]);
  return { book, read };
}

/** Says why this chapter and those after it were not started. */
const tellStop =
  ({ draft: { script } }: BookChapter) =>
  (error: unknown): false => {
    const refusal = refusalOf(error);
    const place = script.lines.findIndex((line) => !isBlank(line) && !line.roleId) + 1;
    const reason = place > 0 ? dubGenerationCopy.cost.noRole(place) : sentenceFor(refusal);
    notify({ kind: "error", text: copy.stopped(titleOf(script), reason) });
    if (place === 0 && refusal.code === "entitlement") askToBuyFor(entitlementReasonOf(refusal.data));
    return false;
  };

/** A chapter of a book, which is a project. */
interface BookChapter {
  id: string;
  draft: Draft;
}

interface WholeBook {
  name: string;
  chapters: number;
  /** Chapters, in order, without a dub of their lines as they are now. */
  open: BookChapter[];
  /** What the open chapters cost at most: lines that were spoken before are free. */
  characters: number;
}

const writtenLines = ({ draft }: BookChapter): ScriptLine[] => draft.script.lines.filter((line) => !isBlank(line));

/** The book's chapters in this browser and the account, and which of them are to be generated. */
async function readWholeBook(bookId: string): Promise<WholeBook> {
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
async function generateChapter(chapter: BookChapter): Promise<Dub | null> {
  const { script, dubbId } = chapter.draft;
  return createDub(await toDubRequest(script, writtenLines(chapter), dubbId));
}

/** Notes the dub in the chapter's draft; the chapters keep their order in the list of projects. */
async function noteChapterDub(chapter: BookChapter, dubbId: string): Promise<void> {
  const revision = newRevision();
  await updateStoredValue<unknown>(draftKeyOf(chapter.id), (stored) => {
    const draft = parseDraft(stored);
    return draft ? { ...draft, dubbId, revision } : stored;
  });
  announceSave(chapter.id, revision);
  const updatedAt = Date.now() - numberOf(chapter);
  await changeProjects((all) => all.map((one) => (one.id === chapter.id ? { ...one, updatedAt } : one)));
}
