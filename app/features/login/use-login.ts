import { useEffect, useRef, useState } from "react";
import { trackAfterReload } from "~/analytics-events";
import { type Refusal, refusalOf } from "~/call";
import { loginCopy } from "~/copy/account";
import { sentenceFor } from "~/copy/errors";
import { logIn, sendCode } from "./login-client";
import { canLogIn, cleanCode, cleanPhone, faultBeforeLogin, faultBeforeSending } from "./rules";
import { keepSentCode, readSentCode, type SentCode, useCountdown } from "./sent-code";

interface Options {
  onDone(): void;
  /** A sentence for the page's notices. */
  onError(sentence: string): void;
}

type Faults = Partial<Record<"phone" | "code", string>>;

/** What passes as it is: who presses too fast or has no network is not told that the login failed. */
const passing = new Set(["too-many", "network", "timeout"]);

/** Phone, code, and the two calls of a login. */
export function useLogin({ onDone, onError }: Options) {
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
    const earlier = readSentCode();
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
      const { resend, demoCode } = (await sendCode(phone)).sent;
      const next = { phone, resendAt: Date.now() + resend * 1000, demoCode };
      setSent(next);
      keepSentCode(next);
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
    keepSentCode(null);
    trackAfterReload("login");
    onDone();
  }

  function fail(refusal: Refusal) {
    if (passing.has(refusal.code)) return onError(sentenceFor(refusal));
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
    setPhone: (text: string, isPasted = false) => setPhone(isPasted ? cleanPhone(text) : text),
    setCode: (text: string, isPasted = false) => setCode(isPasted ? cleanCode(text) : text),
    send,
    submit,
  };
}
