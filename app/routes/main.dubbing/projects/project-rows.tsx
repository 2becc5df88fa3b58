import { type ReactNode, useEffect, useRef, useState } from "react";
import { formatWhen } from "~/copy/dubbing-records";
import { projectCopy } from "~/copy/dubbing-tools";
import { joinDetails } from "~/copy/format";
import { notify } from "~/features/toasts/notify";
import { Badge, Button, IconButton } from "~/ui/button";
import { ToolIcon } from "~/ui/icons/tool-icon";
import { titleMax } from "../editor/edits";
import type { DubSession } from "../use-dub-session";
import { type Project, toProject } from "./current";
import { readVersions, type Version } from "./versions";

interface ProjectRowProps {
  project: Project;
  title: string;
  isCurrent: boolean;
  onOpen(): void;
  onRename(title: string): void;
  onDuplicate(): void;
  onRemove(): void;
  onRestore(): void;
}

const quiet = { className: "text-muted hover:bg-wash hover:text-ink" };

/** A project with its actions; a deleted one with the way back. */
export function ProjectRow(props: ProjectRowProps) {
  const { project, title, isCurrent, onOpen, onDuplicate, onRemove, onRestore } = props;
  const [isNaming, setNaming] = useState(false);
  const actions = useRef<HTMLSpanElement>(null);
  const wasNaming = useRef(false);
  useEffect(() => {
    // The focus returns to the button that opened the field.
    if (wasNaming.current && !isNaming) actions.current?.querySelector("button")?.focus();
    wasNaming.current = isNaming;
  }, [isNaming]);
  if (project.deletedAt !== undefined) {
    return (
      <li className="flex min-h-[64px] items-center gap-3 py-2 text-sm text-muted">
        <span className="min-w-0 flex-1 truncate">{projectCopy.removed(title)}</span>
        <Button onClick={onRestore}>{projectCopy.restore}</Button>
      </li>
    );
  }
  if (isNaming) return <NameForm {...props} onDone={() => setNaming(false)} />;
  return (
    <li className="flex flex-wrap items-center gap-x-1 py-1.5">
      <button
        aria-label={projectCopy.open(title)}
        className="min-h-[52px] min-w-0 flex-1 basis-40 rounded px-2 text-left hover:bg-wash"
        onClick={onOpen}
        type="button"
      >
        <span className="flex items-center gap-2">
          <span className="min-w-0 truncate font-semibold">{title}</span>
          {isCurrent && <Badge>{projectCopy.current}</Badge>}
        </span>
        <span className="tabular block text-xs text-muted">
          {joinDetails(
            projectCopy.size(project.lines, project.characters),
            project.updatedAt > 0 ? formatWhen(new Date(project.updatedAt).toISOString(), Date.now()) : "",
          )}
        </span>
      </button>
      <span className="flex shrink-0" ref={actions}>
        <IconButton label={projectCopy.rename(title)} {...quiet} onClick={() => setNaming(true)}>
          <ToolIcon name="pencil" />
        </IconButton>
        <IconButton label={projectCopy.duplicate(title)} {...quiet} onClick={onDuplicate}>
          <ToolIcon name="copy" />
        </IconButton>
        <IconButton label={projectCopy.remove(title)} {...quiet} onClick={onRemove}>
          <ToolIcon name="bin" />
        </IconButton>
      </span>
    </li>
  );
}

function NameForm({ project, title, onRename, onDone }: ProjectRowProps & { onDone(): void }) {
  const [name, setName] = useState(project.title);
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => input.current?.focus(), []);
  return (
    <li className="py-2">
      <form
        className="flex gap-2"
        onSubmit={(event) => {
          event.preventDefault();
          onRename(name.trim());
          onDone();
        }}
      >
        <input
          aria-label={projectCopy.name}
          className="h-11 min-w-0 flex-1 rounded border border-edge bg-transparent px-3"
          maxLength={titleMax}
          onChange={(event) => setName(event.target.value)}
          onKeyDown={(event) => {
            if (event.key !== "Escape") return;
            event.stopPropagation();
            onDone();
          }}
          placeholder={title}
          ref={input}
          value={name}
        />
        <Button kind="primary" type="submit">
          {projectCopy.saveName}
        </Button>
      </form>
    </li>
  );
}

interface VersionListProps {
  session: DubSession;
  onClose(): void;
}

/** The kept versions of the open project; restoring one is an edit that can be undone. */
export function VersionList({ session, onClose }: VersionListProps) {
  const { projectId, editor, cast, selection, draftSync } = session;
  const [versions, setVersions] = useState<Version[]>([]);
  useEffect(() => {
    void readVersions(projectId).then(setVersions);
  }, [projectId]);
  const restore = async ({ script, speakers, dubbId }: Version) => {
    await draftSync.saveVersion();
    cast.addSpeakers(speakers);
    editor.store.edit({ type: "replace", script });
    selection.select(dubbId);
    notify({ kind: "success", text: projectCopy.restored });
    onClose();
  };
  return (
    <Disclosure title={projectCopy.versions}>
      {versions.length === 0 && <p className="px-2 pb-3 text-sm text-muted">{projectCopy.noVersions}</p>}
      <ul className="divide-y divide-line">
        {versions.map((version) => {
          const { lines, characters, excerpt } = toProject(projectId, version.script);
          const when = formatWhen(new Date(version.at).toISOString(), Date.now());
          return (
            <li className="flex items-center gap-3 px-2 py-2" key={version.at}>
              <span className="min-w-0 flex-1">
                <span className="block truncate text-sm">{excerpt}</span>
                <span className="tabular block text-xs text-muted">
                  {joinDetails(when, projectCopy.size(lines, characters))}
                </span>
              </span>
              <Button aria-label={projectCopy.restoreVersion(when)} onClick={() => void restore(version)}>
                {projectCopy.restoreShort}
              </Button>
            </li>
          );
        })}
      </ul>
    </Disclosure>
  );
}

export const Disclosure = ({ title, children }: { title: string; children: ReactNode }) => (
  <details className="group mt-2 border-t border-line">
    <summary className="flex min-h-[44px] cursor-pointer list-none items-center gap-1.5 px-2 text-sm font-semibold">
      <ToolIcon className="text-muted transition-[rotate] group-open:[rotate:180deg]" name="down" size={16} />
      {title}
    </summary>
    {children}
  </details>
);
