import { type ActionFunctionArgs, data, type LoaderFunctionArgs, redirect } from "@remix-run/node";
import { Form, Link, type MetaFunction, useActionData, useLoaderData, useNavigation } from "@remix-run/react";
import { useState } from "react";
import { keysCopy as copy } from "~/copy/developers";
import { sentenceFor } from "~/copy/errors";
import { joinDetails } from "~/copy/format";
import { CheckedInput } from "~/features/form/checked-input";
import { pageMeta } from "~/features/layout/page";
import { paths } from "~/paths";
import { Button, buttonClass } from "~/ui/button";
import { Card } from "~/ui/card";
import { copyText, Fault } from "~/ui/feedback";
import { Input } from "~/ui/fields";
import { readForm, throwIfLoginExpired, throwShown } from "~server/bff/json-route.server";
import { statusOf, toRefusal } from "~server/bff/refusal.server";
import type { Upstream } from "~server/bff/upstream.server";
import { apiKeyNameMax, apiKeysMax } from "~server/contract/limits";
import { WebhookSection } from "./webhook";

export { RouteError as ErrorBoundary } from "~/features/layout/page";

export const meta: MetaFunction = ({ matches }) => [...pageMeta(copy, matches), { name: "robots", content: "noindex" }];

/** For members of an upstream with keys. `once` makes a form that is sent twice create one key. */
export async function loader({ context: { upstream, session } }: LoaderFunctionArgs) {
  if (!session.values.token) throw redirect(paths.loginFrom(paths.keys));
  const { missing } = await upstream.readCapabilities();
  if (missing.includes("keyList")) throw redirect(paths.notFound);
  const read = Promise.all([upstream.call("keyList", {}), upstream.call("webhook", {})]);
  const [{ list }, webhook] = await read.catch((error: unknown) => {
    throwIfLoginExpired(error, session, paths.loginExpiredFrom(paths.keys));
    throwShown(error);
  });
  return { keys: list, webhook, once: crypto.randomUUID() };
}

interface Saved {
  /** Shown this once. */
  secret?: { of: "key" | "webhook"; text: string };
  said?: string;
}

export async function action({ request, context: { upstream, session } }: ActionFunctionArgs) {
  const form = await readForm(request);
  const act = String(form?.get("act") ?? "");
  try {
    return { ...(await save(upstream, act, (name) => String(form?.get(name) ?? "").trim())), act, fault: "" };
  } catch (error) {
    throwIfLoginExpired(error, session, paths.loginExpiredFrom(paths.keys));
    const refusal = toRefusal(error);
    const isInvalid = refusal.code === "bad-request";
    const fault = !isInvalid ? sentenceFor(refusal) : act === "webhook-put" ? copy.webhook.notAllowed : copy.failed;
    return data({ act, fault } as Saved & { act: string; fault: string }, { status: statusOf(refusal) });
  }
}

/** Throws UpstreamRefusal. */
async function save(upstream: Upstream, act: string, read: (name: string) => string): Promise<Saved> {
  const done = (said: string) => () => ({ said });
  if (act === "revoke") return upstream.call("keyRevoke", { keyId: read("keyId") }).then(done(copy.revoked));
  if (act === "webhook-test") return upstream.call("webhookTest", {}).then(done(copy.webhook.tested));
  if (act === "webhook-remove") return upstream.call("webhookRemove", {}).then(done(copy.webhook.removed));
  if (act === "webhook-put") {
    const { secret } = await upstream.call("webhookPut", { url: read("url") }, read("once"));
    return { secret: { of: "webhook", text: secret } };
  }
  const monthLimit = read("monthLimit") === "" ? undefined : Number(read("monthLimit"));
  const { secret } = await upstream.call("keyCreate", { name: read("name"), monthLimit }, read("once"));
  return { secret: { of: "key", text: secret } };
}

