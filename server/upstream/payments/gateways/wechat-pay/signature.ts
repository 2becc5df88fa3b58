import { createDecipheriv, createPrivateKey, randomBytes } from "node:crypto";
import { z } from "zod/v4";
import type { WechatPaySettings } from "../../../../settings/payments";
import { signText } from "../signatures";

type SignRequest = (request: { method: string; target: string; body: string; at: Date }) => string;

/** The Authorization header of a request: WECHATPAY2-SHA256-RSA2048. */
export function createRequestSigner({ merchantId, serial, privateKey }: WechatPaySettings): SignRequest {
  const key = createPrivateKey(privateKey);
  return ({ method, target, body, at }) => {
    const timestamp = Math.floor(at.getTime() / 1000);
    const nonce = randomBytes(16).toString("hex");
    const text = `${method}\n${target}\n${timestamp}\n${nonce}\n${body}\n`;
    const signature = signText(key, text);
    const fields = { mchid: merchantId, nonce_str: nonce, timestamp, serial_no: serial, signature };
    const list = Object.entries(fields).map(([name, value]) => `${name}="${value}"`);
    return `WECHATPAY2-SHA256-RSA2048 ${list.join(",")}`;
  };
}

/** The signature headers of answers and notifications. */
export interface Signed {
  serial: string;
  timestamp: string;
  nonce: string;
  signature: string;
  body: string;
}

export const readSigned = (header: (name: string) => string, body: string): Signed => ({
  serial: header("wechatpay-serial"),
  timestamp: header("wechatpay-timestamp"),
  nonce: header("wechatpay-nonce"),
  signature: header("wechatpay-signature"),
  body,
});

/** The signed text. */
export const signedText = ({ timestamp, nonce, body }: Signed): string => `${timestamp}
${nonce}
${body}
`;

const maxAgeMs = 5 * 60_000;

/** Whether it was signed within five minutes of now. */
export const isFresh = ({ timestamp }: Signed, now: Date): boolean =>
  /^[1-9]\d{0,11}$/.test(timestamp) && Math.abs(now.getTime() - Number(timestamp) * 1000) <= maxAgeMs;

export const sealedShape = z.object({
  algorithm: z.literal("AEAD_AES_256_GCM"),
  ciphertext: z.string(),
  nonce: z.string(),
  associated_data: z.string().nullish(),
});

const tagBytes = 16;

/** Decrypts with the APIv3 key (AES-256-GCM, tag at the end). Throws for modified data. */
export function openSealed(apiV3Key: string, sealed: z.infer<typeof sealedShape>): string {
  const bytes = Buffer.from(sealed.ciphertext, "base64");
  if (bytes.length < tagBytes) throw new Error("sealed text is too short");
  const decipher = createDecipheriv("aes-256-gcm", Buffer.from(apiV3Key), Buffer.from(sealed.nonce), {
    authTagLength: tagBytes,
  });
  decipher.setAAD(Buffer.from(sealed.associated_data ?? ""));
  decipher.setAuthTag(bytes.subarray(-tagBytes));
  return Buffer.concat([decipher.update(bytes.subarray(0, -tagBytes)), decipher.final()]).toString("utf8");
}
