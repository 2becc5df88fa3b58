/** State of an account of a specification-only upstream. */
export interface SpecificationAccount {
  phone: string;
  vipExpire: number;
  svipExpire: number;
  tryNum: number;
  roles: Array<{ number: number; name: string; url: string }>;
  clones: Made[];
  dubs: Made[];
}

interface Made {
  number: number;
  content?: unknown;
  title?: unknown;
  lines?: unknown;
  roleId?: unknown;
  /** Missing until it is done; there is no status. */
  url?: string;
}

/** Number of reads before its file exists. */
const readsUntilDone = 1;
const monthSeconds = 30 * 86_400;

export type SpecificationState = ReturnType<typeof createSpecificationState>;

/** Accounts, records and orders of a specification-only upstream, in memory; file addresses start with `fileBase`. */
export function createSpecificationState(fileBase: string) {
  let last = 0;
  const next = () => ++last;
  const accounts = new Map<string, SpecificationAccount>();
  const phones = new Map<string, SpecificationAccount>();
  const orders = new Map<string, { owner: SpecificationAccount; pCode: string; asked: number }>();
  const reads = new Map<number, number>();
  const newFile = () => `${fileBase}${next()}.wav`;
  const newAccount = (phone: string): SpecificationAccount => ({
    ...{ phone, vipExpire: 0, svipExpire: 0, tryNum: 0 },
    ...{ roles: [], clones: [], dubs: [] },
  });
  const people = ["林小满", "沈砚"].map((name) => ({ number: next(), name, url: newFile() }));

  return {
    visitor: newAccount(""),
    people,
    newFile,
    orders,
    products: [
      productOf({ pCount: 1, tagMark: "月卡", price: 3900, packageType: 1, pCode: "vip-month" }),
      productOf({ pCount: 2, tagMark: "月卡", price: 9900, packageType: 2, pCode: "svip-month" }),
    ],
    accountOf: (token: string) => accounts.get(token),
    logIn(phone: string): string {
      const account = phones.get(phone) ?? newAccount(phone);
      phones.set(phone, account);
      const token = `token-${next()}`;
      accounts.set(token, account);
      return token;
    },
    logOut(token: string): null {
      accounts.delete(token);
      return null;
    },
    infoOf: ({ phone, vipExpire, svipExpire, tryNum }: SpecificationAccount) => ({
      ...{ phone, vipExpire, svipExpire, tryNum },
      isMonthly: false,
    }),
    order(owner: SpecificationAccount, pCode: string) {
      const orderId = `order-${next()}`;
      orders.set(orderId, { owner, pCode, asked: 0 });
      return { orderId, url: `weixin://wxpay/bizpayurl?pr=${orderId}` };
    },
    /** Paid at the second query. */
    pay(orderId: string): string {
      const order = orders.get(orderId);
      if (!order || ++order.asked < 2) return "waiting";
      const tier = order.pCode.startsWith("svip") ? "svipExpire" : "vipExpire";
      order.owner[tier] = Math.floor(Date.now() / 1000) + monthSeconds;
      return "success";
    },
    addRole(owner: SpecificationAccount, name: string, url: string) {
      const role = { number: next(), name, url };
      owner.roles.unshift(role);
      return role;
    },
    make(owner: SpecificationAccount, kind: "clones" | "dubs", body: Record<string, unknown>): Made {
      const { content, roleId, title, lines } = body;
      const record = { number: next(), content, roleId, title, lines };
      owner[kind].unshift(record);
      return record;
    },
    remove(owner: SpecificationAccount, kind: "roles" | "clones" | "dubs", isWanted: (number: number) => boolean) {
      const records: Array<{ number: number }> = owner[kind];
      for (const record of [...records]) if (isWanted(record.number)) records.splice(records.indexOf(record), 1);
    },
    /** The current records: each gets its file after one read. */
    finished(records: Made[]): Made[] {
      for (const record of records) {
        const count = reads.get(record.number) ?? 0;
        reads.set(record.number, count + 1);
        if (count >= readsUntilDone) record.url ??= newFile();
      }
      return records;
    },
    try(owner: SpecificationAccount): number {
      owner.tryNum += 1;
      reads.set(owner.tryNum, 0);
      return next();
    },
    /** The newest trial without its id: empty at first, then with its file. */
    trialOf(owner: SpecificationAccount): { url: string; duration: number } | null {
      const count = reads.get(-owner.tryNum) ?? 0;
      reads.set(-owner.tryNum, count + 1);
      return count >= readsUntilDone ? { url: newFile(), duration: 2 } : null;
    },
  };
}

const productOf = (fields: { pCount: number; tagMark: string; price: number; packageType: number; pCode: string }) => ({
  ...fields,
  ...{ discountMark: "按月", cornerMark: "", usedChar: 5 },
});
