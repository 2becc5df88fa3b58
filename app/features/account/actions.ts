import { bffPaths } from "~/bff-paths";
import { accountCopy as words } from "~/copy/account";
import { errorSentences, sentenceFor } from "~/copy/errors";

type Refusal = Parameters<typeof sentenceFor>[0];

interface Question {
  title?: string;
  text: string;
  confirm: string;
}

/** What the menu needs of the page around it. */
export interface Surroundings {
  ask(question: Question): Promise<boolean>;
  tell(notice: { kind: "success" | "error"; text: string }): void;
  /** Nobody is logged in any more. */
  onGone(): void;
}

/** What the menu leads to; each asks first. */
export interface AccountActions {
  onLogOut(): void;
  onRemove(): void;
}

interface End {
  question: Question;
  path: string;
  method: "POST" | "DELETE";
  said(receiptId: string): string;
}

const loggingOut: End = { question: words.leaving, path: bffPaths.logOut, method: "POST", said: () => words.loggedOut };
const removing: End = { question: words.removing, path: bffPaths.account, method: "DELETE", said: words.removed };

export function createActions({ ask, tell, onGone }: Surroundings): AccountActions {
  async function end({ question, path, method, said }: End) {
    if (!(await ask(question))) return;
    const answer = await fetch(path, { method }).catch(() => null);
    if (!answer) return tell({ kind: "error", text: errorSentences.network });
    const body = (await answer.json().catch(() => ({}))) as { receiptId: string; refusal?: Refusal };
    if (!answer.ok) return tell({ kind: "error", text: sentenceFor(body.refusal ?? { code: "request-failed" }) });
    const { receiptId } = body;
    tell({ kind: "success", text: said(receiptId) });
    onGone();
  }
  return { onLogOut: () => void end(loggingOut), onRemove: () => void end(removing) };
}
