import { rm } from "node:fs/promises";
import { sql } from "kysely";
import type { ErrorCode } from "~server/contract/codes";
import type { Db } from "../../db/database";
import { AppError } from "../../errors";
import type { JobHandler } from "../../jobs/handler";
import type { Run } from "../paid-task";
import type { PlacedLine } from "./assembly";
import { createLineWork } from "./line-work";
import { createMix, type Mix } from "./mix";
import type { DubParts } from "./parts";

/**
 * Speaks line by line, each kept as soon as it is done so that no other attempt makes it again, and puts them together; a
 * dub that fails gives back what it held, and its lines wait for the retry.
 */
export function createDubJob(parts: DubParts): JobHandler<Run> {
  const { db, renditions, spending, roles, task } = parts;
  return {
    async run(payload, { signal }) {
      const dub = await task.findRunning(db, payload);
      if (!dub) return undefined;
      const { owner } = dub;
      const work = await createLineWork(parts, { payload, owner, signal });
      const rendition = await mixed(parts, async (mix) => {
        let before: PlacedLine | undefined;
        for (const line of work.lines) {
          signal.throwIfAborted();
          before = await naming(line.number, work.place(line, before));
          await mix.add(before);
        }
        return renditions.make(await mix.end(), { owner, exports: true, signal });
      });
      const discard = () => renditions.discard(rendition);
      let isWanted = false;
      return {
        facts: renditions.factsOf(
          rendition,
          work.lines.map(({ content }) => content),
        ),
        async write(trx) {
          const found = await task.findRunning(trx, payload, { lock: true });
          // Cancelled or deleted meanwhile, and given back.
          if (!found) return;
          isWanted = true;
          const rendition_id = await renditions.insert(trx, rendition);
          const done = { status: 2, rendition_id, settled_at: sql<Date>`now()` } as const;
          await trx.updateTable("dub").set(done).where("id", "=", payload.id).execute();
          await spending.settle(trx, payload.id);
          // In one order everywhere: two dubs with the same roles never wait for each other.
          for (const roleId of [...new Set(work.lines.map((line) => line.role_id))].sort())
            await roles.countUse(trx, roleId);
          await task.tell(trx, payload.id);
        },
        written: async () => {
          if (!isWanted) await discard();
        },
        discard,
      };
    },
    async failed(trx, payload, error) {
      const failed_at = lineOf(error) ?? (await firstUndone(trx, payload.id));
      const change = { status: 3, msg: codeOf(error), failed_at, settled_at: sql<Date>`now()` } as const;
      if (!(await task.changeRunning(trx, payload, change))) return;
      if (failed_at !== null) {
        const line = trx.updateTable("dub_line").where("dub_id", "=", payload.id).where("number", "=", failed_at);
        await line.set({ status: 3 }).where("status", "=", 1).execute();
      }
      await spending.release(trx, payload.id);
      await task.tell(trx, payload.id);
    },
    isFinal: (error) => error instanceof AppError,
  };
}

/** Work with a mix whose file is gone when the work has ended. */
async function mixed<T>({ temporaryPath }: DubParts, work: (mix: Mix) => Promise<T>): Promise<T> {
  const path = temporaryPath();
  const mix = await createMix(path);
  try {
    return await work(mix);
  } finally {
    await mix.close();
    await rm(path, { force: true });
  }
}

/** What a line ends with says which line it was. */
async function naming<T>(line: number, work: Promise<T>): Promise<T> {
  return work.catch((cause: unknown) => {
    if (!(cause instanceof AppError)) throw cause;
    throw new AppError(cause.code, `line ${line + 1}: ${cause.message}`, { cause, data: { ...cause.data, line } });
  });
}

const codeOf = (error: unknown): ErrorCode => (error instanceof AppError ? error.code : "synthesis-failed");

function lineOf(error: unknown): number | null {
  const line = error instanceof AppError ? error.data?.line : undefined;
  return typeof line === "number" ? line : null;
}

async function firstUndone(trx: Db, id: string): Promise<number | null> {
  const waiting = trx.selectFrom("dub_line").select("number").where("dub_id", "=", id).where("status", "=", 1);
  return (await waiting.orderBy("number").limit(1).executeTakeFirst())?.number ?? null;
}
