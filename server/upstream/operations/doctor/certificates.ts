import { X509Certificate } from "node:crypto";
import { type Finding, fail, ok, warn } from "./finding";

const dayMs = 86_400_000;
const warnDays = 30;
const todo = "replace it in time: see docs/payments.md";

/** How long the certificates of a gateway's settings are good for, by their names; of a file with several the first counts. */
export function examineCertificates(about: string, pems: Record<string, string>, now: Date): Finding[] {
  const found = Object.entries(pems).map(([name, pem]) => ({
    name,
    endsAt: new Date(new X509Certificate(pem).validTo),
  }));
  const daysLeft = (endsAt: Date) => Math.floor((endsAt.getTime() - now.getTime()) / dayMs);
  const tell = (endsAt: Date) => endsAt.toISOString().slice(0, 10);
  const ending = found.filter(({ endsAt }) => daysLeft(endsAt) < warnDays);
  if (ending.length === 0) {
    const told = found.map(({ name, endsAt }) => `${name} until ${tell(endsAt)}`).join(", ");
    return found.length === 0 ? [] : [ok(about, told)];
  }
  return ending.map(({ name, endsAt }) =>
    endsAt <= now
      ? fail(about, `${name} ended on ${tell(endsAt)}`, todo)
      : warn(about, `${name} ends on ${tell(endsAt)}, in ${daysLeft(endsAt)} days`, todo),
  );
}
