import { charactersFree, charactersSvip, charactersVip, trialMax } from "~server/contract/limits";
import type { Db } from "../../db/database";
import type { Spending } from "../../voices/ports";
import { releaseTrial, takeTrial, usedTrials } from "./allowance";

type Tier = "vip" | "svip";

/** What members' generations cost and have; billing keeps it. */
interface MemberParts {
  db: Db;
  tierOf(accountId: string): Promise<Tier | null>;
  leftOf(accountId: string): Promise<number>;
  reserve(trx: Db, task: { accountId: string; characters: number; taskId: string }): Promise<void>;
  settle(trx: Db, taskId: string): Promise<boolean>;
  release(trx: Db, taskId: string): Promise<boolean>;
}

const limits: Record<Tier, number> = { vip: charactersVip, svip: charactersSvip };

/** Members pay with characters; every generation of an account without a tier is one of its three trials, unless nothing of it is to be paid. */
export function createSpending({ db, tierOf, leftOf, ...characters }: MemberParts): Spending {
  return {
    async allowanceOf(accountId) {
      const tier = await tierOf(accountId);
      if (tier) return { tier, limit: limits[tier], left: await leftOf(accountId) };
      return { tier, limit: charactersFree, left: trialMax - (await usedTrials(db, `account:${accountId}`)) };
    },
    async reserve(trx, task) {
      if (task.tier) return characters.reserve(trx, task);
      if (task.characters === 0) return;
      const { accountId, taskId } = task;
      await takeTrial(trx, { owner: `account:${accountId}`, address: "" });
      await trx.insertInto("trial_hold").values({ task_id: taskId, account_id: accountId }).execute();
    },
    async settle(trx, taskId) {
      if (await characters.settle(trx, taskId)) return;
      await takeHold(trx, taskId);
    },
    async release(trx, taskId) {
      if (await characters.release(trx, taskId)) return;
      const held = await takeHold(trx, taskId);
      if (held) await releaseTrial(trx, { owner: `account:${held.account_id}`, address: "", day: "" });
    },
  };
}

const takeHold = (trx: Db, taskId: string) =>
  trx.deleteFrom("trial_hold").where("task_id", "=", taskId).returning("account_id").executeTakeFirst();
