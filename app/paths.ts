/** URLs of the pages and files of the site; call.ts has the URLs of the resource routes. */
export const paths = {
  home: "/",
  trial: "/#trial",
  /** The trial with a public voice chosen. */
  trialWith: (roleId: string) => `/?voice=${encodeURIComponent(roleId)}#trial`,
  tiers: "/#tiers",
  /** The home page, for people whom an account sends here. */
  referred: (code: string) => `/?ref=${encodeURIComponent(code)}`,
  role: "/main/role",
  /** A digital human of one's own, opened. */
  roleOpened: (roleId: string) => `/main/role?id=${encodeURIComponent(roleId)}`,
  roleEdited: (roleId: string) => `/main/role?id=${encodeURIComponent(roleId)}&edit=1`,
  /** A new one; with a recording that is there already. */
  roleNew: (known: { voicePath?: string; name?: string } = {}) =>
    `/main/role?${new URLSearchParams({ new: "1", ...known })}`,
  clone: "/main/clone",
  cloneWith: (roleId: string) => `/main/clone?role=${encodeURIComponent(roleId)}`,
  dubbingWith: (roleId: string) => `/main/dubbing?role=${encodeURIComponent(roleId)}`,
  square: "/main/square",
  aboutus: "/main/aboutus",
  creation: "/main/creation",
  dubbing: "/main/dubbing",
  slides: "/main/slides",
  service: "/main/service",
  privacy: "/main/privacy",
  /** Whom to ask: a part of the terms' page, as it needs no scripts. */
  contact: "/main/service#contact",
  login: "/user/login",
  /** `next`: where to go on afterwards. */
  loginFrom: (next: string) => `/user/login?next=${encodeURIComponent(next)}`,
  loginExpired: "/user/login?expired=1",
  loginBanned: "/user/login?banned=1",
  loginExpiredFrom: (next: string) => `/user/login?expired=1&next=${encodeURIComponent(next)}`,
  subscribe: "/user/subscribe",
  works: "/user/works",
  keys: "/user/keys",
  developers: "/developers",
  openApi: "/api/v1/openapi.json",
  verify: "/verify",
  /** The public page of a result, and its files. */
  share: (shareId: string) => `/s/${encodeURIComponent(shareId)}`,
  /** For the frames of other sites. */
  shareEmbed: (shareId: string) => `/s/${encodeURIComponent(shareId)}/embed`,
  shareFile: (shareId: string, name: "sound.mp3" | "timeline.json" | "card.png" | `film.${string}`) =>
    `/s/${encodeURIComponent(shareId)}/${name}`,
  /** The page on which a person agrees that their voice is used, or not. */
  consent: (token: string) => `/v/${encodeURIComponent(token)}`,
  /** A person of the square. */
  person: (roleId: string) => `/p/${encodeURIComponent(roleId)}`,
  /** Operators' console; an operation's page has its input as query. */
  console: "/console",
  consoleLogin: "/console/login",
  consoleOperation: (name: string, input: Record<string, string> = {}) => {
    const query = new URLSearchParams(input).toString();
    return `/console/do/${name}${query && `?${query}`}`;
  },
  consoleCsv: (name: string, input: Record<string, string>) => `/console/csv/${name}?${new URLSearchParams(input)}`,
  consoleSound: (proof: string, which: "reference" | "spoken") => `/console/sound/${proof}/${which}`,
  manifest: "/site.webmanifest",
  serviceWorker: "/service-worker.js",
  offline: "/offline",
  sitemap: "/sitemap.xml",
  build: "/build.json",
  contactQr: "/contact-qr",
  notFound: "/404",
  colorMode: "/color-mode",
  /** Here and not in call.ts, which a first load does without. */
  closedBanner: "/bff/banner",
  naturalVoice: "/bff/natural-voice",
  /** Pays one order without a login: the link, then its page in the browser that opened it. */
  handover: (token: string) => `/pay/${encodeURIComponent(token)}`,
  handedOver: "/pay/order",
  /** The sandbox gateway's page for payers. */
  cashier: (attempt: string) => `/cashier/${encodeURIComponent(attempt)}`,
  /** A drawn portrait as a picture; its address holds everything about it and the drawing's version, so it may be kept for ever. */
  portrait: (portrait: unknown, mode: "light" | "dark", detail?: "small" | "face" | "card") =>
    `/portrait?v=3&of=${encodeURIComponent(typeof portrait === "string" ? portrait : JSON.stringify(portrait))}${mode === "dark" ? "&mode=dark" : ""}${detail ? `&detail=${detail}` : ""}`,
  /** The drawn portrait of someone whose photo does not load. */
  standIn: (roleId: string, mode: "light" | "dark") =>
    `/portrait?v=3&for=${encodeURIComponent(roleId)}${mode === "dark" ? "&mode=dark" : ""}`,
  /** A file of the upstream, streamed through the site; with `download` the browser saves it under that name. */
  media: (url: string, download?: string) =>
    `/bff/media?url=${encodeURIComponent(url)}${download ? `&download=${encodeURIComponent(download)}` : ""}`,
} as const;
