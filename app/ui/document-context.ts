import { createContext, useContext } from "react";

interface DocumentContext {
  /** The CSP nonce of inline scripts. */
  nonce?: string;
  /** Of a document that shows an error. */
  requestId?: string | undefined;
}

const Context = createContext<DocumentContext>({});

/** Around the document, on the server only. */
export const DocumentProvider = Context.Provider;
export const useDocument = () => useContext(Context);
