import { Link } from "@remix-run/react";
import { roleDetailCopy, roleListCopy } from "~/copy/roles";
import { siteCopy } from "~/copy/site";
import { LevelRing } from "~/features/player/level-ring";
import { usePreviews } from "~/features/player/use-previews";
import { isConfirmedPhoto, Picture } from "~/features/portrait/picture";
import type { Human } from "~/features/portrait/still";
import { useTheme } from "~/features/theme/theme";
import { paths } from "~/paths";
import { useHasCall } from "~/state/capabilities";
import { Badge, Button, buttonClass } from "~/ui/button";
import { Tags } from "~/ui/card";
import { Icon } from "~/ui/icons/icon";
import { ToolIcon } from "~/ui/icons/tool-icon";
import type { Role } from "~server/bff/roles.server";
import { ConsentNotice } from "./consent-links";
import { RoleActions } from "./role-actions";
import { RetryButton, RoleStatus, useLearningProgress } from "./role-status";
import { VendorVoice, VoiceFacts } from "./voice-facts";

/** One of the account's roles with its preview, facts and actions. */
export function OpenedRole({ role }: { role: Role }) {
  const learning = useLearningProgress([role])(role.roleId);
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
              <h1 className="min-w-0 break-words font-song text-2xl font-semibold md:text-3xl" translate="no">
                {role.name}
              </h1>
              <Badge>{siteCopy.aiBadge}</Badge>
            </div>
            {role.describe && <p className="mt-1 break-words text-muted">{role.describe}</p>}
          </div>
          {role.tags.length > 0 && <Tags tags={role.tags} />}
          <RoleStatus learning={learning} role={role} />
          {role.isUnderReview && <p className="text-sm text-muted">{roleListCopy.states.reviewNote}</p>}
          {role.status === 2 && <UseLinks roleId={role.roleId} />}
          {role.status === 3 && <RetryLinks role={role} />}
          <RoleActions role={role}>
            <ConsentNotice role={role} />
            <VendorVoice role={role} />
            <VoiceFacts role={role} />
          </RoleActions>
        </div>
      </div>
    </div>
  );
}

function UseLinks({ roleId }: { roleId: string }) {
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

function RetryLinks({ role }: { role: Role }) {
  return (
    <div className="flex flex-wrap gap-3">
      <RetryButton role={role} />
      <Link className={buttonClass()} to={paths.roleNew({ name: role.name })}>
        <Icon name="mic" size={18} />
        {roleDetailCopy.again}
      </Link>
    </div>
  );
}

/** The animated portrait with a button for the preview. */
function Speaker({ human }: { human: Human }) {
  const { listen, stateOf } = usePreviews();
  const { colorMode } = useTheme();
  const { sound, speech } = stateOf(human);
  const words = { silent: roleDetailCopy.listen, loading: roleDetailCopy.loading, playing: roleDetailCopy.pause };
  const isPlaying = sound === "playing";
  const canEdit = useHasCall("roleUpdate");
  return (
    <div
      className={`relative self-start overflow-hidden rounded-card border bg-wash transition-colors ${isPlaying ? "border-celadon" : "border-line"}`}
    >
      <div className="relative aspect-[5/4]">
        <Picture
          colorMode={colorMode}
          human={human}
          isAlive
          isSpeaking={isPlaying}
          ring={<LevelRing />}
          speech={speech}
        />
      </div>
      {canEdit && human.avatar && !isConfirmedPhoto(human) && (
        <p className="border-t border-line bg-surface px-3 pt-2 text-center text-sm text-muted">
          {roleDetailCopy.stillPhoto}
          <Link className={buttonClass({ kind: "quiet" })} to={paths.roleEdited(human.roleId)}>
            {roleDetailCopy.confirmPhoto}
          </Link>
        </p>
      )}
      <div className="flex justify-center border-t border-line bg-surface p-3">
        <Button
          aria-disabled={!human.voiceUrl || undefined}
          icon={human.voiceUrl && <Icon name={isPlaying ? "pause" : "play"} size={18} />}
          kind={human.voiceUrl && !isPlaying ? "primary" : "outline"}
          onClick={() => human.voiceUrl && listen(human)}
          pending={sound === "loading"}
        >
          {human.voiceUrl ? words[sound] : roleDetailCopy.noPreview}
        </Button>
      </div>
    </div>
  );
}
