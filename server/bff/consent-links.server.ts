import type { CallData } from "../contract/calls/table";
import type { QrCode } from "../contract/checkout";
import { drawQr } from "./checkout.server";
import { nullIfMissing } from "./refusal.server";
import type { CallInput, Upstream } from "./upstream.server";

type ConsentLink = CallData<"consentLinkCreate">;
/** View of the person with the link. */
export type ConsentAsk = CallData<"consentAsk">;

/** A link as its owner sees it: with the address of the person's page and its code, while there is such a page. */
export type OwnedLink = Omit<ConsentLink, "token"> & { address: string; qr: QrCode | null };

const toOwned = ({ token, ...link }: ConsentLink, siteUrl: string): OwnedLink => {
  const address = token && new URL(`/v/${token}`, siteUrl).href;
  return { ...link, address, qr: drawQr(address) };
};

/** Creates a link for one of the account's roles. Throws UpstreamRefusal. */
export async function createConsentLink(upstream: Upstream, input: CallInput<"consentLinkCreate">, siteUrl: string) {
  return toOwned(await upstream.call("consentLinkCreate", input), siteUrl);
}

/** The account's links, newest first; with `roleId` those of one role. Throws UpstreamRefusal. */
export async function listConsentLinks(upstream: Upstream, roleId: string, siteUrl: string): Promise<OwnedLink[]> {
  const { list } = await upstream.call("consentLinkList", roleId ? { roleId } : {});
  return list.map((link) => toOwned(link, siteUrl));
}

/** The link's question; null for an unknown link. Throws UpstreamRefusal for other failures. */
export const findConsentAsk = (upstream: Upstream, token: string): Promise<ConsentAsk | null> =>
  upstream.call("consentAsk", { token }).catch(nullIfMissing);

/** Sends the person's answer; the upstream validates it. Throws UpstreamRefusal. */
export const answerConsentAsk = (upstream: Upstream, token: string, answer: unknown) =>
  upstream.call("consentAnswer", { token, answer } as CallInput<"consentAnswer">);
