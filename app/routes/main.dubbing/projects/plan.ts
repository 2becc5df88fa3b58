import { firstProjectId, type Project } from "./current";

/** A project of the account, as the account lists it. */
export interface ListedProject extends Omit<Project, "account"> {
  revision: number;
}

export type ProjectStep =
  /** Both documents become one; `isLost`: the account has it no longer, and gets it anew. */
  | { act: "sync"; id: string; isLost?: boolean }
  /** The list of this browser takes over what the account lists. */
  | { act: "list"; listed: ListedProject }
  /** In the account. */
  | { act: "delete" | "restore"; id: string }
  /** From this browser. */
  | { act: "remove"; id: string };

/** What brings the projects of this browser and those of the account together. Nothing that was written here is lost. */
export function planProjects(own: readonly Project[], listed: readonly ListedProject[]): ProjectStep[] {
  const inBrowser = new Map(own.map((project) => [project.id, project]));
  const inAccount = new Map(listed.map((project) => [project.id, project]));
  const ids = new Set([...inBrowser.keys(), ...inAccount.keys()]);
  return [...ids].flatMap((id) => stepOf(inBrowser.get(id), inAccount.get(id)) ?? []);
}

function stepOf(own: Project | undefined, listed: ListedProject | undefined): ProjectStep | null {
  if (!own) return listed ? { act: "list", listed } : null;
  const { id, account } = own;
  // Every browser from before there were several projects has one of this name.
  if (id === firstProjectId) return null;
  if (own.deletedAt !== undefined) return stepOfDeleted(own, listed);
  // An empty script without a title takes no place in the account.
  if (!account && !listed) return own.lines > 0 || own.title ? { act: "sync", id } : null;
  if (!listed) return { act: "sync", id, isLost: true };
  const isChanged = account?.at !== own.updatedAt;
  if (listed.deletedAt !== undefined) {
    if (account?.isDeleted) return { act: "restore", id };
    return isChanged ? { act: "sync", id } : { act: "list", listed };
  }
  if (isChanged) return { act: "sync", id };
  return listed.revision === account?.revision ? null : { act: "list", listed };
}

function stepOfDeleted({ id, account }: Project, listed: ListedProject | undefined): ProjectStep | null {
  if (!listed) return account ? { act: "remove", id } : null;
  if (listed.deletedAt !== undefined) return account?.isDeleted ? null : { act: "list", listed };
  // A deletion that the account knew was undone on another device.
  return account?.isDeleted ? { act: "list", listed } : { act: "delete", id };
}
