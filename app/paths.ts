/** Every URL of the site. Nobody else writes one by hand. */
export const paths = {
  home: "/",
  trial: "/#trial",
  tiers: "/#tiers",
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
  service: "/main/service",
  login: "/user/login",
  /** `next`: where to go on afterwards. */
  loginFrom: (next: string) => `/user/login?next=${encodeURIComponent(next)}`,
  loginExpired: "/user/login?expired=1",
  loginExpiredFrom: (next: string) => `/user/login?expired=1&next=${encodeURIComponent(next)}`,
  subscribe: "/user/subscribe",
  verify: "/verify",
  manifest: "/site.webmanifest",
  sitemap: "/sitemap.xml",
  build: "/build.json",
  contactQr: "/contact-qr",
  notFound: "/404",
  colorMode: "/color-mode",
  captcha: "/bff/captcha",
  logIn: "/bff/login",
  logOut: "/bff/logout",
  account: "/bff/account",
  accountExport: "/bff/account/export",
  recordings: "/bff/recordings",
  verifyFile: "/bff/verify",
  roles: "/bff/roles",
  ownRole: (roleId: string) => `/bff/roles/${encodeURIComponent(roleId)}`,
  /** What the page of digital humans shows for its own query. */
  rolePage: (query: string) => `/bff/role-page${query}`,
  images: "/bff/images",
  /** Further cards of the square, by its own query. */
  squareMore: (query: string) => `/bff/square${query}`,
  reports: "/bff/reports",
  trials: "/bff/trials",
  trialResult: (taskId: string) => `/bff/trials/${encodeURIComponent(taskId)}`,
  trialEvents: (taskId: string) => `/bff/trials/${encodeURIComponent(taskId)}/events`,
  /** The account's task events after a number; without one, from now on. */
  events: (since: number | null) => (since === null ? "/bff/events" : `/bff/events?since=${since}`),
  squareRoles: "/bff/voices",
  clones: "/bff/clones",
  tasks: "/bff/tasks",
  allowance: "/bff/allowance",
  readings: "/bff/readings",
  dubs: "/bff/dubs",
  dubQuote: "/bff/dubs/quote",
  dub: (taskId: string) => `/bff/dubs?taskId=${encodeURIComponent(taskId)}`,
  /** A finished dub for keeping, saved under `download`. */
  dubExport: (dubbId: string, format: string, download: string) =>
    `/bff/dubs/${encodeURIComponent(dubbId)}/export?format=${format}&download=${encodeURIComponent(download)}`,
  dictionary: "/bff/dictionary",
  samples: "/bff/samples",
  products: "/bff/products",
  orders: "/bff/orders",
  /** The sandbox gateway's page for payers. */
  cashier: (attempt: string) => `/cashier/${encodeURIComponent(attempt)}`,
  orderResult: (orderId: string) => `/bff/orders/${encodeURIComponent(orderId)}/result`,
  /** A drawn portrait as a picture; its address holds everything about it, so it may be kept for ever. */
  portrait: (parameters: unknown, mode: "light" | "dark") =>
    `/portrait?mode=${mode}&of=${encodeURIComponent(JSON.stringify(parameters))}`,
  /** A file of the upstream, streamed through the site; with `download` the browser saves it under that name. */
  media: (url: string, download?: string) =>
    `/bff/media?url=${encodeURIComponent(url)}${download ? `&download=${encodeURIComponent(download)}` : ""}`,
} as const;
