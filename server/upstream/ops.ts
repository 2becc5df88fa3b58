import { userInfo } from "node:os";
import pino from "pino";
import { ConfigError, readConfig } from "../config";
import { createAccountKeys } from "./accounts/keys";
import { type Actor, createOperations } from "./billing/operations";
import { openDatabase, placeOf } from "./db/connection";
import { createOnce } from "./db/once";
import { seedProducts } from "./db/seed/products";
import { AppError } from "./errors";
import { openHouse } from "./house";
import { createQueue } from "./jobs/queue";
import { showFiles } from "./media/files";
import { createMoney } from "./money";
import { runCommandLine } from "./ops/command-line";
import { createPeople } from "./ops/people";
import { createReviews } from "./square/reviews";
import { createShowRole } from "./voices/roles/showing";

/** The operators' command line beside the server: the same settings, the same database, no worker. */
async function openOffice(actor: Actor) {
  const config = readConfig(process.env);
  if (config.dataKey === "") {
    throw new ConfigError(["API_BASE_URL or ROLE=web: accounts and orders are another upstream's, operate them there"]);
  }
  const { db, close } = await openDatabase(placeOf(config)).catch((error: unknown) => {
    throw new AppError("failure", whyClosed(error, config.databaseUrl), { cause: error });
  });
  await seedProducts(db);
  const queue = createQueue();
  // To the error output: the answer may be read by a program.
  const log = pino({ level: config.logLevel, name: "ops" }, pino.destination({ dest: 2, sync: true }));
  const { billing, gateways } = await createMoney({ db, queue, once: createOnce(db) }, { config, log });
  const now = () => new Date();
  const reconcile: typeof billing.reconcile = async (day, signal) => {
    if (Object.keys(gateways).length > 0) return billing.reconcile(day, signal);
    throw new AppError("failure", "no gateway is set up: there is nothing to compare with");
  };
  return {
    operations: createOperations({ db, queue, now, gateways, reconcile }, actor),
    billing,
    people: createPeople({ db, keys: createAccountKeys(config.dataKey) }),
    reviews: createReviews({ db, show: createShowRole({ show: showFiles }) }, actor.operator),
    close,
  };
}

function whyClosed(error: unknown, databaseUrl: string | undefined): string {
  const reason = error instanceof Error ? error.message || ("code" in error && String(error.code)) : String(error);
  return databaseUrl
    ? `The database cannot be reached: ${reason}`
    : `The database cannot be opened: ${reason}.\nThe built-in database is one process's alone: stop the server first, or use DATABASE_URL, where both can work.`;
}

/** Users of a container may have a number and no name. */
function systemUser(): string | undefined {
  try {
    return userInfo().username;
  } catch {
    return undefined;
  }
}

process.exitCode = await runCommandLine(process.argv.slice(2), {
  open: openOffice,
  house: openHouse(process.env),
  systemUser,
  print: (text) => process.stdout.write(`${text}\n`),
  complain: (text) => process.stderr.write(`${text}\n`),
});
