import { userInfo } from "node:os";
import { join } from "node:path";
import pino from "pino";
import { ConfigError, readConfig } from "../../config";
import { keepFilesPrivate } from "../../settings/private-files";
import { createAccountKeys } from "../accounts/credentials";
import type { Actor } from "../billing/operations";
import { createMoney } from "../compose/money";
import { openDatabase, placeOf } from "../db/database";
import { createOnce } from "../db/idempotency";
import { reasonOf } from "../db/pool";
import { seedProducts } from "../db/seed/products";
import { AppError } from "../errors";
import { createQueue } from "../jobs/queue";
import { createDiskStore } from "../media/disk";
import { createS3Store } from "../media/s3";
import { runCommandLine } from "./command-line";
import { createCommandContext } from "./console";
import { createOperatorChecks } from "./operator-checks";
import { runInServer } from "./socket";

/** Opens the server's database with the server's settings, without a worker. */
async function openCommandContext(actor: Actor) {
  const config = readConfig(process.env);
  if (config.dataKey === "") {
    throw new ConfigError(["API_BASE_URL or ROLE=web: accounts and orders are another upstream's, operate them there"]);
  }
  keepFilesPrivate(config.dataDir);
  const { db, close } = await openDatabase(placeOf(config)).catch((error: unknown) => {
    throw new AppError("failure", whyClosed(error, config.databaseUrl), { cause: error });
  });
  await seedProducts(db);
  const queue = createQueue();
  // To stderr, because programs may parse stdout.
  const log = pino({ level: config.logLevel, name: "ops" }, pino.destination({ dest: 2, sync: true }));
  const money = await createMoney({ db, queue, once: createOnce(db) }, { config, log });
  const store = config.storage ? createS3Store(config.storage) : await createDiskStore(join(config.dataDir, "media"));
  const keys = createAccountKeys(config.dataKey);
  return { ...createCommandContext({ db, queue, money, keys, store }, actor), close };
}

function whyClosed(error: unknown, databaseUrl: string | undefined): string {
  const reason = reasonOf(error);
  return databaseUrl
    ? reason
    : `The database cannot be opened: ${reason}.\nThe process that holds the built-in database runs no commands for this user, or is still starting: call as the server's user, or stop it first.`;
}

/** The data directory of the embedded database; null if several processes can open the database. */
function ownDataDir(): string | null {
  try {
    const { databaseUrl, dataDir, dataKey } = readConfig(process.env);
    return databaseUrl || dataKey === "" ? null : dataDir;
  } catch (error) {
    // The command itself reports the faults of the settings.
    if (error instanceof ConfigError) return null;
    throw error;
  }
}

/** The exit code of the command in the server that holds the embedded database; null if it must run here. */
async function runBesideServer(args: string[]): Promise<number | null> {
  const dataDir = ownDataDir();
  if (dataDir === null) return null;
  const outcome = await runInServer(dataDir, { args, operator: systemUser() ?? null }).catch((error: unknown) => {
    throw new AppError("failure", reasonOf(error), { cause: error });
  });
  if (!outcome) return null;
  process.stdout.write(outcome.out);
  process.stderr.write(outcome.err);
  return outcome.exitCode;
}

/** Users of a container may have a number and no name. */
function systemUser(): string | undefined {
  try {
    return userInfo().username;
  } catch {
    return undefined;
  }
}

const args = process.argv.slice(2);
process.exitCode = await runCommandLine(args, {
  runInServer: () => runBesideServer(args),
  open: openCommandContext,
  checks: createOperatorChecks(process.env),
  systemUser,
  print: (text) => process.stdout.write(`${text}\n`),
  printError: (text) => process.stderr.write(`${text}\n`),
});
