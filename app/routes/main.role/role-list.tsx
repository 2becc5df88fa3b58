import { Form, Link } from "@remix-run/react";
import { rolePageCopy } from "~/copy/pages";
import { roleListCopy } from "~/copy/roles";
import { useAccount } from "~/features/account/provider";
import { LevelRing } from "~/features/player/level-ring";
import { usePreviews } from "~/features/player/use-previews";
import { HumanCard } from "~/features/portrait/picture";
import { useTheme } from "~/features/theme/theme";
import { paths } from "~/paths";
import { useHasCall } from "~/state/capabilities";
import { buttonClass } from "~/ui/button";
import { Notice, Tags } from "~/ui/card";
import { LiveRegion } from "~/ui/feedback";
import { ToolIcon } from "~/ui/icons/tool-icon";
import { KeywordInput, Pager } from "~/ui/pager";
import type { Role, RoleView } from "~server/bff/roles.server";
import { rolesFree } from "~server/contract/limits";
import { WithdrawnNotices } from "./consent-links";
import { RetryButton, RoleStatus, type RoleStatusProps, useLearningProgress } from "./role-status";

type ListView = Extract<RoleView, { kind: "list" }>;

/** The account's own roles. */
export function RoleList({ view }: { view: ListView }) {
  const { roles, total, keyword, isUncounted } = view;
  const count = keyword ? roleListCopy.found(total, keyword) : roleListCopy.count(total);
  return (
    <div className="mx-auto max-w-page px-4 py-8 md:px-6 md:py-12">
      <div className="flex flex-wrap items-start justify-between gap-4">
        <div className="min-w-0">
          <h1 className="font-song text-2xl font-semibold md:text-3xl">{rolePageCopy.heading}</h1>
          {!isUncounted && <RoleCount total={total} keyword={keyword} />}
        </div>
        {(total > 0 || keyword) && (
          <Link className={buttonClass({ kind: "primary" })} to={paths.roleNew()}>
            <ToolIcon name="plus" size={18} />
            {roleListCopy.create}
          </Link>
        )}
      </div>
      {(total > 0 || keyword) && <Search keyword={keyword} />}
      <WithdrawnNotices />
      <LiveRegion>{isUncounted ? "" : count}</LiveRegion>
      <div className="mt-6">
        {roles.length > 0 && <h2 className="sr-only">{roleListCopy.list}</h2>}
        {roles.length > 0 && <Cards roles={roles} />}
        {roles.length === 0 && keyword && <Notice {...roleListCopy.nothingFound} to={paths.role} />}
        {roles.length === 0 && !keyword && <Notice {...roleListCopy.empty} isPrimary to={paths.roleNew()} />}
      </div>
      <Pager
        isOpen={isUncounted}
        last={Math.ceil(total / view.pageSize)}
        page={view.page}
        to={(page) => pageUrl(keyword, page)}
        words={roleListCopy}
      />
    </div>
  );
}

/** The number of roles; for free accounts with the limit. */
function RoleCount({ total, keyword }: { total: number; keyword: string }) {
  const { account } = useAccount();
  const isLimited = useHasCall("allowance") && !account.isVip && !account.isSvip;
  const ofAll = isLimited ? roleListCopy.freeUsed(total, rolesFree) : roleListCopy.count(total);
  return <p className="mt-1 text-muted">{keyword ? roleListCopy.found(total, keyword) : ofAll}</p>;
}

function Search({ keyword }: { keyword: string }) {
  return (
    <Form action={paths.role} className="mt-6" replace={keyword !== ""} role="search">
      <KeywordInput className="md:max-w-[420px]" keyword={keyword} label={roleListCopy.search} />
    </Form>
  );
}

function Cards({ roles }: { roles: readonly Role[] }) {
  const { listen, stateOf } = usePreviews();
  const { colorMode } = useTheme();
  const progressOf = useLearningProgress(roles);
  return (
    <ul aria-label={roleListCopy.list} className="human-grid">
      {roles.map((role) => (
        <li key={role.roleId}>
          <HumanCard
            colorMode={colorMode}
            human={role}
            onListen={listen}
            ring={role.avatar && <LevelRing />}
            {...stateOf(role)}
          >
            <RoleFacts learning={progressOf(role.roleId)} role={role} />
          </HumanCard>
        </li>
      ))}
    </ul>
  );
}

const pageUrl = (keyword: string, page: number) =>
  `${paths.role}?${new URLSearchParams({ ...(keyword && { keyword }), page: String(page) })}`;

/** The lower part of a role's card. */
function RoleFacts({ role, learning }: RoleStatusProps) {
  return (
    <div className="grid gap-2">
      {role.tags.length > 0 && <Tags tags={role.tags} />}
      <RoleStatus learning={learning} role={role} />
      {role.status === 3 && <RetryButton role={role} />}
      <div className="flex flex-wrap items-center justify-between gap-x-2">
        <span className="tabular text-xs text-muted">
          {role.useNum !== null && role.useNum > 0 && roleListCopy.uses(role.useNum)}
        </span>
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
