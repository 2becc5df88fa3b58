import { rm } from "node:fs/promises";
import type { Db } from "../../db/database";
import { AppError } from "../../errors";
import type { JobHandler } from "../../jobs/handler";
import type { SpeechParts } from "../../voices/ports";
import { createGenerationJob, type JobParts } from "../job";
import type { Run } from "../task-runs";
import { createLineSynthesis, type LineParts } from "./line-synthesis";
import { createMix, type Mix } from "./mix";
import { withMusic } from "./music";
import type { PlacedLine } from "./placement";

interface DubJobParts extends LineParts, Pick<JobParts, "roles"> {
  speech: LineParts["speech"] & Pick<SpeechParts, "mixMusic">;
  /** Names a new temporary file in an existing folder. */
  temporaryPath(): string;
}

/** Speaks line by line, stores each finished line for later attempts, and mixes them with the dub's music. */
export function createDubJob(parts: DubJobParts): JobHandler<Run> {
  const { db, renditions, tasks } = parts;
  return createGenerationJob(parts, {
    async make(run, signal) {
      const running = await tasks.findRunning(db, run);
      if (!running) return undefined;
      const { owner } = running;
      const { lines, place } = await createLineSynthesis(parts, { run, owner, signal });
      const rendition = await withMix(parts.temporaryPath(), async (mix) => {
        let before: PlacedLine | undefined;
        for (const line of lines) {
          signal.throwIfAborted();
          before = await withLineNumber(line.number, place(line, before));
          await mix.add(before);
        }
        const speech = { dubId: run.id, sound: await mix.end(), signal };
        return withMusic(parts, speech, (sound) => renditions.make(sound, { owner, exports: true, signal }));
      });
      const contents = lines.map(({ content }) => content);
      return { rendition, contents, roleIds: lines.map(({ role_id }) => role_id) };
    },
    async changeFor(trx, run, error) {
      const failed_at = lineOf(error) ?? (await firstUndone(trx, run.id));
      const isRunning = await tasks.findRunning(trx, run, { lock: true });
      if (isRunning && failed_at !== null) {
        const line = trx.updateTable("dub_line").where("dub_id", "=", run.id).where("number", "=", failed_at);
        await line.set({ status: 3 }).where("status", "=", 1).execute();
      }
      return { failed_at };
    },
  });
}

/** Calls `use` with a mix and removes its file afterwards. */
async function withMix<T>(path: string, use: (mix: Mix) => Promise<T>): Promise<T> {
  const mix = await createMix(path);
  try {
    return await use(mix);
  } finally {
    await mix.close();
    await rm(path, { force: true });
  }
}

/** Adds the line's number to an AppError. */
async function withLineNumber<T>(line: number, work: Promise<T>): Promise<T> {
  return work.catch((cause: unknown) => {
    if (!(cause instanceof AppError)) throw cause;
    throw new AppError(cause.code, `line ${line + 1}: ${cause.message}`, { cause, data: { ...cause.data, line } });
  });
}

function lineOf(error: unknown): number | null {
  const line = error instanceof AppError ? error.data?.line : undefined;
  return typeof line === "number" ? line : null;
}

async function firstUndone(trx: Db, id: string): Promise<number | null> {
  const waiting = trx.selectFrom("dub_line").select("number").where("dub_id", "=", id).where("status", "=", 1);
  return (await waiting.orderBy("number").limit(1).executeTakeFirst())?.number ?? null;
}
