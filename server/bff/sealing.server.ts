import { hkdfSync } from "node:crypto";
import { CompactEncrypt, compactDecrypt } from "jose";

/** Encrypts JSON for this server alone (compact JWE, dir + A256GCM, key id for rotation). */
export interface Sealing {
  seal(value: unknown): Promise<string>;
  /** Null for what was altered, or sealed under another secret or for another purpose. */
  open(sealed: string): Promise<unknown>;
}

/** `secrets`: the first one seals, all of them open. Each purpose has keys of its own. */
export function createSealing(secrets: readonly string[], purpose: string): Sealing {
  const keys = new Map(
    secrets.map((secret) => [derive(secret, "session key id", 6).toString("hex"), keyOf(secret, purpose)]),
  );
  const [newest] = keys;
  if (!newest) throw new TypeError("sealing needs a secret");
  const [newestId, newestKey] = newest;
  const keyNamed = (kid: string | undefined): Promise<CryptoKey> => {
    const key = keys.get(kid ?? "");
    if (!key) throw new Error("unknown key");
    return key;
  };
  return {
    async seal(value) {
      return new CompactEncrypt(new TextEncoder().encode(JSON.stringify(value)))
        .setProtectedHeader({ alg: "dir", enc: "A256GCM", kid: newestId })
        .encrypt(await newestKey);
    },
    async open(sealed) {
      try {
        const { plaintext } = await compactDecrypt(sealed, ({ kid }) => keyNamed(kid), {
          keyManagementAlgorithms: ["dir"],
          contentEncryptionAlgorithms: ["A256GCM"],
        });
        return JSON.parse(new TextDecoder().decode(plaintext));
      } catch {
        return null;
      }
    },
  };
}

const derive = (secret: string, purpose: string, bytes: number) =>
  Buffer.from(hkdfSync("sha256", secret, "", purpose, bytes));
const keyOf = (secret: string, purpose: string) =>
  crypto.subtle.importKey("raw", derive(secret, purpose, 32), "AES-GCM", false, ["encrypt", "decrypt"]);
