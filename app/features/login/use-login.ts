import { useEffect, useRef, useState } from "react";
import { bffPaths, call, callApi, type Refusal, refusalOf } from "~/call";
import { loginCopy } from "~/copy/account";
import { sentenceFor } from "~/copy/errors";
import { trackAfterReload } from "~/state/analytics-events";
import { createSavedValue } from "~/ui/store";

interface LoginOptions {
  onDone(): void;
  /** Shows a notice. */
  onError(sentence: string): void;
}

type Faults = Partial<Record<"phone" | "code", string>>;

/** Temporary failures: shown as they are, not as a failed login. */
const temporary = new Set(["too-many", "network", "timeout"]);

/** State and calls of the login form. */
export function useLogin({ onDone, onError }: LoginOptions) {
  const [phone, setPhone] = useState("");
  const [code, setCode] = useState("");
  const [faults, setFaults] = useState<Faults>({});
  const [busy, setBusy] = useState<"sending" | "going" | null>(null);
  const [sent, setSent] = useState<SentCode | null>(null);
  const phoneInput = useRef<HTMLInputElement>(null);
  const codeInput = useRef<HTMLInputElement>(null);
  const secondsLeft = useCountdown(sent?.resendAt ?? 0);
  const filled = { phone, code, isCodeSent: sent !== null };

  useEffect(() => {
    const earlier = savedCode.read();
    if (!earlier) return;
    setSent(earlier);
    setPhone((now) => now || earlier.phone);
  }, []);

  async function send() {
    if (busy || secondsLeft > 0) return;
    const fault = faultBeforeSending(phone);
    setFaults(fault ? { phone: fault } : {});
    if (fault) return phoneInput.current?.focus();
    setBusy("sending");
    try {
      setSent(await sendCode(phone));
      codeInput.current?.focus();
    } catch (error) {
      onError(sentenceFor(refusalOf(error)));
    } finally {
      setBusy(null);
    }
  }

  async function submit() {
    if (busy) return;
    const fault = faultBeforeLogin(filled);
    setFaults(fault ? { [fault.where]: fault.sentence } : {});
    if (fault) {
      if (fault.notice) onError(fault.notice);
      return (fault.where === "phone" ? phoneInput : codeInput).current?.focus();
    }
    setBusy("going");
    try {
      await logIn(phone, code);
    } catch (error) {
      setBusy(null);
      return fail(refusalOf(error));
    }
    savedCode.write(null);
    trackAfterReload("login");
    onDone();
  }

  function fail(refusal: Refusal) {
    if (temporary.has(refusal.code)) return onError(sentenceFor(refusal));
    onError(loginCopy.notice.failed);
    const reason = refusal.code === "request-failed" ? loginCopy.notice.failed : sentenceFor(refusal);
    setFaults({ code: reason });
    codeInput.current?.select();
  }

  return {
    phone,
    code,
    faults,
    busy,
    sent,
    secondsLeft,
    canSubmit: canLogIn(filled),
    phoneInput,
    codeInput,
    setPhone: (text: string) => setPhone(cleanPhone(text)),
    setCode: (text: string) => setCode(cleanCode(text)),
    send,
    submit,
  };
}

/** Throws Refused. */
async function sendCode(phone: string): Promise<SentCode> {
  const { resend, demoCode } = await callApi("captcha", { phone });
  const sent = { phone, resendAt: Date.now() + resend * 1000, demoCode };
  savedCode.write(sent);
  return sent;
}

/** Throws Refused. */
export const logIn = (phone: string, verifyCode: string) => call(bffPaths.session, { body: { phone, verifyCode } });

/** The sent code. Saved, because a phone may discard the page while another app shows the code. */
export interface SentCode {
  phone: string;
  /** When another code can be requested, Unix milliseconds. */
  resendAt: number;
  demoCode?: string | undefined;
}

const savedMs = 300_000;

const savedCode = createSavedValue("login-code", (json) => {
  const sent = json as SentCode | null;
  return sent && Date.now() < sent.resendAt + savedMs ? sent : null;
});

/** Whole seconds until a time in Unix milliseconds, counting down to 0. */
export function useCountdown(untilMs: number): number {
  const left = () => Math.max(0, Math.ceil((untilMs - Date.now()) / 1000));
  const [, tick] = useState(0);
  const seconds = left();
  useEffect(() => {
    if (seconds === 0) return;
    const timer = setTimeout(() => tick((now) => now + 1), (untilMs - Date.now()) % 1000 || 1000);
    return () => clearTimeout(timer);
  });
  return seconds;
}

const phoneLength = 11;
const codeLength = 6;

const { field, notice } = loginCopy;

/** Specification section 5. Null for a valid phone. */
function phoneFault(phone: string, missing: string): string | null {
  if (phone === "") return missing;
  return /^1[3-9]\d{9}$/.test(phone) ? null : field.phoneWrong;
}

export const faultBeforeSending = (phone: string) => phoneFault(phone, field.phoneFirst);

interface Filled {
  phone: string;
  code: string;
  isCodeSent: boolean;
}

interface Fault {
  where: "phone" | "code";
  sentence: string;
  /** Also shown as a toast (section 8). */
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

/** A phone as keyboards, address books and messages give it, of which only ASCII digits are left, without country code. */
export function cleanPhone(text: string) {
  const [first = "", ...others] = text.normalize("NFKC").replace(/[^\d+]/g, "");
  const compact = first + others.filter((sign) => sign !== "+").join("");
  const own = compact.replace(/^(\+|00)?86(?=1\d{10})/, "");
  // A country code that is being typed: the rest is not known yet.
  return own.slice(0, /^(\+|00|86)/.test(own) ? phoneLength + 4 : phoneLength);
}

/** The code in a message. */
export function cleanCode(text: string) {
  const ascii = text.normalize("NFKC");
  return (/(?<!\d)\d{6}(?!\d)/.exec(ascii)?.[0] ?? ascii.replace(/\D/g, "")).slice(0, codeLength);
}
