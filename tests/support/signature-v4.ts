import { createHash, createHmac } from "node:crypto";
import type { IncomingMessage } from "node:http";

const hmac = (key: string | Buffer, text: string) => createHmac("sha256", key).update(text).digest();
const encode = (text: string) =>
  encodeURIComponent(text).replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);

/** Checks AWS Signature Version 4 in a request's header or query, implemented from the vendor's documentation only. */
export function isSigned(request: IncomingMessage, secret: string): boolean {
  const url = new URL(request.url ?? "", `http://${request.headers.host}`);
  const inQuery = url.searchParams.get("X-Amz-Signature");
  const header = /Credential=([^,]+), *SignedHeaders=([^,]+), *Signature=(\w+)/.exec(
    request.headers.authorization ?? "",
  );
  const [credential, names, signature] = inQuery
    ? [url.searchParams.get("X-Amz-Credential"), url.searchParams.get("X-Amz-SignedHeaders"), inQuery]
    : (header?.slice(1) ?? []);
  const date = url.searchParams.get("X-Amz-Date") ?? request.headers["x-amz-date"];
  if (!credential || !names || typeof date !== "string") return false;
  const [, ...scope] = credential.split("/");
  const query = [...url.searchParams]
    .filter(([name]) => name !== "X-Amz-Signature")
    .map(([name, value]) => `${encode(name)}=${encode(value)}`)
    .sort();
  const payload = inQuery ? "UNSIGNED-PAYLOAD" : request.headers["x-amz-content-sha256"];
  const headers = names.split(";").map((name) => `${name}:${String(request.headers[name]).trim()}\n`);
  const canonical = [request.method, url.pathname, query.join("&"), headers.join(""), names, payload].join("\n");
  const hash = createHash("sha256").update(canonical).digest("hex");
  const text = ["AWS4-HMAC-SHA256", date, scope.join("/"), hash].join("\n");
  const key = scope.reduce<string | Buffer>((made, part) => hmac(made, part), `AWS4${secret}`);
  return hmac(key, text).toString("hex") === signature;
}
