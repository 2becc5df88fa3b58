import type { CallName } from "~server/contract/calls/table";
import { calls } from "~server/contract/calls/table";
import { createAccountKeys } from "~server/upstream/accounts/credentials";
import { listAnomalies } from "~server/upstream/billing/anomalies";
import { searchOrders } from "~server/upstream/billing/orders/list";
import type { Services } from "~server/upstream/compose/services";
import type { Db } from "~server/upstream/db/database";
import { createAccountDirectory } from "~server/upstream/operations/account-directory";
import { readTasks } from "~server/upstream/operations/commands/tasks";
import { readDays, readFailures, readWaiting } from "~server/upstream/operations/commands/today";
import { createReviews } from "~server/upstream/square/reviews";
import type { HeavyAccount, ListScale } from "./list-rows";
import { appId } from "./upstream";

export interface ListCall {
  name: string;
  run(): Promise<unknown>;
}

interface ListParts {
  services: Services;
  db: Db;
  heavy: HeavyAccount;
  scale: ListScale;
  dataKey: string;
}

const pageSize = 20;
const deepPage = (rows: number) => Math.floor((rows * 0.8) / pageSize);

/** Every list of the contract and of the operators' commands, as the account with the most rows asks for it. */
export function listCalls({ services, db, heavy, scale, dataKey }: ListParts): ListCall[] {
  const call = (name: string, of: CallName, query: Record<string, string | number> = {}): ListCall => ({
    name,
    async run() {
      const search = new URLSearchParams(
        Object.entries({ pageSize, ...query }).map(([key, value]) => [key, String(value)]),
      );
      const headers = { appid: appId, token: heavy.token };
      const url = `http://upstream/api/v1${calls[of].path}?${search}`;
      const answer = await services.fetch(new Request(url, { headers }));
      const { code, data, msg } = (await answer.json()) as { code: number; data: unknown; msg: string };
      if (code !== 0) throw new Error(`${name}: ${code} ${msg}`);
      return data;
    },
  });
  const shown = Math.floor(scale.roles / 4);
  return [
    call("clones", "cloneList"),
    call("clones, deep page", "cloneList", { page: deepPage(scale.heavyClones) }),
    call("clones that failed", "cloneList", { status: 3 }),
    call("clones, search for one", "cloneList", { keyword: "第4321条" }),
    call("clones, search for many", "cloneList", { keyword: "天气" }),
    call("dubs", "dubList"),
    call("dubs, deep page", "dubList", { page: deepPage(scale.heavyDubs * 0.9) }),
    call("dubs, search", "dubList", { keyword: "第123句" }),
    call("roles", "roleList"),
    call("roles, deep page", "roleList", { page: deepPage(scale.heavyRoles) }),
    call("roles, search", "roleList", { keyword: "明月" }),
    call("square", "squareList"),
    call("square, newest", "squareList", { sort: "newest" }),
    call("square, by name", "squareList", { sort: "name" }),
    call("square, deep page", "squareList", { page: deepPage(shown) }),
    call("square, one category", "squareList", { category: "客服" }),
    call("square, filters, newest", "squareList", { gender: "male", language: "yue", sort: "newest" }),
    call("square, no match", "squareList", { category: "没有" }),
    call("square, search", "squareList", { keyword: "明月" }),
    call("square, search for many", "squareList", { keyword: "天气" }),
    call("square, search for a letter", "squareList", { keyword: "声" }),
    call("square, search for none", "squareList", { keyword: "没有这样的声音" }),
    call("square, search by name", "squareList", { keyword: "林安宁", sort: "name" }),
    call("home page's roles", "squareHome", { size: 12 }),
    call("orders", "orders"),
    call("orders, deep page", "orders", { page: deepPage(scale.heavyOrders) }),
    call("ledger", "ledger"),
    call("ledger, deep page", "ledger", { page: deepPage(scale.heavyClones * 2) }),
    call("shares", "shareList"),
    call("films", "videoList"),
    call("films of a work", "videoList", { sourceId: heavy.id }),
    call("works", "workList"),
    call("works, deep page", "workList", { cursor: `2026-10-01T00:00:00.000000.${heavy.id}` }),
    call("works with a role of one's own", "workList", { roleId: heavy.ownRoleId }),
    call("works with a rare role", "workList", { roleId: heavy.rareRoleId }),
    call("works, search for one", "workList", { keyword: "第4321条" }),
    call("works, search for many", "workList", { keyword: "天气" }),
    call("storage", "storage"),
    call("consent links", "consentLinkList"),
    call("dictionary", "dictionary"),
    call("projects", "projectList", { keyword: "没有" }),
    call("allowance", "allowance"),
    call("products", "products"),
    call("account", "userInfo"),
    ...operatorCalls(db, dataKey, heavy),
  ];
}

function operatorCalls(db: Db, dataKey: string, heavy: HeavyAccount): ListCall[] {
  const people = createAccountDirectory({ db, keys: createAccountKeys(dataKey) });
  const reviews = createReviews({ db, show: async () => {} }, "ops");
  const orders = (name: string, filter: Omit<Parameters<typeof searchOrders>[1], "limit">): ListCall => ({
    name: `operators: ${name}`,
    run: () => searchOrders(db, { limit: 50, ...filter }),
  });
  return [
    { name: "operators: accounts", run: () => people.list({ limit: 50 }) },
    { name: "operators: failed tasks", run: () => readTasks(db, { isFailed: true, limit: 50 }) },
    { name: "operators: tasks of an account", run: () => readTasks(db, { owner: `account:${heavy.id}`, limit: 20 }) },
    orders("orders", {}),
    orders("open orders", { state: "OPEN" }),
    orders("refunded orders", { state: "REFUNDED" }),
    orders("orders of an account", { accountId: heavy.id }),
    orders("orders with an anomaly", { hasAnomalies: true }),
    orders("order by transaction", { number: "transaction1001" }),
    orders("order by id", { number: "00000000-0000-0000-0000-000000000000" }),
    { name: "operators: open anomalies", run: () => listAnomalies(db, { isOpen: true }) },
    { name: "operators: anomalies by number", run: () => listAnomalies(db, { number: "trade1000" }) },
    { name: "operators: reports", run: () => reviews.list() },
  ];
}

const dayMs = 86_400_000;

/** The queries of the operators' first page. */
export function figureCalls(db: Db): ListCall[] {
  const now = new Date();
  return [
    { name: "operators: figures of 30 days", run: () => readDays(db, 30, now) },
    { name: "operators: what waits", run: () => readWaiting(db) },
    { name: "operators: failures of a day", run: () => readFailures(db, new Date(now.getTime() - dayMs)) },
  ];
}
