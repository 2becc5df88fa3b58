import type { consentStatementId } from "~server/contract/consent";

/** What the speaker agrees to, read aloud or confirmed, by statement. The contract keeps the hash of these words. */
export const consentTexts: Record<typeof consentStatementId, string> = {
  "voice-consent-1": "我确认这是我本人的声音，或者已经得到声音主人的同意，并且不会用它冒充别人。",
};
