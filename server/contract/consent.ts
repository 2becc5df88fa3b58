/**
 * The statements that require agreement before a voice is cloned. Their text is in app/copy/recording.ts; a consent stores
 * the SHA-256 of that text in UTF-8. A changed text is a new statement with a new id.
 */
export const consentStatements = [
  { id: "voice-consent-1", version: 1, sha256: "4ebc36629eeabf7c9504097f45214667e9b06f09d4130ab099abb6422fd930f8" },
  { id: "voice-use-1", version: 1, sha256: "29278d7a7e58128eb9b0cf5bb75ccd4a47e7683440eeefe007dd995817796428" },
  { id: "voice-consent-2", version: 2, sha256: "fc5be085e5d18d15e1dc31ee4aabcd73aeeafefdbd8862d0f74ab45ff58e825f" },
  { id: "voice-use-2", version: 2, sha256: "a01294a5dfa8d3dfe0a6cf6f5440b8fbdacf370512aecc07094235b91e4e29b4" },
] as const;

type StatementId = (typeof consentStatements)[number]["id"];

/** The one shown where a role is created, and where recordings go to vendors. */
export const consentStatementId = consentStatements[0].id;
const vendorConsentId = consentStatements[2].id;
/** The one shown beside the button that clones a recording for one text, and where recordings go to vendors. */
const useStatementId = consentStatements[1].id;
const vendorUseId = consentStatements[3].id;

/** Statement that a speaker agrees to when a role is created. */
export const consentStatementFor = (hasVendors: boolean): StatementId =>
  hasVendors ? vendorConsentId : consentStatementId;
/** Statement that a speaker agrees to when a recording is cloned for one text. */
export const cloningStatementFor = (hasVendors: boolean): StatementId => (hasVendors ? vendorUseId : useStatementId);

/** A recording goes to vendors only with one of these. */
export const vendorStatementIds: readonly string[] = [vendorConsentId, vendorUseId];

/** The statement that a proof begins with, read aloud by the voice's owner. The server needs its words to find them. */
export const proofStatement = {
  id: "voice-proof-1",
  version: 1,
  text: "这是我本人的声音，我同意用它合成语音。",
  sha256: "e1a47b469f0cb50dfd3ddd18b86d88ed82ceea77b3ecb9c872dcb46001b10df2",
} as const;
