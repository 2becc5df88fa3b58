import { useEffect, useState } from "react";
import type { Refusal } from "~/call";
import { projectCopy } from "~/copy/dubbing-tools";
import { sentenceFor } from "~/copy/errors";
import type { DubSession } from "../use-dub-session";
import { syncOneProject, syncProjects } from "./account-projects";

/** After the last save. */
const syncDelayMs = 2000;
const retryDelayMs = 60_000;

/** Keeps the account's projects and this browser's equal while the page is open, and says what prevents it. */
export default function AccountSync({ session: { projectId, draftSync } }: { session: DubSession }) {
  const { status, save } = draftSync;
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    let isOpen = true;
    const syncThis = async () => {
      await save();
      return syncOneProject(projectId, save);
    };
    const run = async (act: () => Promise<Refusal | null>) => {
      clearTimeout(timer);
      const refused = await act();
      if (!isOpen) return;
      setRefusal(refused);
      if (refused) timer = setTimeout(syncAll, retryDelayMs);
    };
    // The list tells what is newer in the account.
    const syncAll = () => void run(async () => (await syncProjects(save)) ?? (await syncThis()));
    const onVisibility = () => (document.hidden ? void run(syncThis) : syncAll());
    const unsubscribe = status.subscribe(() => {
      if (status.get() !== "saved") return;
      clearTimeout(timer);
      timer = setTimeout(() => void run(syncThis), syncDelayMs);
    });
    document.addEventListener("visibilitychange", onVisibility);
    window.addEventListener("online", syncAll);
    syncAll();
    return () => {
      isOpen = false;
      void run(syncThis);
      unsubscribe();
      document.removeEventListener("visibilitychange", onVisibility);
      window.removeEventListener("online", syncAll);
    };
  }, [projectId, status, save]);
  if (!refusal) return null;
  return (
    <p className="-mb-3 text-sm text-muted lg:col-span-full" role="status">
      {textOf(refusal)}
    </p>
  );
}

function textOf(refusal: Refusal): string {
  if (refusal.code === "network") return projectCopy.offline;
  return refusal.code === "too-large" ? projectCopy.tooLarge : sentenceFor(refusal);
}
