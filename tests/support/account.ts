import { sql } from "kysely";
import { expect } from "vitest";
import type { CallData } from "~server/contract/calls/table";
import type { Services } from "~server/upstream/compose/services";
import { createVisitor, type TestUpstream, type Visitor } from "./upstream";

let lastPhone = 0;

/** An unused phone number. */
export function nextPhone(): string {
  lastPhone++;
  return `138${String(lastPhone).padStart(8, "0")}`;
}

export const requestCode = (visitor: Visitor, phone: string, key?: string) =>
  visitor.post<CallData<"captcha">>("/code/captcha", { phone }, key ? { "idempotency-key": key } : {});

export const tryLogin = (visitor: Visitor, phone: string, verifyCode: string, key?: string) =>
  visitor.post<CallData<"login">>("/users/login", { phone, verifyCode }, key ? { "idempotency-key": key } : {});

export interface Member extends Visitor {
  phone: string;
  token: string;
}

/** Logs a visitor in; later calls send the token next to the visitor's id. */
export async function logIn(
  services: Services,
  { visitor = createVisitor(services), phone = nextPhone() } = {},
): Promise<Member> {
  const { code, data } = await requestCode(visitor, phone);
  expect(code).toBe(0);
  const login = await tryLogin(visitor, phone, data.demoCode ?? "");
  expect(login.code).toBe(0);
  return withToken(visitor, { phone, token: login.data.token });
}

export function withToken(visitor: Visitor, { phone, token }: { phone: string; token: string }): Member {
  const own = (headers: HeadersInit = {}) => {
    const merged = new Headers(headers);
    if (!merged.has("token")) merged.set("token", token);
    return merged;
  };
  return {
    ...visitor,
    phone,
    token,
    get: (path, headers) => visitor.get(path, own(headers)),
    post: (path, body, headers) => visitor.post(path, body, own(headers)),
    upload: (path, form, headers) => visitor.upload(path, form, own(headers)),
    file: (url, headers) => visitor.file(url, own(headers)),
    statusOf: (url, headers) => visitor.statusOf(url, own(headers)),
  };
}

/** Requests the code of a deletion, a minute after the login's code. */
export async function requestDeletionCode(upstream: Pick<TestUpstream, "database">, member: Visitor): Promise<string> {
  await sql`update login_code set sent_at = sent_at - interval '61 seconds'`.execute(upstream.database());
  const { data } = await member.post<CallData<"userDeleteCode">>("/users/delete/code", {});
  return data.demoCode ?? "";
}

/** Deletes the member's account with the code that is sent to its phone. */
export async function deleteAccount(upstream: Pick<TestUpstream, "database">, member: Visitor, key?: string) {
  const verifyCode = await requestDeletionCode(upstream, member);
  const headers: Record<string, string> = key ? { "idempotency-key": key } : {};
  return member.post<CallData<"userDelete">>("/users/delete", { verifyCode }, headers);
}
