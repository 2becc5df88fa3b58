import type { Billing } from "../billing/billing";
import type { Trials } from "../generations/trials/trials";
import type { createMediaFiles } from "../media/files";
import type { Owner } from "../voices/ports";
import type { Recordings } from "../voices/recordings";
import type { createRenditions } from "../voices/renditions";

/** One page of all there is. */
const everything = { page: 1, pageSize: 100_000 };

/** What an export tells of an account beside its files. */
export const recordsOf = (billing: Billing, { recordings, trials }: { recordings: Recordings; trials: Trials }) => ({
  membership: (id: string) => billing.membership(id),
  orders: (id: string) => billing.orders(id, everything),
  ledger: (id: string) => billing.ledger(id, everything),
  recordings: (id: string) => recordings.listOf(`account:${id}`),
  trials: (id: string) => trials.listOf(`account:${id}`),
});

interface Keeping {
  files: ReturnType<typeof createMediaFiles>;
  renditions: ReturnType<typeof createRenditions>;
}

/** What people may take along: all but the files to listen to, which lack the audible mark. */
export async function keepable(owner: Owner, { files, renditions }: Keeping) {
  const unmarked = await renditions.playIdsOf(owner);
  return (await files.listOf(owner)).filter(({ id }) => !unmarked.has(id));
}
