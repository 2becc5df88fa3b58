import { createStore, useStore } from "~/ui/store";
import type { Product } from "~server/contract/calls/payments";
import type { PayMethod } from "~server/contract/checkout";

/** What the dialog opens with. */
export interface BuyRequest {
  /** `pCount` of a product; the dialog chooses if absent. */
  packageId?: string | undefined;
  /** The kind of package that the pressed button names; its last package is chosen. */
  packageType?: Product["packageType"] | undefined;
  /** The payer's own choice if absent. */
  method?: PayMethod | undefined;
}

const request = createStore<BuyRequest | null>(null);

/** Opens the pay dialog. */
export const askToBuy = (next: BuyRequest = {}) => request.set(next);
export const stopBuying = () => request.set(null);

/** The open request to buy, null if there is none. */
export const useBuyFlag = () => useStore(request);
