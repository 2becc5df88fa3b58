/** A merchant's app at Alipay, in public-key mode. */
export interface AlipaySettings {
  appId: string;
  /** The merchant's PID, 2088…: whom notifications name as the seller. */
  sellerId: string;
  /** PEM of the app's key. */
  privateKey: string;
  /** PEM of Alipay's keys for this app; more than one while they change. */
  publicKeys: string[];
  /** Origin of the API. */
  endpoint: string;
  /** Where notifications are to be brought. */
  notifyUrl: string;
  /** Where a payer's browser goes afterwards; null: nowhere. */
  returnUrl: string | null;
}
