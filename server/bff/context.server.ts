import type { Session } from "./session.server";
import type { Upstream } from "./upstream.server";

declare module "@remix-run/node" {
  interface Future {
    v3_singleFetch: true;
  }
  interface AppLoadContext extends SiteContext {}
}

/** What the web host gives to every loader and action. */
export interface SiteContext {
  /** For inline scripts and styles, in all four places of the document. */
  nonce: string;
  siteName: string;
  /** The upstream on behalf of this visitor. */
  upstream: Upstream;
  session: Session;
  /** The visitor's address; IPv6 by /64. */
  clientAddress: string;
  /** https, or localhost: where the browser gives a microphone. */
  isSecure: boolean;
  /** To quote when something went wrong. */
  requestId: string;
  /** Aborts when the server begins to shut down: long answers end. */
  closing: AbortSignal;
  /** Logs what no visitor may see. */
  report(error: unknown): void;
}
