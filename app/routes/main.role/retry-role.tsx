import { roleDetailCopy } from "~/copy/roles";
import { useHasCall } from "~/offer";
import { Button } from "~/ui/button";
import { Icon } from "~/ui/icons/icon";
import type { Role } from "~server/bff/roles.server";
import { useRoleActions } from "./use-role-actions";

/** Has a voice learned again that could not be learned; the recording is still there. */
export function RetryRole({ role }: { role: Role }) {
  const { pending, retry } = useRoleActions(role);
  const isPending = pending === "retry";
  const canRetry = useHasCall("taskRetry");
  if (!canRetry) return null;
  return (
    <Button className="relative z-[1]" kind="primary" onClick={retry} pending={isPending}>
      {!isPending && <Icon name="retake" size={18} />}
      {roleDetailCopy.retry}
    </Button>
  );
}
