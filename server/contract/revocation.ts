import type { CallData } from "./calls/table";

export type UnsignedReceipt = Omit<CallData<"roleRevoke">, "signature">;

/** The signed text of a receipt: the same text for the same facts, whatever the order of the fields in a file. */
export const receiptTextOf = ({ receiptId, revokedAt, by, removed }: UnsignedReceipt): string => {
  const { roles, recordings, profiles, outputs, vendorVoices } = removed;
  return JSON.stringify(["revocation-1", receiptId, revokedAt, by, roles, recordings, profiles, outputs, vendorVoices]);
};
