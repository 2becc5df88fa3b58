/** What the pages' own code calls. Apart from paths.ts, because no page needs it before somebody acts. */
export const bffPaths = {
  /** The notice across the top, closed. */
  closedBanner: "/bff/banner",
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
  orderCancel: (orderId: string) => `/bff/orders/${encodeURIComponent(orderId)}/cancel`,
  orderResult: (orderId: string) => `/bff/orders/${encodeURIComponent(orderId)}/result`,
} as const;
