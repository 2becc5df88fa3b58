import { type LoaderFunctionArgs, redirect } from "@remix-run/node";
import { Link, type MetaFunction, useLoaderData } from "@remix-run/react";
import type { ReactNode } from "react";
import { developersCopy as copy } from "~/copy/developers";
import { pageMeta } from "~/features/layout/page";
import { paths } from "~/paths";
import { buttonClass } from "~/ui/button";
import { Card } from "~/ui/card";
import { openApiDocument } from "~server/contract/openapi";
import curl from "./examples/curl.txt?raw";
import javascript from "./examples/javascript.txt?raw";
import python from "./examples/python.txt?raw";
import webhook from "./examples/webhook.txt?raw";
import { type ReferenceCall, type ReferenceField, readReference } from "./reference";

export { RouteError as ErrorBoundary } from "~/features/layout/page";

export const meta: MetaFunction = ({ matches }) => pageMeta(copy, matches);

const examples = { curl, Python: python, JavaScript: javascript };

/** The examples are files that the tests run. Redirects to the 404 page where the upstream takes no keys. */
export async function loader({ context: { upstream, siteUrl } }: LoaderFunctionArgs) {
  const { missing } = await upstream.readCapabilities();
  if (missing.includes("speech")) throw redirect(paths.notFound);
  const calls = readReference(openApiDocument()).filter(({ name }) => !missing.some((one) => one === name));
  return { calls, examples, webhook, base: siteUrl };
}

export default function Developers() {
  const { calls, examples, webhook, base } = useLoaderData<typeof loader>();
  return (
    <div className="mx-auto grid w-full max-w-[50rem] grid-cols-1 gap-10 px-4 py-8 md:px-6 md:py-12">
      <div>
        <h1 className="font-song text-2xl font-semibold md:text-3xl">{copy.heading}</h1>
        <p className="mt-3 text-muted">{copy.sentence}</p>
        <div className="mt-5 flex flex-wrap gap-3">
          <Link className={buttonClass({ kind: "primary" })} to={paths.keys}>
            {copy.createKey}
          </Link>
          <a className={buttonClass()} href={paths.openApi}>
            {copy.document}
          </a>
        </div>
      </div>
      <Section id="start" title={copy.start}>
        <Card className="p-5 md:p-6">
          <dl className="grid gap-x-6 gap-y-1 text-sm sm:grid-cols-[auto_1fr] sm:gap-y-3">
            {copy.facts(base).map(([name, value]) => (
              <div className="contents" key={name}>
                <dt className="text-muted">{name}</dt>
                <dd className="mb-2 min-w-0 break-words sm:mb-0">{value}</dd>
              </div>
            ))}
          </dl>
        </Card>
      </Section>
      <Section id="examples" title={copy.examples}>
        <p className="text-sm text-muted">{copy.environment}</p>
        <Code label={copy.environment} text={`export SITE=${base}\nexport KEY=${copy.keyPlaceholder}`} />
        {Object.entries(examples).map(([name, text]) => (
          <div className="grid min-w-0 gap-2" key={name}>
            <h3 className="font-semibold">{name}</h3>
            <Code label={name} text={text} />
          </div>
        ))}
      </Section>
      <Section id="webhooks" title={copy.webhooks}>
        <p className="text-muted">{copy.webhooksSentence}</p>
        <p className="text-sm text-muted">{copy.receiverEnvironment}</p>
        <Code label={copy.receiverEnvironment} text={`export SECRET=${copy.secretPlaceholder}\nexport PORT=8080`} />
        <Code label={copy.receiver} text={webhook} />
      </Section>
      <Section id="reference" title={copy.reference}>
        <p className="text-muted">{copy.referenceSentence}</p>
        <ul className="grid gap-3">
          {calls.map((call) => (
            <CallRow call={call} key={call.name} />
          ))}
        </ul>
      </Section>
    </div>
  );
}

const Section = ({ id, title, children }: { id: string; title: string; children: ReactNode }) => (
  <section aria-labelledby={id} className="grid min-w-0 gap-4">
    <h2 className="font-song text-xl font-semibold" id={id}>
      {title}
    </h2>
    {children}
  </section>
);

function Code({ label, text }: { label: string; text: string }) {
  return (
    <section
      aria-label={label}
      className="overflow-x-auto rounded-card border border-line bg-surface p-4 text-sm leading-relaxed"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls long lines
      tabIndex={0}
      translate="no"
    >
      <pre>
        <code>{text.trimEnd()}</code>
      </pre>
    </section>
  );
}

function CallRow({ call: { method, path, sent, answered } }: { call: ReferenceCall }) {
  return (
    <li className="card min-w-0">
      <details>
        <summary className="flex min-h-[44px] cursor-pointer flex-wrap items-center gap-x-3 px-4 py-2">
          <span className="w-12 text-xs font-semibold text-muted">{method}</span>
          <code className="min-w-0 break-all">{path}</code>
        </summary>
        <div className="grid gap-4 border-t border-line p-4">
          <Fields fields={sent} title={copy.sent} />
          <Fields fields={answered} title={copy.answered} />
        </div>
      </details>
    </li>
  );
}

function Fields({ title, fields }: { title: string; fields: ReferenceField[] }) {
  if (fields.length === 0) return null;
  return (
    <table className="w-full border-collapse text-left text-sm">
      <caption className="mb-1 text-left font-semibold">{title}</caption>
      <thead className="sr-only">
        <tr>
          <th scope="col">{copy.columns.name}</th>
          <th scope="col">{copy.columns.type}</th>
        </tr>
      </thead>
      <tbody>
        {fields.map(({ name, type, isRequired }) => (
          <tr className="border-t border-line align-top" key={name}>
            <th className="w-1/2 break-all py-1.5 pr-3 font-normal" scope="row">
              <code>{name}</code>
              {isRequired && title === copy.sent && <span className="ml-2 text-xs text-seal">{copy.required}</span>}
            </th>
            <td className="break-all py-1.5 text-muted">
              <code>{type}</code>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
