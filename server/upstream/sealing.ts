import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from "node:crypto";

const ivBytes = 12;
const tagBytes = 16;
const keyIdBytes = 4;

/** A key for one purpose, from a secret of the settings. */
export const deriveKey = (secret: string, purpose: string): Buffer =>
  Buffer.from(hkdfSync("sha256", secret, "", purpose, 32));

/** AES-256-GCM with a random IV. `context` is authenticated and must be the same to decrypt. */
export function encrypt(key: Buffer, text: string, context = ""): Buffer {
  const iv = randomBytes(ivBytes);
  const cipher = createCipheriv("aes-256-gcm", key, iv).setAAD(Buffer.from(context));
  const body = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), body]);
}

/** Throws for altered bytes, another key or another context. */
export function decrypt(key: Buffer, bytes: Uint8Array, context = ""): string {
  const decipher = createDecipheriv("aes-256-gcm", key, bytes.subarray(0, ivBytes), { authTagLength: tagBytes });
  decipher.setAAD(Buffer.from(context)).setAuthTag(bytes.subarray(ivBytes, ivBytes + tagBytes));
  return Buffer.concat([decipher.update(bytes.subarray(ivBytes + tagBytes)), decipher.final()]).toString("utf8");
}

/** Seals with the newest of several keys, opens with any of them: the id of the key precedes the sealed text. */
export type Keyring = ReturnType<typeof createKeyring>;

/** `secrets` from the newest to the oldest. */
export function createKeyring(secrets: [string, ...string[]], purpose: string) {
  const keys = secrets.map((secret) => {
    const key = deriveKey(secret, purpose);
    return { key, id: createHash("sha256").update(key).digest().subarray(0, keyIdBytes) };
  });
  const newest = keys[0] as (typeof keys)[number];
  const find = (sealed: Uint8Array) => keys.find(({ id }) => id.equals(sealed.subarray(0, keyIdBytes)));
  return {
    seal: (text: string, context: string): Buffer => Buffer.concat([newest.id, encrypt(newest.key, text, context)]),
    /** Throws for altered bytes and another context; null if the key is not in the ring. */
    open(sealed: Uint8Array, context: string): string | null {
      const known = find(sealed);
      return known ? decrypt(known.key, sealed.subarray(keyIdBytes), context) : null;
    },
    /** The key that sealed it. */
    keyOf(sealed: Uint8Array): "newest" | "older" | "missing" {
      const known = find(sealed);
      return known ? (known === newest ? "newest" : "older") : "missing";
    },
  };
}
