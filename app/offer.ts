import { createContext, useContext } from "react";
import type { CallName } from "~server/contract/calls/table";

/** Capabilities of the upstream beyond the specification, as last reported. */
export interface Offer {
  /** Extension calls that are known to be missing. */
  missing: readonly CallName[];
  /** The engine of cloned voices: "embedded", "kokoro" or another; "" if the upstream does not say. */
  engine: string;
  /** Every file carries the AI-content label, as the upstream promises. */
  isLabelled: boolean;
  /** Companies that recordings are sent to: "dashscope", "minimax-abroad". */
  vendors: readonly string[];
}

/** Before anything is known: nothing is hidden, nothing is promised. */
export const unknownOffer: Offer = { missing: [], engine: "", isLabelled: false, vendors: [] };

const OfferContext = createContext(unknownOffer);
export const OfferProvider = OfferContext.Provider;

export const useOffer = (): Offer => useContext(OfferContext);

/** False for an extension call that the upstream is known not to have: hide its button. */
export const useHasCall = (name: CallName): boolean => !useContext(OfferContext).missing.includes(name);
