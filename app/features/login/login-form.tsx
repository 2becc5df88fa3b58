import { Link } from "@remix-run/react";
import { type ClipboardEvent, type KeyboardEvent, useId } from "react";
import { loginCopy as words } from "~/copy/account";
import { noScriptCopy } from "~/copy/pages";
import { paths } from "~/paths";
import { Badge, Button } from "~/ui/button";
import { LiveRegion, NoScript } from "~/ui/feedback";
import { Input } from "~/ui/fields";
import { useLogin } from "./use-login";

interface LoginFormProps {
  onDone(): void;
  /** Shows a notice. */
  onError(sentence: string): void;
  /** The terms are about to be opened. */
  onLeave?(): void;
}

/** The login form of the dialog and of the page. */
export function LoginForm({ onDone, onError, onLeave }: LoginFormProps) {
  const id = useId();
  const login = useLogin({ onDone, onError });
  const { phone, code, faults, busy, sent, secondsLeft, send, submit } = login;
  // Enter does not submit through a disabled button, so the missing field would not be shown.
  const onEnter = (act: () => Promise<void>) => (event: KeyboardEvent) => {
    if (event.key !== "Enter" || event.nativeEvent.isComposing) return;
    event.preventDefault();
    void act();
  };

  return (
    <form className="mt-5 grid grid-cols-[minmax(0,1fr)] gap-4" noValidate onSubmit={(event) => event.preventDefault()}>
      <NoScript sentence={noScriptCopy.login} />
      <Input
        autoComplete="tel-national"
        error={faults.phone}
        id={`${id}phone`}
        inputMode="numeric"
        inputRef={login.phoneInput}
        label={words.phone}
        name="phone"
        onChange={(event) => login.setPhone(event.target.value)}
        onKeyDown={onEnter(submit)}
        onPaste={pasted(login.setPhone)}
        placeholder={words.phoneHint}
        type="tel"
        value={phone}
      />
      <Input
        autoComplete="one-time-code"
        error={faults.code}
        id={`${id}code`}
        inputMode="numeric"
        inputRef={login.codeInput}
        label={words.code}
        name="verifyCode"
        onChange={(event) => login.setCode(event.target.value)}
        onKeyDown={onEnter(submit)}
        onPaste={pasted(login.setCode)}
        placeholder={words.codeHint}
        trailing={
          <Button
            className="h-12 min-w-[min(8.5em,100%)] tight:h-auto tight:w-full tight:min-w-0"
            disabled={secondsLeft > 0}
            onClick={send}
            pending={busy === "sending"}
          >
            {secondsLeft > 0 ? words.again(secondsLeft) : busy === "sending" ? words.sending : words.send}
          </Button>
        }
        value={code}
      />
      {sent?.demoCode && <DemoCode code={sent.demoCode} onFill={() => login.setCode(sent.demoCode ?? "")} />}
      <LiveRegion>{sent ? words.sentAnnouncement(sent.phone) : ""}</LiveRegion>
      <Button
        className="mt-1 w-full"
        disabled={!login.canSubmit}
        kind="primary"
        onClick={submit}
        pending={busy === "going"}
        size="large"
      >
        {busy === "going" ? words.going : words.go}
      </Button>
      <TermsLine onLeave={onLeave} />
    </form>
  );
}

function DemoCode({ code, onFill }: { code: string; onFill(): void }) {
  return (
    <p className="flex items-center gap-3 rounded bg-wash px-3.5 py-1 text-sm">
      <Badge>{words.demo}</Badge>
      <span className="tabular flex-1">{words.demoCode(code)}</span>
      <Button kind="quiet" onClick={onFill}>
        {words.fill}
      </Button>
    </p>
  );
}

/** A paste replaces the whole input and is cleaned before it is cut to the maximal length. */
const pasted = (set: (text: string) => void) => (event: ClipboardEvent) => {
  event.preventDefault();
  set(event.clipboardData.getData("text"));
};

/** The sentence about the terms and the privacy policy. If their data cannot be loaded, the link loads the document. */
export function TermsLine({ onLeave }: { onLeave?: (() => void) | undefined }) {
  const linkTo = (to: string, name: string) => (
    <Link
      className="inline-block px-1 py-3 underline underline-offset-4 hover:text-ink"
      onClick={(event) => event.metaKey || event.ctrlKey || event.shiftKey || event.altKey || onLeave?.()}
      state={{ loadsDocumentOnError: true }}
      to={to}
    >
      {name}
    </Link>
  );
  return (
    <p className="text-center text-xs text-muted">
      {words.agreeBefore}
      {linkTo(paths.service, words.terms)}
      {words.agreeAnd}
      {linkTo(paths.privacy, words.privacy)}
    </p>
  );
}
