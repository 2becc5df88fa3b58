import type { Db } from "../db/database";
import type { Queue } from "../jobs/queue";
import type { Owner } from "../owner";
import type { Belongings } from "./belongings";
import type { CodeParts } from "./codes";

/** What accounts are made of. */
export interface AccountParts extends CodeParts {
  queue: Queue;
  belongings: Belongings;
  /** Trials used outlive the account under the phone's keyed hash. In the deletion's and the login's transaction. */
  trials: {
    keepForPhone(trx: Db, owner: Owner, phoneHash: string): Promise<void>;
    takeFromPhone(trx: Db, phoneHash: string, owner: Owner): Promise<void>;
  };
}
