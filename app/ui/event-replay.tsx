import { createContext, useContext, useEffect } from "react";
import { noteEarly } from "./note-early";

interface Early {
  /** The page's own listeners are attached. */
  listen(): void;
  /** The page has hydrated: repeats the noted press and the noted input. */
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

/** In the document's head: notes presses and input before hydration and repeats them after it. Server's markup only. */
export function EarlyScript() {
  const nonce = useNonce();
  useEffect(() => window.early?.repeat(), []);
  const html = { __html: import.meta.env.SSR ? `(${noteEarly})()` : "" };
  // biome-ignore lint/security/noDangerouslySetInnerHtml: our own code; as text it would be escaped
  return <script dangerouslySetInnerHTML={html} nonce={nonce} suppressHydrationWarning />;
}
