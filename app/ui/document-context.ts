import { createContext, useContext } from "react";

interface DocumentContext {
  /** The CSP nonce of inline scripts. */
  nonce?: string;
  /** Set in a document that shows an error. */
  requestId?: string | undefined;
}

const Context = createContext<DocumentContext>({});

/** Around the document on the server only. */
export const DocumentProvider = Context.Provider;

export const useNonce = () => useContext(Context).nonce;

/** The id of the request whose document shows an error; the browser finds it at the document's root. */
export function useFailedRequestId(): string | undefined {
  const { requestId } = useContext(Context);
  return requestId ?? (typeof document === "undefined" ? undefined : document.documentElement.dataset.requestId);
}
