import { buffer } from "node:stream/consumers";
import type { Logger } from "pino";
import type { PublicVersion } from "~server/public-reads";
import { type AccountKeys, createAccountKeys } from "../accounts/credentials";
import { type Actor, createOperations } from "../billing/operations";
import type { createMoney } from "../compose/money";
import type { DatabaseHandle } from "../db/database";
import { AppError } from "../errors";
import type { Queue } from "../jobs/queue";
import { showFiles } from "../media/files";
import type { MediaStore } from "../media/store";
import { createReviews } from "../square/reviews";
import { createProofReviews } from "../voices/proofs/reviews";
import { createShowRole } from "../voices/roles/appearance";
import { createTakedowns } from "../voices/takedowns";
import { createAccountDirectory } from "./account-directory";
import type { CommandContext, OperatorChecks } from "./command";
import { runCommandLine } from "./command-line";
import { type ConsoleActor, isAllowed, parseInput } from "./console-door";
import { listenForOperators } from "./socket";
import { findOperation } from "./table";

interface ConsoleParts {
  db: DatabaseHandle["db"];
  queue: Queue;
  money: Pick<Awaited<ReturnType<typeof createMoney>>, "billing" | "gateways">;
  keys: AccountKeys;
  /** Storage of the recordings. */
  store: Pick<MediaStore, "open">;
}

/** The services of operators' commands, for one operator and reason. */
export function createCommandContext(
  { db, queue, money: { billing, gateways }, keys, store }: ConsoleParts,
  { operator, reason, operatorId = null, role = "owner" }: Actor & Partial<ConsoleActor>,
): CommandContext {
  const actor = { operator, reason };
  const reconcile: typeof billing.reconcile = async (day, signal) => {
    if (Object.keys(gateways).length > 0) return billing.reconcile(day, signal);
    throw new AppError("failure", "no gateway is set up: there is nothing to compare with");
  };
  const now = () => new Date();
  return {
    ...actor,
    operatorId,
    async perform({ name, input, ...asked }) {
      const row = findOperation(name);
      if (!row || !isAllowed(role, row)) throw new AppError("forbidden", `${name} is not for ${role}`);
      const parts = { db, queue, money: { billing, gateways }, keys, store };
      await row.run(createCommandContext(parts, { ...asked, operatorId, role }), parseInput(row, input));
    },
    ...{ db, queue, now },
    operations: createOperations({ db, queue, now, gateways, reconcile }, actor),
    billing,
    people: createAccountDirectory({ db, keys }),
    takedowns: createTakedowns({ db, queue }, actor),
    proofReviews: createProofReviews({ db, readStored: async (key) => buffer(await store.open(key)) }, actor.operator),
    reviews: createReviews({ db, show: createShowRole({ show: showFiles }) }, actor.operator),
  };
}

interface Serving extends Omit<ConsoleParts, "keys"> {
  database: DatabaseHandle;
  config: { dataDir: string; dataKey: string };
  log: Logger;
  /** Advances with every command: it may have changed packages or the square. */
  publicVersion: PublicVersion;
  /** The checks with this process's database. */
  createChecks(connect: () => Promise<DatabaseHandle>): OperatorChecks;
}

/**
 * Runs operators' commands in this process, because no other process can open its embedded database. Commands arrive on a
 * socket that only the same system user can open. Logs a failure to listen. Resolves to the function that stops it.
 */
export async function serveOperators({
  database,
  config,
  log,
  publicVersion,
  createChecks,
  ...parts
}: Serving): Promise<() => Promise<void>> {
  const keys = createAccountKeys(config.dataKey);
  const borrowed = async () => ({ ...database, close: async () => {} });
  const serving = listenForOperators(config.dataDir, async ({ args, operator }) => {
    const output = { out: "", err: "" };
    const exitCode = await runCommandLine(args, {
      open: async (actor) => ({ ...createCommandContext({ ...parts, keys }, actor), close: async () => {} }),
      checks: createChecks(borrowed),
      systemUser: () => operator ?? undefined,
      print: (text) => {
        output.out += `${text}\n`;
      },
      printError: (text) => {
        output.err += `${text}\n`;
      },
    });
    publicVersion.advance();
    return { exitCode, ...output };
  });
  return serving.catch((error: unknown) => {
    log.warn({ err: error }, "operators' commands cannot reach this process");
    return async () => {};
  });
}
