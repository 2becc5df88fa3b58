import type { MiddlewareHandler } from "hono";
import { NONCE, secureHeaders } from "hono/secure-headers";
import type { Config } from "../config";
import { formGatewayDomains } from "../contract/checkout";
import type { WebEnv } from "./request";

const isDevelopment = import.meta.env.DEV;
const ownOnly = ["'self'"];

const baidu = "https://hm.baidu.com";
const googleTag = "https://www.googletagmanager.com";
const googleCounts = ["https://*.google-analytics.com", "https://*.analytics.google.com", googleTag];

/** Other people's hosts, each only where the operator has asked for what lives there. */
function foreignHosts({ iconServiceUrl, analytics: { baiduId, gtagId } }: Config["frame"]) {
  return {
    script: [...(baiduId ? [baidu] : []), ...(gtagId ? [googleTag] : [])],
    image: [...(baiduId ? [baidu] : []), ...(gtagId ? googleCounts : [])],
    connect: [
      ...(baiduId ? [baidu] : []),
      ...(gtagId ? googleCounts : []),
      ...(iconServiceUrl ? [iconServiceUrl] : []),
    ],
  };
}

/** Payment forms come from foreign upstreams only. The gateway redirects within its domain, which form-action checks too. */
const formTargets = (apiBaseUrl: string | undefined) =>
  apiBaseUrl ? [...ownOnly, ...formGatewayDomains.map((domain) => `https://*.${domain}`)] : ownOnly;

/**
 * No inline script or style element without the request's nonce. Style attributes may stay: React writes them, and they
 * can load nothing that the other directives do not allow. A header that the answer already has is kept.
 */
export function securityHeaders({
  mode,
  frame,
  apiBaseUrl,
}: Pick<Config, "mode" | "frame" | "apiBaseUrl">): MiddlewareHandler<WebEnv> {
  const foreign = foreignHosts(frame);
  return secureHeaders({
    overwrite: false,
    contentSecurityPolicy: {
      defaultSrc: ownOnly,
      scriptSrc: [...ownOnly, NONCE, ...(isDevelopment ? ["'unsafe-eval'"] : []), ...foreign.script],
      // Vite's hot reload inserts style elements.
      styleSrc: isDevelopment ? ["'self'", "'unsafe-inline'"] : ["'self'", NONCE],
      styleSrcAttr: ["'unsafe-inline'"],
      imgSrc: [...ownOnly, "data:", "blob:", ...foreign.image],
      mediaSrc: ["'self'", "blob:"],
      connectSrc: [...ownOnly, "blob:", ...(isDevelopment ? ["ws:"] : []), ...foreign.connect],
      workerSrc: ["'self'", "blob:"],
      objectSrc: ["'none'"],
      baseUri: ["'none'"],
      formAction: formTargets(apiBaseUrl),
      frameAncestors: ["'none'"],
    },
    permissionsPolicy: { microphone: ["self"], camera: [], geolocation: [] },
    // Payment pages of WeChat check the Referer.
    referrerPolicy: "strict-origin-when-cross-origin",
    strictTransportSecurity: mode === "production" ? "max-age=31536000; includeSubDomains" : false,
    xFrameOptions: "DENY",
    xDownloadOptions: false,
    xPermittedCrossDomainPolicies: false,
    xXssProtection: false,
  });
}
