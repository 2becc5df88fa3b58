import { useSyncExternalStore } from "react";
import { bffPaths } from "~/bff-paths";
import { call, createIdempotentCall } from "~/call";
import { accountCopy } from "~/copy/account";
import { formatDetail } from "~/copy/format";

/** What the deletion of an account answers. */
export interface Receipt {
  receiptId: string;
  deletedAt: string;
  removed: { roles: number; clones: number; dubs: number; files: number };
}

/** The dialog's step: the code is asked for, then the receipt is shown; null while it is closed. */
export type Removal = { step: "asking" } | { step: "removed"; receipt: Receipt } | null;

const storageKey = "account-receipt";
const watchers = new Set<() => void>();
let current: Removal | undefined;

/** The receipt outlives the reload that ends a session. */
function stored(): Removal {
  try {
    const receipt = JSON.parse(sessionStorage.getItem(storageKey) ?? "null") as Receipt | null;
    return receipt && { step: "removed", receipt };
  } catch {
    return null;
  }
}

function set(next: Removal) {
  current = next;
  try {
    if (next?.step === "removed") sessionStorage.setItem(storageKey, JSON.stringify(next.receipt));
    else sessionStorage.removeItem(storageKey);
  } catch {}
  for (const watch of watchers) watch();
}

export const askToRemoveAccount = () => set({ step: "asking" });
export const closeRemoval = () => set(null);

const subscribe = (watch: () => void) => {
  watchers.add(watch);
  return () => {
    watchers.delete(watch);
  };
};

export const useRemoval = () =>
  useSyncExternalStore(
    subscribe,
    () => {
      if (current === undefined) current = stored();
      return current;
    },
    () => null,
  );

/** Sends the code of a deletion to the account's phone. `resend` in seconds. Throws Refused. */
export const sendRemovalCode = () =>
  call<{ sent: { resend: number; demoCode?: string } }>(bffPaths.codes, { body: {} });

const deleteAccount = createIdempotentCall<{ verifyCode: string }, { receipt: Receipt }>(bffPaths.account, {
  method: "DELETE",
});

/** Deletes the account and opens its receipt. Throws Refused. */
export async function removeAccount(verifyCode: string): Promise<void> {
  set({ step: "removed", receipt: (await deleteAccount({ verifyCode })).receipt });
}

/** The receipt as text, one fact in a line. */
export function receiptText({ receiptId, deletedAt, removed }: Receipt): string {
  const { receipt: words } = accountCopy;
  const { roles, clones, dubs, files } = removed;
  return [
    words.title,
    formatDetail(words.id, receiptId),
    formatDetail(words.time, deletedAt.slice(0, 19).replace("T", " ")),
    formatDetail(words.removed, words.counts(roles, clones, dubs, files)),
  ].join("\n");
}
