import { useRevalidator } from "@remix-run/react";
import { useState } from "react";
import { useTaskEvents } from "~/features/tasks/use-task-events";
import type { Role } from "~server/bff/roles.server";
import type { Learning } from "./role-state";

/** How far each voice's learning is; the page is read again when one ends, or when something may have been missed. */
export function useLearning(roles: readonly Role[]) {
  const { revalidate } = useRevalidator();
  const [heard, setHeard] = useState<ReadonlyMap<string, Learning>>(new Map());
  const isBusy = roles.some(({ status }) => status === 1);
  useTaskEvents(
    ({ kind, taskId, status, progress, queuePos }) => {
      if (kind !== "role") return;
      if (status === 1) setHeard((now) => new Map(now).set(taskId, { progress, queuePos }));
      else revalidate();
    },
    { onStale: revalidate, isWatching: isBusy, isBusy },
  );
  return (roleId: string) => heard.get(roleId);
}
