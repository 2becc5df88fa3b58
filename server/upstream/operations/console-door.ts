import type { ConsoleAnswer, ConsoleDone, ConsoleMe, ConsoleOperation, OperatorRole } from "~server/contract/console";
import { AppError } from "../errors";
import type { CommandContext } from "./command";
import type { ConsoleLogins, ConsoleOperator } from "./console-logins";
import { toJson } from "./format";
import { describeField, type Operation, type Section } from "./operation";
import { findOperation, operationTable } from "./table";

interface ActRequest {
  input: Record<string, string>;
  reason: string;
  /** Of the authenticator; "" where one was given lately. */
  code: string;
}

/** The console's door to the table of operations. Every call names the login's token; throws login-expired. */
export type ConsoleDoor = ReturnType<typeof createConsoleDoor>;

interface DoorParts {
  logins: ConsoleLogins;
  createContext(actor: ConsoleActor): CommandContext;
  /** An act may have changed what is public. */
  onChange(): void;
}

/** Whom the audit names, and who may approve what others ask for. */
export interface ConsoleActor {
  operator: string;
  reason: string;
  operatorId: string | null;
  role: OperatorRole;
}

export const isAllowed = (role: OperatorRole, { roles }: Operation): boolean =>
  role === "owner" || roles.includes(role);

export function createConsoleDoor({ logins, createContext, onChange }: DoorParts) {
  const enter = async (token: string) => {
    const operator = await logins.find(token);
    if (logins.stageOf(operator) !== "in") throw new AppError("login-expired", "the authenticator's code is missing");
    return operator;
  };
  const contextOf = ({ id, name, role }: ConsoleOperator, reason: string) =>
    createContext({ operator: name, reason, operatorId: id, role });
  return {
    logIn: (request: Parameters<ConsoleLogins["logIn"]>[0]) => logins.logIn(request),
    verify: (token: string, code: string) => logins.verify(token, code),
    logOut: (token: string) => logins.logOut(token),
    async me(token: string): Promise<ConsoleMe> {
      const operator = await logins.find(token);
      const stage = logins.stageOf(operator);
      return {
        operator: operator.name,
        role: operator.role,
        stage,
        isFresh: logins.isFresh(operator),
        secretUri: stage === "enrol" ? await logins.secretUri(operator) : null,
        operations: operationTable.filter((row) => isOffered(operator.role, row)).map(describeOperation),
      };
    },
    async read(token: string, name: string, input: Record<string, string>): Promise<ConsoleAnswer> {
      const operator = await enter(token);
      const row = requireOperation(operator.role, name, true);
      const { sections = [] } = await row.run(contextOf(operator, ""), parseInput(row, input)).catch(explained);
      return { sections: sections.map(toConsoleSection) };
    },
    /** `isWaiting`: another operator must approve it. Throws code-wrong where a fresh code is needed. */
    async act(token: string, name: string, { input, reason, code }: ActRequest): Promise<ConsoleDone> {
      const operator = await enter(token);
      const row = requireOperation(operator.role, name, false);
      const parsed = parseInput(row, input);
      const why = reason.trim().slice(0, 500);
      if (row.needsReason && why === "") throw faulty("reason", "the reason is missing");
      if (code !== "") await logins.verify(token, code);
      else if (row.needsFreshCode && !logins.isFresh(operator))
        throw new AppError("code-wrong", "a fresh code is needed");
      const context = contextOf(operator, why);
      if (row.needsSecond) {
        await askSecond(context, name, input);
        return { isWaiting: true, sections: [] };
      }
      const { sections = [] } = await row.run(context, parsed).catch(explained);
      onChange();
      return { isWaiting: false, sections: sections.map(toConsoleSection) };
    },
    async sound(token: string, proofId: string, which: "reference" | "spoken") {
      const operator = await enter(token);
      requireOperation(operator.role, "proof", true);
      return (await contextOf(operator, "").proofReviews.open(proofId))[which];
    },
  };
}

/** What writes files of this machine is for the command line alone. */
const isOffered = (role: OperatorRole, row: Operation) => isAllowed(role, row) && !row.isLocal;

function requireOperation(role: OperatorRole, name: string, isRead: boolean): Operation {
  const row = findOperation(name);
  if (!row || row.isRead !== isRead) throw new AppError("not-found", "no such operation", { status: 404 });
  if (!isOffered(role, row)) throw new AppError("forbidden", `not for ${role}`, { status: 403 });
  return row;
}

const faulty = (field: string, detail: string) => new AppError("bad-request", detail, { data: { field, detail } });

/** Empty fields of a form are absent ones, except those that edit a text. Throws bad-request with the field. */
export function parseInput(row: Operation, input: Record<string, string>): never {
  const { shape } = row.input;
  const isEdited = (name: string) => Object.hasOwn(shape, name) && describeField(shape[name] as never).isEdited;
  const given = Object.fromEntries(Object.entries(input).filter(([name, text]) => text.trim() || isEdited(name)));
  const read = row.input.safeParse(given);
  if (read.success) return read.data as never;
  const [issue] = read.error.issues;
  throw faulty(String(issue?.path[0] ?? ""), issue?.message ?? "");
}

/** Operators are told what the domain says, visitors only its code. */
function explained(error: unknown): never {
  if (error instanceof AppError) {
    const { code, message, status } = error;
    throw new AppError(code, message, { cause: error, status, data: { ...error.data, detail: message } });
  }
  if (error instanceof Error && error.name === "GatewayError")
    throw new AppError("failure", error.message, { cause: error, data: { detail: error.message } });
  throw error;
}

async function askSecond({ operations, operatorId, reason }: CommandContext, operation: string, input: object) {
  if (operatorId === null) throw new Error("the command line asks nobody");
  const target = { target: operation, detail: { input } };
  await operations.audited("ask-second", target, async (trx) => {
    const row = { operation, input: JSON.stringify(input), reason, asked_by: operatorId };
    await trx.insertInto("operator_request").values(row).execute();
  });
}

const describeOperation = (row: Operation): ConsoleOperation => ({
  name: row.name,
  isRead: row.isRead,
  needsReason: row.needsReason,
  needsFreshCode: row.needsFreshCode,
  needsSecond: row.needsSecond,
  preview: row.preview ?? null,
  fields: Object.entries(row.input.shape).map(([name, schema]) => {
    const { kind, isRequired, choices } = describeField(schema as never);
    return { name, kind, isRequired, choices: [...choices] };
  }),
});

const toConsoleSection = ({ name, columns, rows, acts, next }: Section): ConsoleAnswer["sections"][number] => ({
  name,
  columns: columns.filter(({ only }) => only === undefined).map(({ key, kind }) => ({ key, kind })),
  rows: toJson(rows) as Section["rows"],
  acts,
  next,
});
