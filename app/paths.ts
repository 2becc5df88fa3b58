/** Every URL of the site. Nobody else writes one by hand. */
export const paths = {
  home: "/",
  trial: "/#trial",
  tiers: "/#tiers",
  role: "/main/role",
  clone: "/main/clone",
  square: "/main/square",
  aboutus: "/main/aboutus",
  creation: "/main/creation",
  dubbing: "/main/dubbing",
  service: "/main/service",
  login: "/user/login",
  /** `next`: where to go on afterwards. */
  loginFrom: (next: string) => `/user/login?next=${encodeURIComponent(next)}`,
  loginExpired: "/user/login?expired=1",
  subscribe: "/user/subscribe",
  notFound: "/404",
  colorMode: "/color-mode",
  captcha: "/bff/captcha",
  logIn: "/bff/login",
  logOut: "/bff/logout",
  account: "/bff/account",
  accountExport: "/bff/account/export",
  recordings: "/bff/recordings",
  trials: "/bff/trials",
  trialResult: (taskId: string) => `/bff/trials/${encodeURIComponent(taskId)}`,
  trialEvents: (taskId: string) => `/bff/trials/${encodeURIComponent(taskId)}/events`,
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
