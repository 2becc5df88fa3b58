import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { Link, useActionData, useLoaderData } from "@remix-run/react";
import { consoleCopy, consoleWord, operationName, translateDetail } from "~/copy/console";
import { sentenceFor } from "~/copy/errors";
import { DayCharts, SectionTable } from "~/features/console/section-table";
import { paths } from "~/paths";
import { buttonClass } from "~/ui/button";
import { Fault } from "~/ui/feedback";
import { actOnConsole, readConsole, requireConsoleMe } from "~server/bff/console.server";
import { readForm } from "~server/bff/json-route.server";
import type { Refusal } from "~server/bff/refusal.server";
import type { ConsoleSection } from "~server/contract/console";
import { OperationForm } from "./operation-form";

const textsOf = (fields: Iterable<[string, FormDataEntryValue]>) =>
  Object.fromEntries([...fields].flatMap(([name, value]) => (typeof value === "string" ? [[name, value]] : [])));

/** An operation of the table: a list with its search, or an act with its form. */
export async function loader(args: LoaderFunctionArgs) {
  const { request, params } = args;
  const me = await requireConsoleMe(args, paths.consoleLogin);
  const operation = me.operations.find(({ name }) => name === params.name);
  if (!operation) throw new Response(null, { status: 404 });
  const { from = "", ...input } = textsOf(new URL(request.url).searchParams);
  const known = new Set(operation.fields.map(({ name }) => name));
  const given = Object.fromEntries(Object.entries(input).filter(([name, value]) => known.has(name) && value !== ""));
  const shown = operation.isRead ? operation : me.operations.find(({ name }) => name === operation.preview);
  const isReady = shown?.fields.every(({ name, isRequired }) => !isRequired || given[name]);
  const wanted = Object.fromEntries(
    Object.entries(given).filter(([name]) => shown?.fields.some((field) => field.name === name)),
  );
  const read = shown && isReady ? await readConsole(args, shown.name, wanted) : { answer: { sections: [] } };
  const back = from.startsWith(paths.console) ? from : null;
  return { ...read, me, operation, input: given, back };
}

export async function action(args: ActionFunctionArgs) {
  const { reason = "", freshCode = "", ...input } = textsOf((await readForm(args.request))?.entries() ?? []);
  return actOnConsole(args, args.params.name ?? "", { input, reason, code: freshCode });
}

function explain({ code, data, ...refusal }: Refusal) {
  const { field, detail } = (data ?? {}) as { field?: string; detail?: string };
  if (code === "code-wrong") return { field: "code-wrong", text: sentenceFor({ code }) };
  const translated = detail && translateDetail(detail);
  if (field)
    return { field, text: [`${consoleCopy.fault}${consoleWord(field)}`, translated].filter(Boolean).join("，") };
  return { field: "", text: translated || `${sentenceFor({ code, ...refusal })}${detail ? ` (${detail})` : ""}` };
}

export default function OperationPage() {
  const page = useLoaderData<typeof loader>();
  const result = useActionData<typeof action>();
  const { me, operation, input, back } = page;
  const sections = "answer" in page ? page.answer.sections : [];
  const fault = result && "refusal" in result ? explain(result.refusal) : null;
  const isDone = result !== undefined && !fault;
  return (
    <>
      <h1 className="font-song text-2xl font-semibold">{operationName(operation.name)}</h1>
      {back && (
        <p className="mt-2 text-sm">
          <Link className="underline" to={back}>
            {consoleCopy.back}
          </Link>
        </p>
      )}
      <Outcome result={result} />
      {result &&
        "sections" in result &&
        result.sections.map((section) => <NewRows key={section.name} section={section} />)}
      {"refusal" in page && <Fault className="mt-4">{explain(page.refusal).text}</Fault>}
      {fault?.field === "" && <Fault className="mt-4">{fault.text}</Fault>}
      {!operation.isRead && sections.length > 0 && <p className="mt-4 text-sm text-muted">{consoleCopy.before}</p>}
      {!operation.isRead && <Sections input={input} operation={null} page={page} sections={sections} />}
      {!isDone && (
        <OperationForm fault={fault} input={input} isFresh={me.isFresh} key={operation.name} operation={operation} />
      )}
      {operation.isRead && <Sections input={input} operation={operation.name} page={page} sections={sections} />}
      {operation.name === "packages" && <CreateLink name="package-create" page={page} />}
      {operation.name === "codes" && <CreateLink name="codes-create" page={page} />}
      {operation.name === "operators" && <CreateLink name="operator-add" page={page} />}
      {operation.name === "anomalies" && <CreateLink name="reconcile" page={page} />}
    </>
  );
}

function Outcome({ result }: { result: ReturnType<typeof useActionData<typeof action>> }) {
  const text = result && "isWaiting" in result ? (result.isWaiting ? consoleCopy.waiting : consoleCopy.done) : "";
  return (
    <p aria-live="polite" className={text ? "mt-4 text-celadon" : "sr-only"} role="status">
      {text}
    </p>
  );
}

/** What an act answered; a single column, such as new codes, as lines to be copied. */
function NewRows({ section }: { section: ConsoleSection }) {
  const { name, columns, rows } = section;
  const [column] = columns;
  if (columns.length !== 1 || !column) return <SectionTable operations={[]} section={section} />;
  const text = rows.map((row) => String(row[column.key])).join("\n");
  return (
    <label className="mt-4 block max-w-xl text-sm">
      {consoleWord(name)}
      <textarea
        className="tabular mt-1 w-full rounded border border-line bg-surface p-3"
        readOnly
        rows={Math.min(20, rows.length)}
        value={text}
      />
    </label>
  );
}

type PageData = ReturnType<typeof useLoaderData<typeof loader>>;

interface SectionsProps {
  sections: Parameters<typeof SectionTable>[0]["section"][];
  page: PageData;
  /** Null for what stands above an act's form. */
  operation: string | null;
  input: Record<string, string>;
}

function Sections({ sections, page, operation, input }: SectionsProps) {
  const { proof } = input;
  return (
    <>
      {sections.some(({ name }) => name === "prompt") && proof && <Recordings proof={proof} />}
      {sections.map((section) => (
        <div key={section.name}>
          {section.name === "by-day" && <DayCharts section={section} />}
          {(operation !== "today" || section.name !== "by-day") && (
            <SectionTable
              operations={operation === null ? [] : page.me.operations}
              page={operation === null ? undefined : { name: operation, input }}
              section={section}
            />
          )}
        </div>
      ))}
    </>
  );
}

/** The recordings of a proof, to hear. */
function Recordings({ proof }: { proof: string }) {
  return (
    <div className="mt-4 grid gap-4 sm:grid-cols-2">
      {(["reference", "spoken"] as const).map((which) => (
        <figure className="m-0" key={which}>
          <figcaption className="text-sm font-semibold">{consoleCopy.hear[which]}</figcaption>
          {/* biome-ignore lint/a11y/useMediaCaption: what should be heard is written below */}
          <audio className="mt-1 w-full" controls preload="none" src={paths.consoleSound(proof, which)} />
        </figure>
      ))}
    </div>
  );
}

function CreateLink({ name, page }: { name: string; page: PageData }) {
  if (!page.me.operations.some((operation) => operation.name === name)) return null;
  const from = paths.consoleOperation(page.operation.name);
  return (
    <p className="mt-6">
      <Link className={buttonClass()} to={paths.consoleOperation(name, { from })}>
        {operationName(name)}
      </Link>
    </p>
  );
}
