import { createContext, useContext } from "react";

const NonceContext = createContext<string | undefined>(undefined);

/** Carries the request's CSP nonce to the inline scripts of the document. */
export const NonceProvider = NonceContext.Provider;
export const useNonce = () => useContext(NonceContext);
