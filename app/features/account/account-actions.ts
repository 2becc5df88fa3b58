import { bffPaths, call, callApi, createIdempotentCall, refusalOf } from "~/call";
import { accountCopy as words } from "~/copy/account";
import { sentenceFor } from "~/copy/errors";
import { createSavedValue, createStore, useStore } from "~/ui/store";
import type { CallData } from "~server/contract/calls/table";

interface AccountQuestion {
  title?: string;
  text: string;
  confirm: string;
}

/** Parts of the page that the actions use. */
export interface ActionContext {
  ask(question: AccountQuestion): Promise<boolean>;
  /** The site names a contact. */
  hasContact: boolean;
  notify(notice: { kind: "success" | "error"; text: string }): void;
  /** The session has ended. The sentence is for the visitor. */
  onLoggedOut(sentence: string): void;
}

/** The actions of the account menu; each asks for confirmation. */
export interface AccountActions {
  onLogOut(): void;
  onRemove(): void;
}

export function createActions({ ask, notify, onLoggedOut }: Omit<ActionContext, "hasContact">): AccountActions {
  async function logOut() {
    if (!(await ask(words.leaving))) return;
    try {
      await call(bffPaths.session, { method: "DELETE" });
    } catch (error) {
      return notify({ kind: "error", text: sentenceFor(refusalOf(error)) });
    }
    onLoggedOut(words.loggedOut);
  }
  return { onLogOut: () => void logOut(), onRemove: askToRemoveAccount };
}

/** The receipt of an account's deletion. */
export type DeletionReceipt = CallData<"userDelete">;

/** The dialog's step: entering the code, then the receipt; null while it is closed. */
export type Removal = { step: "asking" } | { step: "removed"; receipt: DeletionReceipt } | null;

const savedReceipt = createSavedValue("account-receipt", (json) => json as DeletionReceipt | null);
const removal = createStore<Removal>(null);
const receipt = savedReceipt.read();
if (receipt) removal.set({ step: "removed", receipt });

/** The receipt survives the reload that ends the session. */
function set(next: Removal) {
  removal.set(next);
  savedReceipt.write(next?.step === "removed" ? next.receipt : null);
}

export const askToRemoveAccount = () => set({ step: "asking" });
export const closeRemoval = () => set(null);
export const useRemoval = () => useStore(removal);

/** Sends the code of a deletion to the account's phone. `resend` in seconds. Throws Refused. */
export const sendRemovalCode = () => callApi("userDeleteCode", {});

const deleteAccount = createIdempotentCall<{ verifyCode: string }, DeletionReceipt>(bffPaths.account, {
  method: "DELETE",
});

/** Deletes the account and opens its receipt. Throws Refused. */
export async function removeAccount(verifyCode: string): Promise<void> {
  set({ step: "removed", receipt: await deleteAccount({ verifyCode }) });
}
