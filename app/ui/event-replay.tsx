import { type RefObject, useEffect } from "react";
import { useNonce } from "./nonce";
import { noteEarly } from "./note-early";

interface Early {
  /** The page's own listeners hear what happens from now on, save in parts that are still on their way. */
  listen(): void;
  /** What is shown is alive: what was done to it before is done again. */
  repeat(): void;
}
declare global {
  interface Window {
    early?: Early;
  }
}

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
