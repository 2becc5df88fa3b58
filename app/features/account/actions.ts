import { bffPaths } from "~/bff-paths";
import { call, refusalOf } from "~/call";
import { accountCopy as words } from "~/copy/account";
import { sentenceFor } from "~/copy/errors";
import { askToRemoveAccount } from "./removal";

interface Question {
  title?: string;
  text: string;
  confirm: string;
}

/** What the menu needs of the page around it. */
export interface Surroundings {
  ask(question: Question): Promise<boolean>;
  notify(notice: { kind: "success" | "error"; text: string }): void;
  /** The session has ended. */
  onLoggedOut(): void;
}

/** What the menu leads to; each asks first. */
export interface AccountActions {
  onLogOut(): void;
  onRemove(): void;
}

export function createActions({ ask, notify, onLoggedOut }: Surroundings): AccountActions {
  async function logOut() {
    if (!(await ask(words.leaving))) return;
    try {
      await call(bffPaths.session, { method: "DELETE" });
    } catch (error) {
      return notify({ kind: "error", text: sentenceFor(refusalOf(error)) });
    }
    notify({ kind: "success", text: words.loggedOut });
    onLoggedOut();
  }
  return { onLogOut: () => void logOut(), onRemove: askToRemoveAccount };
}
