import { createContext, useContext } from "react";
import type { SiteCapabilities } from "~server/bff/capabilities.server";
import type { CallName } from "~server/contract/calls/table";

export type { SiteCapabilities };

/** Before anything is known: nothing is hidden, nothing is promised. */
export const unknownCapabilities: SiteCapabilities = { missing: [], engine: "", isLabelled: false, vendors: [] };

const CapabilitiesContext = createContext(unknownCapabilities);
export const CapabilitiesProvider = CapabilitiesContext.Provider;

export const useCapabilities = (): SiteCapabilities => useContext(CapabilitiesContext);

/** False for an extension call that the upstream is known not to have: hide its button. */
export const useHasCall = (name: CallName): boolean => !useContext(CapabilitiesContext).missing.includes(name);
