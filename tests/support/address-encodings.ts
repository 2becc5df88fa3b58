const hex = (code: number) => code.toString(16).padStart(2, "0");
const escaped = (char: string, level: number) => `%${"25".repeat(level)}${hex(char.charCodeAt(0))}`;

export const logout = "/api/v1/users/logout";

/** Calls of the API and pages of the host that no file proxy may request. */
export const blockedAddresses = [
  logout,
  "/api/v1/users/info",
  "/api/v1/users/ledger",
  "/api/v1/users/export",
  "/api/v1/pay/orders",
  "/api/v1/pay/product",
  "/api/v1/voice/list",
  "/api/v1/voice/role/list",
  "/api/v1/voice/try/result",
  "/api/v1/dubbing/list",
  "/api/v1/dubbing/export",
  "/api/v1/tasks/allowance",
  "/api/v1/tasks/events",
  "/api/v1/script/dictionary",
  "/api/v1/role/common/list",
  "/api/v1/role/common/home",
  "/api/v1/sandbox/cashier",
  "/api/v1/openapi.json",
  "/metrics",
  "/readyz",
];

/** Splits a path in a way that some decoder, router or URL parser joins again. */
const routes: Array<(path: string) => string> = [
  (path) => path,
  (path) => `/.${path}`,
  (path) => `/x/..${path}`,
  (path) => `/uploads/..${path}`,
  (path) => `/api/v1/files/../../..${path}`,
  (path) => `/api/v1/files/%2e%2e/%2e%2e/%2E%2E${path}`,
  (path) => `/api/v1/files/%252e%252e/..${path}`,
  (path) => `/api/v1/files/..%2f..%2f..${path.replaceAll("/", "%2f")}`,
  (path) => `/api/v1/files/..;/..;/..${path}`,
  (path) => `/api/v1/files/a.json/../../../..${path}`,
  (path) => path.replaceAll("/", "//"),
  (path) => path.replaceAll("/", "\\"),
  (path) => path.replaceAll("/", "%5c"),
  (path) => `/${path.slice(1).replaceAll("/", "%2f")}`,
  (path) => `/${path.slice(1).replaceAll("/", "%c0%af")}`,
  (path) => `/${path.slice(1).replaceAll("/", "／")}`,
  (path) => path.replace(/\/(?=[^/]*$)/, "/;a=b/"),
  (path) => path.replace(/\/(?=[^/]*$)/, "/./"),
  (path) => path.replace(/\/(?=[^/]*$)/, "\t/"),
  (path) => path.toUpperCase(),
  (path) => `${path}/`,
  (path) => `${path}.`,
  (path) => `${path}%00.mp3`,
  (path) => `${path}%0d%0aa:b`,
  (path) => `${path}#/api/v1/files/a.webp`,
];

/** Ways of escaping the characters of a path. */
const escapes: Array<(path: string) => string> = [
  (path) => path,
  (path) => path.replace(/\w/, (char) => escaped(char, 0)),
  (path) => path.replace(/\w/, (char) => escaped(char, 1)),
  (path) => path.replace(/\w/, (char) => escaped(char, 2)),
];

/** 200 spellings of one path: combinations of prefixes, escapes and an appended own file address. */
export function createEncodings(path: string, ownFile: string): string[] {
  const led = routes.map((route) => route(path));
  const spelt = led.flatMap((address) => escapes.map((respell) => respell(address)));
  return [...spelt, ...spelt.map((address) => `${address}?x=${ownFile}`)];
}
