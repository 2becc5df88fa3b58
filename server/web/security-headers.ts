import { NONCE, secureHeaders } from "hono/secure-headers";
import type { Config } from "../config";

const isDevelopment = import.meta.env.DEV;
const ownOnly = ["'self'"];

/**
 * No inline script or style element without the request's nonce. Style attributes may stay: React writes them, and they
 * can load nothing that the other directives do not allow. A header that an answer brings along is kept.
 */
export const securityHeaders = ({ mode }: Pick<Config, "mode">) =>
  secureHeaders({
    overwrite: false,
    contentSecurityPolicy: {
      defaultSrc: ownOnly,
      scriptSrc: isDevelopment ? ["'self'", NONCE, "'unsafe-eval'"] : ["'self'", NONCE],
      // Vite's hot reload inserts style elements of its own.
      styleSrc: isDevelopment ? ["'self'", "'unsafe-inline'"] : ["'self'", NONCE],
      styleSrcAttr: ["'unsafe-inline'"],
      imgSrc: ["'self'", "data:", "blob:"],
      mediaSrc: ["'self'", "blob:"],
      connectSrc: isDevelopment ? ["'self'", "blob:", "ws:"] : ["'self'", "blob:"],
      workerSrc: ["'self'", "blob:"],
      objectSrc: ["'none'"],
      baseUri: ["'none'"],
      formAction: ownOnly,
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
