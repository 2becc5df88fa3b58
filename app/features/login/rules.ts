import { loginCopy } from "~/copy/account";

export const phoneLength = 11;
export const codeLength = 6;

const { field, notice } = loginCopy;

/** Specification section 5. Null for a valid phone. */
function phoneFault(phone: string, missing: string): string | null {
  if (phone === "") return missing;
  return /^1[3-9]\d{9}$/.test(phone) ? null : field.phoneWrong;
}

export const faultBeforeSending = (phone: string) => phoneFault(phone, field.phoneFirst);

export interface Filled {
  phone: string;
  code: string;
  isCodeSent: boolean;
}

export interface Fault {
  where: "phone" | "code";
  sentence: string;
  /** Also shown as a notice (section 8). */
  notice?: string;
}

export function faultBeforeLogin({ phone, code, isCodeSent }: Filled): Fault | null {
  const sentence = phoneFault(phone, field.phoneMissing);
  if (sentence) return { where: "phone", sentence };
  if (!isCodeSent) return { where: "code", sentence: field.codeNotSent, notice: notice.codeNotSent };
  if (code.length !== codeLength) return { where: "code", sentence: field.codeMissing, notice: notice.codeMissing };
  return null;
}

/** The login button is enabled if all three are present. */
export const canLogIn = ({ phone, code, isCodeSent }: Filled) =>
  isCodeSent && phone !== "" && code.length === codeLength;

/** A pasted phone without separators and country code. */
export const cleanPhone = (text: string) =>
  text
    .replace(/[\s()-]/g, "")
    .replace(/^(\+|00)?86(?=1\d{10}$)/, "")
    .slice(0, phoneLength);

/** The code in a pasted message. */
export const cleanCode = (text: string) =>
  (/(?<!\d)\d{6}(?!\d)/.exec(text)?.[0] ?? text.replace(/\D/g, "")).slice(0, codeLength);
