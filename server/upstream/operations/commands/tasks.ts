import { type RawBuilder, sql } from "kysely";
import type { Db } from "../../db/database";
import { AppError } from "../../errors";
import { cutPage, defineOperation, fieldOf, pageFields, pageSize, toSection } from "../operation";

interface TaskRow {
  id: string;
  kind: "clone" | "dub" | "video";
  owner: string;
  status: 1 | 2 | 3;
  msg: string | null;
  created_at: Date;
}

const tables = ["clone", "dub", "video"] as const;
const states = { 1: "running", 2: "done", 3: "failed" } as const;

interface TaskFilter {
  owner?: string;
  isFailed?: boolean;
  after?: string | undefined;
  limit: number;
}

const all = (where: RawBuilder<unknown>) => {
  const parts = tables.map(
    (table) => sql`select id, ${table}::text as kind, owner, status, msg, created_at from ${sql.table(table)} ${where}`,
  );
  return sql`(${sql.join(parts, sql` union all `)})`;
};

/** Tasks of all kinds, newest first. Each table is read by its own index, a page of each at most. */
export async function readTasks(db: Db, { owner, isFailed, after, limit }: TaskFilter): Promise<TaskRow[]> {
  const last = sql`(select created_at from ${all(sql`where id = ${after}`)} last)`;
  const conditions = [
    sql`true`,
    ...(owner === undefined ? [] : [sql`owner = ${owner}`]),
    ...(isFailed ? [sql`status = 3`] : []),
    ...(after === undefined ? [] : [sql`created_at <= ${last} and (created_at < ${last} or id > ${after})`]),
  ];
  const parts = tables.map(
    (table) => sql`(select id, ${table}::text as kind, owner, status, msg, created_at from ${sql.table(table)}
      where ${sql.join(conditions, sql` and `)} order by created_at desc, id limit ${limit})`,
  );
  const { rows } = await sql<TaskRow>`select * from (${sql.join(parts, sql` union all `)}) task
    order by created_at desc, id limit ${limit}`.execute(db);
  return rows;
}

const findTask = async (db: Db, id: string): Promise<TaskRow | undefined> =>
  (await sql<TaskRow>`select * from ${all(sql`where id = ${id}`)} task`.execute(db)).rows[0];

export const taskSection = (rows: TaskRow[], next: string | null = null) =>
  toSection(
    "tasks",
    "taskId=task kind state reason accountId=account createdAt:time=created",
    rows.map(({ id, kind, owner, status, msg, created_at }) => ({
      ...{ taskId: id, kind, state: states[status], reason: msg },
      ...{ accountId: owner.replace(/^account:/, ""), createdAt: created_at },
    })),
    {
      acts: [
        { name: "task-retry", fill: { task: "taskId" }, when: "reason" },
        { name: "person", fill: { who: "accountId" } },
      ],
      next,
    },
  );

/** The job that runs a failed task again; run by a worker, which knows the task's price. */
const taskRetryKind = "task-retry";

export const taskOperations = [
  defineOperation({
    name: "tasks",
    summary: "list failed tasks with their reasons, newest first",
    cli: { words: ["tasks", "list"], isDefault: true },
    roles: ["support"],
    isRead: true,
    fields: pageFields(1000),
    async run({ db }, { limit = pageSize, after }) {
      const page = cutPage(await readTasks(db, { isFailed: true, after, limit: limit + 1 }), limit);
      return { sections: [taskSection(page.rows, page.next)], empty: "no failed tasks" };
    },
  }),
  defineOperation({
    name: "task-retry",
    summary: "run a failed task again, at its owner's cost as if they had asked for it",
    cli: { words: ["tasks", "retry"], takes: ["task"] },
    roles: ["support"],
    fields: { task: fieldOf.id("TASK", "a task's id") },
    async run({ operations, queue }, { task }) {
      const detail = (kind: string) => ({ kind });
      await operations.audited("retry-task", { target: task, detail }, async (trx) => {
        const found = await findTask(trx, task);
        if (!found) throw new AppError("not-found", "no such task");
        if (found.status !== 3) throw new AppError("bad-request", `the task is ${states[found.status]}`);
        const payload = { owner: found.owner, taskId: task };
        await queue.enqueue(trx, { kind: taskRetryKind, key: task, payload, maxAttempts: 1, priority: 20 });
        return found.kind;
      });
      queue.wake();
      return { data: { taskId: task }, message: `${task} runs again as soon as a worker has read it` };
    },
  }),
];
