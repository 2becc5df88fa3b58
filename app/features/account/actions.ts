import { bffPaths } from "~/bff-paths";
import { accountCopy as words } from "~/copy/account";
import { errorSentences, sentenceFor } from "~/copy/errors";
import { askToRemoveAccount } from "./removal";

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
  /** The session has ended. */
  onGone(): void;
}

/** What the menu leads to; each asks first. */
export interface AccountActions {
  onLogOut(): void;
  onRemove(): void;
}

export function createActions({ ask, tell, onGone }: Surroundings): AccountActions {
  async function logOut() {
    if (!(await ask(words.leaving))) return;
    const answer = await fetch(bffPaths.logOut, { method: "POST" }).catch(() => null);
    if (!answer) return tell({ kind: "error", text: errorSentences.network });
    const body = (await answer.json().catch(() => ({}))) as { refusal?: Refusal };
    if (!answer.ok) return tell({ kind: "error", text: sentenceFor(body.refusal ?? { code: "request-failed" }) });
    tell({ kind: "success", text: words.loggedOut });
    onGone();
  }
  return { onLogOut: () => void logOut(), onRemove: askToRemoveAccount };
}
