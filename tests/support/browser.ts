import { bffPaths } from "~/call";
import { paths } from "~/paths";
import { type EventLine, readEventLines } from "./event-lines";

/** A browser's requests: a cookie, an origin, JSON. Each request can go to another server of the site. */
export interface Browser {
  get(url: string): Promise<Response>;
  post<Data>(url: string, body: object | FormData, headers?: Record<string, string>): Promise<Data>;
  events(url: string): AsyncGenerator<EventLine>;
  close(): void;
}

export async function openBrowser(home: string): Promise<Browser> {
  const cookies = new Map<string, string>();
  const gone = new AbortController();
  const keep = (answer: Response) => {
    for (const pair of answer.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(pair) ?? [];
      cookies.set(name, value);
    }
    return answer;
  };
  const cookieHeader = () => [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  const get = async (url: string) =>
    keep(await fetch(url, { headers: { cookie: cookieHeader() }, signal: gone.signal }));
  await (await get(home + paths.home)).text();
  return {
    get,
    async post<Data>(url: string, body: object | FormData, extra = {}) {
      const isForm = body instanceof FormData;
      const headers = {
        cookie: cookieHeader(),
        origin: new URL(url).origin,
        ...(!isForm && { "content-type": "application/json" }),
      };
      const init = { method: "POST", headers: { ...headers, ...extra }, body: isForm ? body : JSON.stringify(body) };
      const answer = keep(await fetch(url, { ...init, signal: gone.signal }));
      const said = (await answer.json()) as Data;
      if (!answer.ok) throw new Error(`${url} answered ${answer.status}: ${JSON.stringify(said)}`);
      return said;
    },
    async *events(url) {
      yield* readEventLines(await get(url));
    },
    close: () => gone.abort(),
  };
}

let phones = 0;

/** Logs in with the code that demo mode returns; returns the phone. */
export async function logInAs(browser: Browser, site: string): Promise<string> {
  const phone = `136${String(10_000_000 + (process.pid % 9000) * 100 + phones++).slice(-8)}`;
  const sent = await browser.post<{ demoCode: string }>(site + bffPaths.passed("captcha"), { phone });
  await browser.post(site + bffPaths.session, { phone, verifyCode: sent.demoCode });
  return phone;
}