export default function Keys() {
  const { keys, webhook, once } = useLoaderData<typeof loader>();
  const result = useActionData<typeof action>();
  return (
    <div className="mx-auto grid w-full max-w-[46rem] gap-8 px-4 py-8 md:px-6 md:py-12">
      <div>
        <h1 className="font-song text-2xl font-semibold md:text-3xl">{copy.heading}</h1>
        <p className="mt-3 text-muted">{copy.sentence}</p>
        <Link className={`${buttonClass()} mt-4`} to={paths.developers}>
          {copy.docs}
        </Link>
      </div>
      <div className="empty:absolute" role="status">
        {result?.secret && <NewSecret key={result.secret.text} {...result.secret} />}
        {result?.said && <p className="text-celadon">{result.said}</p>}
      </div>
      <Card className="p-5 md:p-6">
        {keys.length < apiKeysMax ? (
          <CreateForm fault={result?.act === "create" ? result.fault : ""} key={keys.length} once={once} />
        ) : (
          <p className="text-muted">{copy.full(apiKeysMax)}</p>
        )}
      </Card>
      <section aria-labelledby="keys">
        <h2 className="mb-3 font-song text-xl font-semibold" id="keys">
          {copy.list}
        </h2>
        {keys.length === 0 && <p className="text-muted">{copy.empty}</p>}
        <ul className="grid gap-3">
          {keys.map((key) => (
            <KeyRow key={key.keyId} value={key} />
          ))}
        </ul>
      </section>
      <WebhookSection fault={result?.act.startsWith("webhook") ? result.fault : ""} once={once} webhook={webhook} />
    </div>
  );
}

function CreateForm({ once, fault }: { once: string; fault: string | undefined }) {
  const isPending = useNavigation().formData?.get("act") === "create";
  return (
    <Form className="grid gap-4" method="post" preventScrollReset>
      <input name="act" type="hidden" value="create" />
      <input name="once" type="hidden" value={once} />
      <div className="grid items-start gap-4 md:grid-cols-2">
        <CheckedInput
          autoComplete="off"
          id="key-name"
          label={copy.name}
          maxLength={apiKeyNameMax}
          name="name"
          placeholder={copy.nameHint}
          required
        />
        <Input id="key-limit" inputMode="numeric" label={copy.limit} name="monthLimit" placeholder={copy.limitHint} />
      </div>
      <Fault>{fault}</Fault>
      <Button className="justify-self-start" kind="primary" pending={isPending} type="submit">
        {copy.create}
      </Button>
    </Form>
  );
}

function NewSecret({ of, text }: NonNullable<Saved["secret"]>) {
  const words = copy.created[of];
  const [isCopied, setCopied] = useState(false);
  return (
    <Card className="grid gap-3 p-5 md:p-6">
      <h2 className="font-song text-xl font-semibold">{words.heading}</h2>
      <p className="text-sm text-muted">{copy.created.sentence}</p>
      <Input
        id="key-secret"
        label={words.label}
        onFocus={(event) => event.currentTarget.select()}
        readOnly
        trailing={
          <Button
            className="shrink-0"
            kind="primary"
            onClick={async () => {
              if (await copyText(text)) setCopied(true);
              else document.getElementById("key-secret")?.focus();
            }}
          >
            {isCopied ? copy.created.copied : copy.created.copy}
          </Button>
        }
        value={text}
      />
    </Card>
  );
}

type ApiKey = ReturnType<typeof useLoaderData<typeof loader>>["keys"][number];

function KeyRow({ value: { keyId, name, hint, monthUsed, monthLimit, usedAt } }: { value: ApiKey }) {
  const isPending = useNavigation().formData?.get("keyId") === keyId;
  return (
    <li className="card flex flex-wrap items-center gap-x-4 gap-y-2 p-4">
      <div className="min-w-0 flex-1 basis-48">
        <p className="flex flex-wrap gap-x-3 font-semibold">
          <span className="break-all">{name}</span>
          <code className="font-normal text-muted">{copy.hint(hint)}</code>
        </p>
        <p className="tabular mt-1 text-sm text-muted">
          {joinDetails(copy.use(monthUsed, monthLimit), copy.usedAt(usedAt))}
        </p>
      </div>
      <details>
        <summary aria-label={copy.revokeNamed(name)} className="btn btn-outline cursor-pointer">
          {copy.revoke}
        </summary>
        <Form className="mt-2 grid gap-2" method="post" preventScrollReset>
          <p className="text-sm text-muted">{copy.revoking}</p>
          <input name="act" type="hidden" value="revoke" />
          <input name="keyId" type="hidden" value={keyId} />
          <Button className="justify-self-start" pending={isPending} type="submit">
            {copy.confirmRevoke}
          </Button>
        </Form>
      </details>
    </li>
  );
}
