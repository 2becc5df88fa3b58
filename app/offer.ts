import { createContext, useContext } from "react";
import type { Offer } from "~server/bff/capabilities.server";
import type { CallName } from "~server/contract/calls/table";

export type { Offer };

/** Before anything is known: nothing is hidden, nothing is promised. */
export const unknownOffer: Offer = { missing: [], engine: "", isLabelled: false, vendors: [] };

const OfferContext = createContext(unknownOffer);
export const OfferProvider = OfferContext.Provider;

export const useOffer = (): Offer => useContext(OfferContext);

/** False for an extension call that the upstream is known not to have: hide its button. */
export const useHasCall = (name: CallName): boolean => !useContext(OfferContext).missing.includes(name);
