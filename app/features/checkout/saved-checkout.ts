import type { PayMethod, PayOrder } from "~server/contract/checkout";

/** What a reload must not lose. */
export interface Kept {
  /** Whose orders they are. */
  owner: string;
  /** The dialog stood open. */
  isOpen: boolean;
  packageId: string | null;
  method: PayMethod;
  orders: Readonly<Record<string, PayOrder>>;
}

const storageKey = "checkout";

/** Another account's orders are nobody's business. */
export function readKept(owner: string): Kept | null {
  try {
    const kept = JSON.parse(sessionStorage.getItem(storageKey) ?? "null") as Kept | null;
    return kept?.owner === owner ? kept : null;
  } catch {
    return null;
  }
}

export function keep(kept: Kept) {
  try {
    sessionStorage.setItem(storageKey, JSON.stringify(kept));
  } catch {}
}
