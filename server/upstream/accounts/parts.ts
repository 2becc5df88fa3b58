import type { Queue } from "../jobs/queue";
import type { Belongings } from "./belongings";
import type { CodeParts } from "./codes";

/** What accounts are made of. */
export interface AccountParts extends CodeParts {
  queue: Queue;
  belongings: Belongings;
}
