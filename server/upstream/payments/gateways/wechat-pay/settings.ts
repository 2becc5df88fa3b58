/** A merchant's account at WeChat Pay, APIv3. */
export interface WechatPaySettings {
  merchantId: string;
  appId: string;
  /** Serial number of the merchant's own certificate. */
  serial: string;
  /** PEM, belongs to that certificate. */
  privateKey: string;
  /** 32 characters; opens what WeChat Pay seals. */
  apiV3Key: string;
  /** The WeChat Pay public key, for merchants who have one; platform certificates are fetched when they are used. */
  publicKey: { id: string; pem: string } | null;
  /** Origin of the API. */
  endpoint: string;
  /** Where notifications are to be brought. */
  notifyUrl: string;
}
