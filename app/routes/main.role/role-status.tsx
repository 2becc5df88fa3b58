import { useRevalidator } from "@remix-run/react";
import { useState } from "react";
import { proofStateCopy } from "~/copy/proof";
import { learningFailureSentence, roleDetailCopy, roleListCopy } from "~/copy/roles";
import { useTaskEvents } from "~/features/tasks/task-events";
import { useHasCall } from "~/state/capabilities";
import { Badge, Button } from "~/ui/button";
import { ProgressBar } from "~/ui/feedback";
import { Icon } from "~/ui/icons/icon";
import type { Role } from "~server/bff/roles.server";
import { useRoleActions } from "./use-role-actions";

/** Progress of learning a voice, from its latest task event. */
interface LearningProgress {
  /** 0–1. */
  progress: number;
  queuePos: number;
}

/** Returns the learning progress of a role; reloads the page when learning ends or events may have been missed. */
export function useLearningProgress(roles: readonly Role[]) {
  const { revalidate } = useRevalidator();
  const [byRole, setByRole] = useState<ReadonlyMap<string, LearningProgress>>(new Map());
  const isBusy = roles.some(({ status }) => status === 1);
  useTaskEvents(
    ({ kind, taskId, status, progress, queuePos }) => {
      if (kind !== "role") return;
      if (status === 1) setByRole((now) => new Map(now).set(taskId, { progress, queuePos }));
      else revalidate();
    },
    { onStale: revalidate, isWatching: isBusy, isBusy },
  );
  return (roleId: string) => byRole.get(roleId);
}

export interface RoleStatusProps {
  role: Role;
  learning: LearningProgress | undefined;
}

/** The status of a role: learning, failed with the reason, public or under review. */
export function RoleStatus({ role, learning }: RoleStatusProps) {
  const { states } = roleListCopy;
  if (role.status === 1) {
    const { progress = 0, queuePos = 0 } = learning ?? {};
    return (
      <div className="grid gap-1.5">
        <p className="text-xs text-muted">{queuePos > 0 ? states.queued(queuePos) : states.learning}</p>
        <ProgressBar label={states.bar(role.name)} value={queuePos === 0 && progress > 0 ? progress : null} />
      </div>
    );
  }
  if (role.status === 3)
    return (
      <p className="text-xs text-seal">
        <strong className="font-semibold">{states.failed}</strong> <span>{learningFailureSentence(role.reason)}</span>
      </p>
    );
  const isShown = role.isPublic || role.isUnderReview;
  const { proof } = role;
  const openProof = proof === "judging" || proof === "asked" || proof === "declined" ? proof : null;
  if (!isShown && !openProof) return null;
  return (
    <div className="flex flex-wrap gap-1.5">
      {isShown && <Badge>{role.isUnderReview ? states.review : states.public}</Badge>}
      {openProof && <Badge>{proofStateCopy.badge[openProof]}</Badge>}
    </div>
  );
}

/** Learns a voice again after a failure; the upstream still has the recording. */
export function RetryButton({ role }: { role: Role }) {
  const { pending, retry } = useRoleActions(role);
  if (!useHasCall("taskRetry")) return null;
  return (
    <Button
      className="relative z-[1]"
      icon={<Icon name="retake" size={18} />}
      kind="primary"
      onClick={retry}
      pending={pending === "retry"}
    >
      {roleDetailCopy.retry}
    </Button>
  );
}
