import type { Session } from "./session.server";
import type { Upstream } from "./upstream.server";

declare module "@remix-run/node" {
  interface Future {
    v3_singleFetch: true;
  }
  interface AppLoadContext extends SiteContext {}
}

/** What the operator says about the things around every page. */
interface Frame {
  contact: { text: string | null; qrText: string; qrImage: string | null } | null;
  banner: { text: string; link: string | null } | null;
  buildCheckMs: number;
  iconServiceUrl: string | null;
  analytics: { baiduId: string | null; baiduTags: string[]; gtagId: string | null; hasRawPhone: boolean };
}

/** What the web host gives to every loader and action. */
export interface SiteContext {
  /** For inline scripts and styles, in all four places of the document. */
  nonce: string;
  siteName: string;
  /** Origin people see, without a trailing slash. */
  siteUrl: string;
  /** Changes whenever the browser's files do. */
  buildId: string;
  frame: Frame;
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
