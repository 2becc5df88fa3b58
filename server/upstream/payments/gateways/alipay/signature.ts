/** `a=1&b=2`, sorted by name, as version 2 of the protocol signs it; values are not encoded. */
export const signedText = (fields: ReadonlyMap<string, string>): string =>
  [...fields]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `${name}=${value}`)
    .join("&");

/** A merchant's app at Alipay. */
export interface AlipaySettings {
  appId: string;
  /** The merchant's PID, 2088…: the seller in notifications. */
  sellerId: string;
  /** PEM of the app's key. */
  privateKey: string;
  /** Public-key mode: PEM of Alipay's keys for this app; several during a change of keys. */
  publicKeys: string[];
  /** Certificate mode; null in public-key mode. */
  certificates: AlipayCertificates | null;
  /** Origin of the API. */
  endpoint: string;
  /** The address for notifications. */
  notifyUrl: string;
  /** The payer's browser is sent there afterwards; null: not at all. */
  returnUrl: string | null;
}

/** PEM texts as downloaded from Alipay. */
export interface AlipayCertificates {
  /** appCertPublicKey: the certificate of the app's key. */
  app: string;
  /** alipayCertPublicKey: Alipay's signing certificate; its issuers may follow. */
  alipay: string;
  /** alipayRootCert. */
  root: string;
}
