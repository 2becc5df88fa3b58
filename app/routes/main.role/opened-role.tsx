import { Link } from "@remix-run/react";
import { roleDetailCopy, roleListCopy } from "~/copy/roles";
import { siteCopy } from "~/copy/site";
import { useHasCall } from "~/offer";
import { paths } from "~/paths";
import { Button, buttonClass } from "~/ui/button";
import { Badge } from "~/ui/chip";
import { Icon } from "~/ui/icons/icon";
import { ToolIcon } from "~/ui/icons/tool-icon";
import { useKeptFocus } from "~/ui/use-kept-focus";
import type { Role } from "~server/bff/roles.server";
import { RetryRole } from "./retry-role";
import { Tags } from "./role-facts";
import { RoleState } from "./role-state";
import { Speaker } from "./speaker";
import { useLearning } from "./use-learning";
import { useRoleActions } from "./use-role-actions";
import { VoiceFacts } from "./voice-facts";

/** A digital human of one's own, face to face: it speaks its preview, and everything one may do with it stands beside. */
export function OpenedRole({ role }: { role: Role }) {
  const learning = useLearning([role])(role.roleId);
  const isReady = role.status === 2;
  return (
    <div className="mx-auto max-w-page px-4 py-6 md:px-6 md:py-10">
      <Link className={`-ml-4 ${buttonClass({ kind: "quiet" })}`} to={paths.role}>
        <ToolIcon name="back" size={18} />
        {roleListCopy.back}
      </Link>
      <div className="mt-3 grid grid-cols-[minmax(0,1fr)] gap-6 md:grid-cols-[minmax(0,1.15fr)_minmax(0,1fr)] md:gap-10">
        <Speaker human={role} />
        <div className="grid min-w-0 content-start gap-4">
          <div>
            <div className="flex flex-wrap items-center gap-3">
              <h1 className="min-w-0 break-words font-song text-2xl font-semibold md:text-3xl">{role.name}</h1>
              <Badge>{siteCopy.aiBadge}</Badge>
            </div>
            {role.describe && <p className="mt-1 break-words text-muted">{role.describe}</p>}
          </div>
          <Tags tags={role.tags} />
          <RoleState learning={learning} role={role} />
          {role.isUnderReview && <p className="text-sm text-muted">{roleListCopy.states.reviewNote}</p>}
          {isReady && <Uses roleId={role.roleId} />}
          {role.status === 3 && <Again role={role} />}
          <VoiceFacts role={role} />
          <Manage role={role} />
        </div>
      </div>
    </div>
  );
}

function Uses({ roleId }: { roleId: string }) {
  return (
    <div className="flex flex-wrap gap-3">
      <Link className={buttonClass({ kind: "primary" })} to={paths.cloneWith(roleId)}>
        <Icon name="mic" size={18} />
        {roleDetailCopy.use}
      </Link>
      <Link className={buttonClass()} to={paths.dubbingWith(roleId)}>
        <Icon name="script" size={18} />
        {roleDetailCopy.dub}
      </Link>
    </div>
  );
}

function Again({ role }: { role: Role }) {
  return (
    <div className="flex flex-wrap gap-3">
      <RetryRole role={role} />
      <Link className={buttonClass()} to={paths.roleNew({ name: role.name })}>
        <Icon name="mic" size={18} />
        {roleDetailCopy.again}
      </Link>
    </div>
  );
}

function Manage({ role }: { role: Role }) {
  const { pending, publish, withdraw, remove } = useRoleActions(role);
  const group = useKeptFocus<HTMLDivElement>();
  const canEdit = useHasCall("roleUpdate");
  const canPublish = useHasCall("rolePublish");
  const isPublishing = pending === "publish";
  return (
    <div className="-mx-4 flex flex-wrap" ref={group}>
      {canEdit && (
        <Link className={buttonClass({ kind: "quiet" })} to={paths.roleEdited(role.roleId)}>
          <ToolIcon name="pencil" size={18} />
          {roleDetailCopy.edit}
        </Link>
      )}
      {!canPublish ? null : role.isPublic ? (
        <Button kind="quiet" onClick={withdraw} pending={isPublishing}>
          {!isPublishing && <ToolIcon name="eyeOff" size={18} />}
          {roleDetailCopy.withdraw}
        </Button>
      ) : (
        role.status === 2 && (
          <Button kind="quiet" onClick={publish} pending={isPublishing}>
            {!isPublishing && <ToolIcon name="globe" size={18} />}
            {roleDetailCopy.publish}
          </Button>
        )
      )}
      <Button className="hover:!text-seal" kind="quiet" onClick={remove} pending={pending === "remove"}>
        {pending !== "remove" && <ToolIcon name="bin" size={18} />}
        {roleDetailCopy.remove}
      </Button>
    </div>
  );
}
