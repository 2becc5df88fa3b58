import { learningFailureSentence, roleListCopy } from "~/copy/roles";
import { Badge } from "~/ui/chip";
import { ProgressBar } from "~/ui/progress-bar";
import type { Role } from "~server/bff/roles.server";

/** How far the learning of a voice is, as its task last told. */
export interface Learning {
  progress: number;
  queuePos: number;
}

interface RoleStateProps {
  role: Role;
  learning: Learning | undefined;
}

/** Where a role stands: being learned, failed and why, on the square, under review. */
export function RoleState({ role, learning }: RoleStateProps) {
  const { states } = roleListCopy;
  if (role.status === 1) {
    const queuePos = learning?.queuePos ?? 0;
    return (
      <div className="grid gap-1.5">
        <p className="text-xs text-muted">{queuePos > 0 ? states.queued(queuePos) : states.learning}</p>
        <ProgressBar
          label={states.bar(role.name)}
          value={learning && queuePos === 0 && learning.progress > 0 ? learning.progress : null}
        />
      </div>
    );
  }
  if (role.status === 3)
    return (
      <p className="text-xs text-seal">
        <strong className="font-semibold">{states.failed}</strong> {learningFailureSentence(role.reason)}
      </p>
    );
  if (!role.isPublic && !role.isUnderReview) return null;
  return (
    <div className="flex flex-wrap gap-1.5">
      {role.isPublic && !role.isUnderReview && <Badge>{states.public}</Badge>}
      {role.isUnderReview && <Badge>{states.review}</Badge>}
    </div>
  );
}
