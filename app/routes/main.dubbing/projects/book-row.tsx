import { useCallback, useEffect, useState } from "react";
import { refusalOf } from "~/call";
import { bookCopy as copy } from "~/copy/dubbing-tools";
import { sentenceFor } from "~/copy/errors";
import { costCopy } from "~/copy/generation";
import { useAccount } from "~/features/account/provider";
import { notify } from "~/features/toasts/notify";
import { askToBuyFor, askToLogIn } from "~/state/dialog-requests";
import { Button } from "~/ui/button";
import { entitlementReasonOf } from "~server/contract/codes";
import { titleOf } from "../dub";
import { isBlank } from "../editor/script";
import type { DubSession } from "../use-dub-session";
import { type BookChapter, generateChapter, noteChapterDub, readWholeBook, type WholeBook } from "./whole-book";

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
    const reason = place > 0 ? copy.noRole(place) : sentenceFor(refusal);
    notify({ kind: "error", text: copy.stopped(titleOf(script), reason) });
    if (place === 0 && refusal.code === "entitlement") askToBuyFor(entitlementReasonOf(refusal.data));
    return false;
  };
