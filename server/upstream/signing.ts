import { createHash, createPrivateKey, createPublicKey, sign, verify } from "node:crypto";

/** A private Ed25519 key. Its signatures are `ed25519.<key id>.<base64url>`: printable ASCII, 111 characters. */
export type SigningKey = ReturnType<typeof createSigningKey>;

/** RFC 8410: prefixes of the 32 bytes of an Ed25519 key in PKCS8 and in SPKI. */
const pkcs8Prefix = Buffer.from("302e020100300506032b657004220420", "hex");
const spkiPrefix = Buffer.from("302a300506032b6570032100", "hex");
const keyIdBytes = 8;
const format = /^ed25519\.([0-9a-f]{16})\.([A-Za-z0-9_-]{86})$/;

/** `seed`: 32 secret bytes; the same seed is the same key. */
export function createSigningKey(seed: Buffer) {
  const key = createPrivateKey({ key: Buffer.concat([pkcs8Prefix, seed]), format: "der", type: "pkcs8" });
  const publicKey = createPublicKey(key).export({ format: "der", type: "spki" }).subarray(spkiPrefix.length);
  const id = createHash("sha256")
    .update(publicKey)
    .digest("hex")
    .slice(0, 2 * keyIdBytes);
  return {
    id /** 32 bytes. */,
    publicKey,
    sign: (text: string): string => `ed25519.${id}.${sign(null, Buffer.from(text), key).toString("base64url")}`,
  };
}

/** The id of the key that made a signature; null for other text. */
export const keyIdOf = (signature: string): string | null => format.exec(signature)?.[1] ?? null;

/** False for another text, another key and for text that is no signature. */
export function isSignedBy(publicKey: Uint8Array, text: string, signature: string): boolean {
  const found = format.exec(signature)?.[2];
  if (!found) return false;
  const key = createPublicKey({ key: Buffer.concat([spkiPrefix, publicKey]), format: "der", type: "spki" });
  return verify(null, Buffer.from(text), key, Buffer.from(found, "base64url"));
}
