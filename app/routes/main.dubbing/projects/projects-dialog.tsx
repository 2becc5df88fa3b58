import { useSearchParams } from "@remix-run/react";
import { useCallback, useEffect, useRef, useState } from "react";
import { projectCopy } from "~/copy/dubbing-tools";
import { Button } from "~/ui/button";
import { Dialog } from "~/ui/dialog";
import { LiveRegion, Skeleton } from "~/ui/feedback";
import { SearchInput } from "~/ui/fields";
import type { DubSession } from "../use-dub-session";
import type { Project } from "./current";
import { ProjectRow, VersionList } from "./project-rows";
import {
  createProject,
  deleteProject,
  duplicateProject,
  purgeDeletedProjects,
  readProjects,
  renameProject,
  restoreProject,
  searchProjects,
} from "./storage";

interface ProjectsDialogProps {
  session: DubSession;
  onClose(): void;
}

/** Lists, opens, creates, renames, duplicates and deletes the projects of this browser. */
export function ProjectsDialog({ session, onClose }: ProjectsDialogProps) {
  const { projects, change } = useProjects(session);
  const [keyword, setKeyword] = useState("");
  const [announcement, setAnnouncement] = useState("");
  const open = useOpenProject(onClose);
  const found = projects && searchProjects(projects, keyword);
  const currentId = session.projectId;
  /** The deletion of the open project, unless it was undone. */
  const removal = useRef<Promise<void> | null>(null);
  const remove = (project: Project) => {
    const removed = change(() => deleteProject(project));
    if (project.id === currentId) removal.current = removed;
    void removed.then(() => setAnnouncement(projectCopy.removed(titleOf(project))));
  };
  const restore = (id: string) => {
    if (id === currentId) removal.current = null;
    void change(() => restoreProject(id));
  };
  /** A deleted project is left when the dialog closes. */
  const close = async () => {
    if (!removal.current) return onClose();
    await removal.current;
    const next = (await readProjects()).find(({ deletedAt }) => deletedAt === undefined);
    open(next?.id ?? (await createProject(session.cast.defaultRoleId())));
  };
  return (
    <Dialog
      closeLabel={projectCopy.close}
      description={projectCopy.note}
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
      <LiveRegion>{announcement}</LiveRegion>
      <div className="-mx-1 mt-3 min-h-0 flex-1 overflow-y-auto px-1 pb-4">
        {!found && <LoadingRows />}
        {found?.length === 0 && <p className="py-8 text-center text-sm text-muted">{projectCopy.empty}</p>}
        <ul aria-label={projectCopy.list} className="divide-y divide-line">
          {found?.map((project) => (
            <ProjectRow
              isCurrent={project.id === currentId}
              key={project.id}
              onDuplicate={() => void change(() => duplicateProject(project.id))}
              onOpen={() => (project.id === currentId ? onClose() : open(project.id))}
              onRemove={() => remove(project)}
              onRename={(title) => {
                if (project.id === currentId) session.editor.store.edit({ type: "title", title });
                void change(() =>
                  project.id === currentId ? session.draftSync.save() : renameProject(project.id, title),
                );
              }}
              onRestore={() => restore(project.id)}
              project={project}
              title={titleOf(project)}
            />
          ))}
        </ul>
        <VersionList onClose={onClose} session={session} />
      </div>
    </Dialog>
  );
}

const titleOf = ({ title, excerpt }: Project) => title || excerpt || projectCopy.untitled;

/** The projects with the open one as it is now; null until they are read. `change` reads them again. */
function useProjects({ draftSync: { save } }: DubSession) {
  const [projects, setProjects] = useState<Project[] | null>(null);
  const change = useCallback(async (act: () => Promise<unknown>) => {
    await act();
    setProjects(await readProjects());
  }, []);
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
