import { useSyncExternalStore } from "react";
import { bffPaths } from "~/bff-paths";
import { accountCopy } from "~/copy/account";
import { formatDetail } from "~/copy/format";
import { createWishKey } from "~/wish-key";

/** What the deletion of an account answers. */
export interface Receipt {
  receiptId: string;
  deletedAt: string;
  removed: { roles: number; clones: number; dubs: number; files: number };
}

interface Refusal {
  code: string;
  message?: string;
}

type Answer<T> = ({ ok: true } & T) | { ok: false; refusal: Refusal };

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

/** Sends the code of a deletion to the account's phone; `resend` is in seconds. */
export const sendRemovalCode = () =>
  answerOf<{ sent: { resend: number; demoCode?: string } }>(fetch(bffPaths.account, { method: "POST" }));

const removing = createWishKey();

/** Deletes the account; the receipt shows afterwards. Sent again under the same key it answers the same receipt. */
export async function removeAccount(verifyCode: string): Promise<Answer<object>> {
  const body = JSON.stringify({ verifyCode });
  const headers = { "content-type": "application/json", "idempotency-key": removing.keyOf({ verifyCode }) };
  const answer = await answerOf<{ receipt: Receipt }>(fetch(bffPaths.account, { method: "DELETE", headers, body }));
  if (answer.ok) set({ step: "removed", receipt: answer.receipt });
  return answer;
}

async function answerOf<T extends object>(sent: Promise<Response>): Promise<Answer<T>> {
  const response = await sent.catch(() => null);
  if (!response) return { ok: false, refusal: { code: "network" } };
  const answer = (await response.json().catch(() => null)) as (T & { refusal?: Refusal }) | null;
  if (response.ok && answer && !answer.refusal) return { ok: true, ...answer };
  return { ok: false, refusal: answer?.refusal ?? { code: "request-failed" } };
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
