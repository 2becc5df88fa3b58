import { Link } from "@remix-run/react";
import { roleListCopy, voiceMeasuresCopy } from "~/copy/roles";
import { siteCopy } from "~/copy/site";
import { paths } from "~/paths";
import { buttonClass } from "~/ui/button";
import type { Role } from "~server/bff/roles.server";
import { RetryRole } from "./retry-role";
import { type Learning, RoleState } from "./role-state";

/** The lower part of a role's card: tags, what was measured, how often it was used, where it stands, the way in. */
export function RoleFacts({ role, learning }: { role: Role; learning: Learning | undefined }) {
  const { measured } = role;
  return (
    <div className="grid gap-2">
      <Tags tags={role.tags} />
      <RoleState learning={learning} role={role} />
      {role.status === 3 && <RetryRole role={role} />}
      {measured && (
        <p className="tabular text-xs text-muted" title={siteCopy.engine}>
          {voiceMeasuresCopy.inShort(measured.pitchHz, measured.pitchRangeSt)}
        </p>
      )}
      <div className="flex flex-wrap items-center justify-between gap-x-2">
        <span className="tabular text-xs text-muted">{role.useNum !== null && roleListCopy.uses(role.useNum)}</span>
        <Link
          aria-label={roleListCopy.open(role.name)}
          className={`relative z-[1] ${buttonClass({ kind: "outline" })}`}
          to={paths.roleOpened(role.roleId)}
        >
          {roleListCopy.opened}
        </Link>
      </div>
    </div>
  );
}

export function Tags({ tags }: { tags: readonly string[] }) {
  if (tags.length === 0) return null;
  return (
    <ul className="flex h-6 flex-wrap gap-1.5 overflow-hidden">
      {tags.map((tag) => (
        <li className="rounded-full bg-wash px-2 text-xs leading-6 text-muted" key={tag}>
          {tag}
        </li>
      ))}
    </ul>
  );
}
