import { createContext, type RefObject, useContext, useEffect } from "react";
import { noteEarly } from "./note-early";

interface Early {
  /** The page's own listeners hear what happens from now on, save in parts that are still on their way. */
  listen(): void;
  /** Something was pressed or entered that the page has not handled yet. */
  isPending(): boolean;
  /** What is shown is alive: what was done to it before is done again. */
  repeat(): void;
}
declare global {
  interface Window {
    early?: Early;
  }
}

const NonceContext = createContext<string | undefined>(undefined);

/** Carries the request's CSP nonce to the inline scripts of the document. */
export const NonceProvider = NonceContext.Provider;
export const useNonce = () => useContext(NonceContext);

/**
 * In the document's head: notes what is done before the page is alive, and has it done again once it is. Only the
 * server's page runs it.
 */
export function EarlyScript() {
  const nonce = useNonce();
  useEffect(() => window.early?.repeat(), []);
  const html = { __html: import.meta.env.SSR ? `(${noteEarly})()` : "" };
  // biome-ignore lint/security/noDangerouslySetInnerHtml: our own code; as text it would be escaped
  return <script dangerouslySetInnerHTML={html} nonce={nonce} suppressHydrationWarning />;
}

/** For a part whose code comes after the page's: `data-late` on its element, until its own listeners are attached. */
export function useLatePart(part: RefObject<HTMLElement>) {
  useEffect(() => {
    part.current?.removeAttribute("data-late");
    window.early?.repeat();
  }, [part]);
}
