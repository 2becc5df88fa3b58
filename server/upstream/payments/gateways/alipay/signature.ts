/** `a=1&b=2`, sorted by name, as the second version of the protocol signs it; values are not encoded. */
export const signedText = (fields: ReadonlyMap<string, string>): string =>
  [...fields]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `${name}=${value}`)
    .join("&");

/** A merchant's app at Alipay. */
export interface AlipaySettings {
  appId: string;
  /** The merchant's PID, 2088…: whom notifications name as the seller. */
  sellerId: string;
  /** PEM of the app's key. */
  privateKey: string;
  /** Public-key mode: PEM of Alipay's keys for this app; more than one while they change. */
  publicKeys: string[];
  /** Certificate mode; null in public-key mode. */
  certificates: AlipayCertificates | null;
  /** Origin of the API. */
  endpoint: string;
  /** Where notifications are to be brought. */
  notifyUrl: string;
  /** Where a payer's browser goes afterwards; null: nowhere. */
  returnUrl: string | null;
}

/** PEM texts as Alipay gives them to download. */
export interface AlipayCertificates {
  /** appCertPublicKey: belongs to the app's key. */
  app: string;
  /** alipayCertPublicKey: what Alipay signs with, first; its issuers may follow. */
  alipay: string;
  /** alipayRootCert. */
  root: string;
}
