import { bffPaths } from "~/bff-paths";

interface Refusal {
  code: string;
  message?: string;
}

export interface SentAnswer {
  resend: number;
  demoCode?: string;
}

type Answer<T> = ({ ok: true } & T) | { ok: false; refusal: Refusal };

export const sendCode = (phone: string) => post<{ sent: SentAnswer }>(bffPaths.captcha, { phone });
export const logIn = (phone: string, verifyCode: string) => post<object>(bffPaths.logIn, { phone, verifyCode });

async function post<T extends object>(path: string, input: object): Promise<Answer<T>> {
  const headers = { "content-type": "application/json" };
  const response = await fetch(path, { method: "POST", headers, body: JSON.stringify(input) }).catch(() => null);
  if (!response) return { ok: false, refusal: { code: "network" } };
  const body = (await response.json().catch(() => null)) as (T & { refusal?: Refusal }) | null;
  if (response.ok && body && !body.refusal) return { ok: true, ...body };
  return { ok: false, refusal: body?.refusal ?? { code: "request-failed" } };
}
