/**
 * The statements that require agreement before a voice is cloned. Their text is in app/copy/recording.ts; a consent stores
 * the SHA-256 of that text in UTF-8. A changed text is a new statement with a new id.
 */
export const consentStatements = [
  { id: "voice-consent-1", version: 1, sha256: "4ebc36629eeabf7c9504097f45214667e9b06f09d4130ab099abb6422fd930f8" },
  { id: "voice-use-1", version: 1, sha256: "29278d7a7e58128eb9b0cf5bb75ccd4a47e7683440eeefe007dd995817796428" },
] as const;

/** The one shown where a role is created. */
export const consentStatementId = consentStatements[0].id;
/** The one shown beside the button that clones a recording for one text. */
export const useStatementId = consentStatements[1].id;

/** The statement that a proof begins with, read aloud by the voice's owner. The server needs its words to find them. */
export const proofStatement = {
  id: "voice-proof-1",
  version: 1,
  text: "这是我本人的声音，我同意用它合成语音。",
  sha256: "e1a47b469f0cb50dfd3ddd18b86d88ed82ceea77b3ecb9c872dcb46001b10df2",
} as const;
