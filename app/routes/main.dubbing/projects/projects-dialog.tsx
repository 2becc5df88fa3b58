import { useSearchParams } from "@remix-run/react";
import { useCallback, useEffect, useRef, useState } from "react";
import { projectCopy } from "~/copy/dubbing-tools";
import { useHasCall } from "~/state/capabilities";
import { Button } from "~/ui/button";
import { Dialog } from "~/ui/dialog";
import { LiveRegion, Skeleton } from "~/ui/feedback";
import { SearchInput } from "~/ui/fields";
import { isAccountsDocument } from "~/ui/store";
import type { DubSession } from "../use-dub-session";
import { syncProjects } from "./account-projects";
import type { Project } from "./current";
import { Disclosure, ProjectRow, VersionList } from "./project-rows";
import { pullProject } from "./pull-project";
import {
  createProject,
  deleteProject,
  duplicateProject,
  purgeDeletedProjects,
  readDraft,
  readProjects,
  renameProject,
  restoreProject,
  searchProjects,
} from "./storage";
import { BookRow } from "./whole-book";

interface ProjectsDialogProps {
  session: DubSession;
  onClose(): void;
}

/** Lists, opens, creates, renames, duplicates and deletes the projects of the account, or of a visitor's browser. */
export function ProjectsDialog({ session, onClose }: ProjectsDialogProps) {
  const isSynced = useHasCall("projectPut") && isAccountsDocument();
  const open = useOpenProject(onClose);
  const { projects, announcement, close, ...actions } = useProjectActions(session, { isSynced, open, onClose });
  const [keyword, setKeyword] = useState("");
  const found = projects && searchProjects(projects, keyword);
  const [openedAt] = useState(Date.now);
  const bookId = session.editor.store.get().chapter?.bookId;
  const isOld = ({ deletedAt }: Project) => deletedAt !== undefined && deletedAt < openedAt;
  const shown = found?.filter((project) => !isOld(project));
  const deleted = found?.filter(isOld) ?? [];
  const toRow = (project: Project) => (
    <ProjectRow
      isCurrent={project.id === session.projectId}
      key={project.id}
      onDuplicate={() => actions.duplicate(project.id)}
      onOpen={() => (project.id === session.projectId ? onClose() : open(project.id))}
      onRemove={() => actions.remove(project)}
      onRename={(title) => actions.rename(project.id, title)}
      onRestore={() => actions.restore(project.id)}
      project={project}
      title={titleOf(project)}
    />
  );
  return (
    <Dialog
      closeLabel={projectCopy.close}
      description={isSynced ? projectCopy.accountNote : projectCopy.note}
      onClose={() => void close()}
      title={projectCopy.title}
      width="tall"
    >
      <div className="mt-4 flex gap-2 tight:flex-wrap">
        <SearchInput
          className="flex-1 tight:basis-full"
          label={projectCopy.search}
          onChange={(event) => setKeyword(event.target.value)}
          value={keyword}
        />
        <Button kind="primary" onClick={() => void createProject(session.cast.defaultRoleId()).then(open)}>
          {projectCopy.create}
        </Button>
      </div>
      {bookId && <BookRow bookId={bookId} session={session} />}
      <LiveRegion>{announcement}</LiveRegion>
      <div className="-mx-1 mt-3 min-h-0 flex-1 overflow-y-auto px-1 pb-4">
        {!shown && <LoadingRows />}
        {shown?.length === 0 && <p className="py-8 text-center text-sm text-muted">{projectCopy.empty}</p>}
        <ul aria-label={projectCopy.list} className="divide-y divide-line">
          {shown?.map(toRow)}
        </ul>
        {deleted.length > 0 && (
          <Disclosure title={projectCopy.deleted}>
            <ul aria-label={projectCopy.deleted} className="divide-y divide-line px-2">
              {deleted.map(toRow)}
            </ul>
          </Disclosure>
        )}
        <VersionList onClose={onClose} session={session} />
      </div>
    </Dialog>
  );
}

interface ProjectActionsOptions {
  isSynced: boolean;
  open(id: string): void;
  onClose(): void;
}

function useProjectActions(session: DubSession, { isSynced, open, onClose }: ProjectActionsOptions) {
  const { projectId: currentId, editor, draftSync, cast } = session;
  const { projects, change } = useProjects(session, isSynced);
  const [announcement, setAnnouncement] = useState("");
  /** The deletion of the open project, unless it was undone. */
  const removal = useRef<Promise<void> | null>(null);
  /** A project that only the account has is loaded first. */
  const changeStored = (id: string, act: () => Promise<unknown>) =>
    void change(async () => {
      if ((await readDraft(id)) || (await pullProject(id))) await act();
    });
  return {
    projects,
    announcement,
    duplicate: (id: string) => changeStored(id, () => duplicateProject(id)),
    rename(id: string, title: string) {
      if (id === currentId) editor.store.edit({ type: "title", title });
      changeStored(id, () => (id === currentId ? draftSync.save() : renameProject(id, title)));
    },
    remove(project: Project) {
      const removed = change(() => deleteProject(project));
      if (project.id === currentId) removal.current = removed;
      void removed.then(() => setAnnouncement(projectCopy.removed(titleOf(project))));
    },
    restore(id: string) {
      if (id === currentId) removal.current = null;
      void change(() => restoreProject(id));
    },
    /** A deleted project is left when the dialog closes. */
    async close() {
      if (!removal.current) return onClose();
      await removal.current;
      const next = (await readProjects()).find(({ deletedAt }) => deletedAt === undefined);
      open(next?.id ?? (await createProject(cast.defaultRoleId())));
    },
  };
}

const titleOf = ({ title, excerpt }: Project) => title || excerpt || projectCopy.untitled;

/**
 * The projects with the open one as it is now; null until they are read. `change` changes them, shows them, and brings
 * them to the account.
 */
function useProjects({ draftSync: { save } }: DubSession, isSynced: boolean) {
  const [projects, setProjects] = useState<Project[] | null>(null);
  const change = useCallback(
    async (act: () => Promise<unknown>) => {
      await act();
      setProjects(await readProjects());
      if (!isSynced) return;
      void syncProjects(save).then(async () => setProjects(await readProjects()));
    },
    [isSynced, save],
  );
  useEffect(() => {
    void change(async () => {
      await save();
      await purgeDeletedProjects(Date.now());
    });
  }, [change, save]);
  return { projects, change };
}

/** Opens a project in place of the present one, whose draft is saved when its page goes. */
function useOpenProject(onClose: () => void) {
  const [, setParams] = useSearchParams();
  return (project: string) => {
    onClose();
    setParams({ project }, { preventScrollReset: true });
  };
}

function LoadingRows() {
  return (
    <div aria-label={projectCopy.loading} role="status">
      {["a", "b", "c"].map((key) => (
        <Skeleton className="mb-2 h-16 w-full" key={key} />
      ))}
    </div>
  );
}
