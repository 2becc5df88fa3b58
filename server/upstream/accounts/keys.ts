import { createCipheriv, createDecipheriv, createHash, createHmac, hkdfSync, randomBytes } from "node:crypto";

export interface AccountKeys {
  /** The same for the same phone; says nothing of it without the key. */
  hashPhone(phone: string): string;
  /** AES-256-GCM; every time another text. */
  sealPhone(phone: string): string;
  /** Throws for what was altered, or sealed under another secret. */
  openPhone(sealed: string): string;
  hashCode(phoneHash: string, code: string): string;
  /** Random as its nonce is; the caller's key makes a repeated login come to the same token. */
  makeToken(nonce: string, key: string): string;
}

const ivBytes = 12;
const tagBytes = 16;

/** All secrets of accounts, derived from one. Whoever loses it can find no account again. */
export function createAccountKeys(secret: string): AccountKeys {
  const derive = (purpose: string) => Buffer.from(hkdfSync("sha256", secret, "", purpose, 32));
  const keyed = (purpose: string) => {
    const key = derive(purpose);
    return (...parts: string[]) => createHmac("sha256", key).update(parts.join("\n")).digest("base64url");
  };
  const sealing = derive("phone seal");
  return {
    hashPhone: keyed("phone look-up"),
    hashCode: keyed("login code"),
    makeToken: keyed("login token"),
    sealPhone(phone) {
      const iv = randomBytes(ivBytes);
      const cipher = createCipheriv("aes-256-gcm", sealing, iv);
      const text = Buffer.concat([cipher.update(phone, "utf8"), cipher.final()]);
      return Buffer.concat([iv, cipher.getAuthTag(), text]).toString("base64url");
    },
    openPhone(sealed) {
      const bytes = Buffer.from(sealed, "base64url");
      const options = { authTagLength: tagBytes };
      const decipher = createDecipheriv("aes-256-gcm", sealing, bytes.subarray(0, ivBytes), options);
      decipher.setAuthTag(bytes.subarray(ivBytes, ivBytes + tagBytes));
      return Buffer.concat([decipher.update(bytes.subarray(ivBytes + tagBytes)), decipher.final()]).toString("utf8");
    },
  };
}

/** For what is random itself: tokens and idempotency keys. */
export const hashOf = (text: string): string => createHash("sha256").update(text).digest("base64url");
