import { type ActionFunctionArgs, data, type LoaderFunctionArgs, type MetaFunction, redirect } from "@remix-run/node";
import {
  Form,
  Link,
  type ShouldRevalidateFunction,
  useActionData,
  useLoaderData,
  useNavigation,
} from "@remix-run/react";
import type { InputHTMLAttributes, ReactNode } from "react";
import { consoleCopy } from "~/copy/console";
import { sentenceFor } from "~/copy/errors";
import { CheckedInput } from "~/features/form/checked-input";
import { paths } from "~/paths";
import { Button, buttonClass } from "~/ui/button";
import { Card } from "~/ui/card";
import { Fault } from "~/ui/feedback";

import { QrPicture } from "~/ui/qr-picture";
import { drawQr } from "~server/bff/checkout.server";
import { findConsoleMe, logInToConsole, logOutOfConsole, verifyConsoleCode } from "~server/bff/console.server";
import { readForm } from "~server/bff/json-route.server";
import { toRefusal } from "~server/bff/refusal.server";

export { RouteError as ErrorBoundary } from "~/features/layout/page";

const copy = consoleCopy.login;

export const handle = { layout: "bare" };

export const meta: MetaFunction = () => [{ title: copy.title }, { name: "robots", content: "noindex, nofollow" }];

/** The step of the login: the phone, the authenticator's set-up or its code, or none. */
export async function loader(args: LoaderFunctionArgs) {
  const me = await findConsoleMe(args);
  const uri = me?.secretUri ?? null;
  return {
    stage: me?.stage ?? ("phone" as const),
    enrolment: uri === null ? null : { qr: drawQr(uri), secret: new URL(uri).searchParams.get("secret") ?? "" },
  };
}

/** Recovery codes stay in sight until the operator goes on. */
export const shouldRevalidate: ShouldRevalidateFunction = ({ actionResult, defaultShouldRevalidate }) =>
  (actionResult as { recoveryCodes?: string[] } | undefined)?.recoveryCodes ? false : defaultShouldRevalidate;

export async function action(args: ActionFunctionArgs) {
  const form = await readForm(args.request);
  const textOf = (name: string) => String(form?.get(name) ?? "").trim();
  const phone = textOf("phone");
  // No code is sent for a console that the upstream does not have.
  if (textOf("intent") === "send") await findConsoleMe(args);
  try {
    switch (textOf("intent")) {
      case "leave":
        return redirect(paths.consoleLogin, { headers: { "set-cookie": await logOutOfConsole(args) } });
      case "send": {
        const { demoCode } = await args.context.upstream.call("captcha", { phone });
        return data({ phone, demoCode });
      }
      case "login": {
        const cookie = await logInToConsole(args, { phone, code: textOf("code") });
        return redirect(paths.consoleLogin, { headers: { "set-cookie": cookie } });
      }
      default: {
        const recoveryCodes = await verifyConsoleCode(args, textOf("totp"));
        return recoveryCodes.length > 0 ? data({ recoveryCodes }) : redirect(paths.console);
      }
    }
  } catch (error) {
    const refusal = toRefusal(error);
    const isSent = textOf("intent") === "login";
    if (refusal.code === "login-expired") return redirect(paths.consoleLogin);
    return data({ fault: sentenceFor(refusal), ...(isSent && { phone }) }, { status: 422 });
  }
}

export default function ConsoleLogin() {
  const { stage, enrolment } = useLoaderData<typeof loader>();
  const result = useActionData<typeof action>();
  const recoveryCodes = result && "recoveryCodes" in result ? result.recoveryCodes : null;
  return (
    <main className="grid min-h-[100dvh] place-items-center px-4 py-8">
      <Card className="w-full max-w-[440px] p-5 shadow-card md:p-8">
        <h1 className="font-song text-2xl font-semibold">{copy.title}</h1>
        <p className="mt-2 text-sm text-muted">{copy.sentence}</p>
        {result && "fault" in result && <Fault className="mt-4 text-sm">{result.fault}</Fault>}
        {recoveryCodes ? (
          <RecoveryCodes codes={recoveryCodes} />
        ) : stage === "in" ? (
          <EnterLink />
        ) : stage === "phone" ? (
          <PhoneSteps sent={sentTo(result)} />
        ) : (
          <Authenticator enrolment={enrolment} />
        )}
      </Card>
    </main>
  );
}

type ActionResult = ReturnType<typeof useActionData<typeof action>>;

function sentTo(result: ActionResult): SentCode | null {
  if (!result || !("phone" in result) || !result.phone) return null;
  return { phone: result.phone, demoCode: "demoCode" in result ? result.demoCode : undefined };
}

interface SentCode {
  phone: string;
  demoCode: string | undefined;
}

interface LoginStepProps extends InputHTMLAttributes<HTMLInputElement> {
  id: string;
  label: string;
  /** What the button does, and its words. */
  intent: string;
  submit: string;
  before?: ReactNode;
  after?: ReactNode;
}

/** One field and one button. */
function LoginStep({ intent, submit, before, after, ...input }: LoginStepProps) {
  const isPending = useNavigation().state !== "idle";
  return (
    <Form className="mt-6 grid gap-4" key={intent} method="post">
      {before}
      <CheckedInput autoComplete="one-time-code" name={input.id} required {...input} />
      {after}
      <Button kind="primary" name="intent" pending={isPending} size="large" type="submit" value={intent}>
        {submit}
      </Button>
    </Form>
  );
}

function PhoneSteps({ sent }: { sent: SentCode | null }) {
  const phone = { id: "phone", inputMode: "numeric", maxLength: 11 } as const;
  if (!sent) return <LoginStep {...phone} autoComplete="tel" intent="send" label={copy.phone} submit={copy.send} />;
  const before = (
    <p className="text-sm" role="status">
      {copy.sent(sent.phone)}
      {sent.demoCode && <span className="block text-muted">{copy.demo(sent.demoCode)}</span>}
      <input name="phone" type="hidden" value={sent.phone} />
      <a className="block underline" href={paths.consoleLogin}>
        {copy.again}
      </a>
    </p>
  );
  const code = { ...phone, id: "code", label: copy.code, autoFocus: true };
  return <LoginStep {...code} before={before} intent="login" submit={copy.submit} />;
}

interface AuthenticatorProps {
  enrolment: { qr: Parameters<typeof QrPicture>[0]["qr"] | null; secret: string } | null;
}

function Authenticator({ enrolment }: AuthenticatorProps) {
  const before = enrolment && (
    <div className="grid gap-2 text-sm">
      <p>{copy.enrol}</p>
      {enrolment.qr && <QrPicture className="h-44 w-44" label={copy.qr} qr={enrolment.qr} />}
      <p className="break-all">
        {copy.secret} <code>{enrolment.secret}</code>
      </p>
    </div>
  );
  const after = (
    <p className="text-sm text-muted" id="totp-hint">
      {copy.totpHint}
    </p>
  );
  const code = { id: "totp", label: copy.totp, maxLength: 12, autoFocus: true, "aria-describedby": "totp-hint" };
  return <LoginStep {...code} after={after} before={before} intent="verify" submit={copy.verify} />;
}

function RecoveryCodes({ codes }: { codes: string[] }) {
  return (
    <div className="mt-6">
      <p className="text-sm" role="status">
        {copy.recovery}
      </p>
      <ul className="tabular my-4 grid grid-cols-2 gap-2">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <EnterLink />
    </div>
  );
}

const EnterLink = () => (
  <p className="mt-6">
    <Link className={buttonClass({ kind: "primary", size: "large" })} to={paths.console}>
      {copy.enter}
    </Link>
  </p>
);
