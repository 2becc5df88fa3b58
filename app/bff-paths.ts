/** URLs of the resource routes, for calls from the browser. Separate from paths.ts, which every page loads. */
export const bffPaths = {
  closedBanner: "/bff/banner",
  codes: "/bff/codes",
  session: "/bff/session",
  account: "/bff/account",
  accountExport: "/bff/account?export",
  recordings: "/bff/uploads/recordings",
  images: "/bff/uploads/images",
  verifyFile: "/bff/uploads/verify",
  roles: "/bff/roles",
  ownRole: (roleId: string) => `/bff/roles?roleId=${encodeURIComponent(roleId)}`,
  /** What the page of digital humans shows, by the page's own query. */
  rolePage: (query: string) => `/bff/roles${query}`,
  ownVoices: "/bff/voices/own",
  squareVoices: "/bff/voices/square",
  /** A further page of the square, by the page's own query. */
  squareMore: (query: string) => `/bff/square${query}`,
  reports: "/bff/square",
  trials: "/bff/trials",
  trialResult: (taskId: string) => `/bff/trials?taskId=${encodeURIComponent(taskId)}`,
  trialEvents: (taskId: string) => `/bff/events?trial=${encodeURIComponent(taskId)}`,
  /** The account's task events after that event number; from now on if it is null. */
  events: (since: number | null) => (since === null ? "/bff/events" : `/bff/events?since=${since}`),
  tasks: "/bff/tasks",
  clones: "/bff/clones",
  dubs: "/bff/dubs",
  dubQuote: "/bff/dubs?quote",
  dub: (taskId: string) => `/bff/dubs?taskId=${encodeURIComponent(taskId)}`,
  /** The file of a finished dub, saved under the name `download`. */
  dubExport: (dubbId: string, format: string, download: string) =>
    `/bff/dubs?dubbId=${encodeURIComponent(dubbId)}&format=${format}&download=${encodeURIComponent(download)}`,
  readings: "/bff/pronunciation/readings",
  samples: "/bff/pronunciation/samples",
  dictionary: "/bff/pronunciation/dictionary",
  products: "/bff/products",
  orders: "/bff/orders",
  order: (orderId: string) => `/bff/orders?orderId=${encodeURIComponent(orderId)}`,
} as const;
