import { useEffect } from "react";
import { useNonce } from "../nonce";
import { noteEarly } from "./note";

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
