import { createDecipheriv } from "node:crypto";
import { z } from "zod/v4";

export const sealedShape = z.object({
  algorithm: z.literal("AEAD_AES_256_GCM"),
  ciphertext: z.string(),
  nonce: z.string(),
  associated_data: z.string().nullish(),
});

const tagBytes = 16;

/** Opens what was sealed with the APIv3 key (AES-256-GCM, the tag at its end); throws where one bit is not as it was. */
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
