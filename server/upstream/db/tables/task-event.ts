import type { ColumnType, Generated } from "kysely";

/** What was told of a task. */
export interface TaskEventTable {
  id: Generated<string>;
  /** Its place in the order in which events became visible; null until somebody looked. */
  number: string | null;
  /** `account:<id>` or `visitor:<id>`. */
  owner: string;
  data: ColumnType<unknown, string, never>;
  created_at: Generated<Date>;
}
