import { Link, useRevalidator } from "@remix-run/react";
import { type ReactNode, Suspense } from "react";
import { proofCopy, proofFaultSentence, proofStateCopy } from "~/copy/proof";
import { roleDetailCopy } from "~/copy/roles";
import { usePlayer } from "~/features/player/provider";
import { paths } from "~/paths";
import { useHasCall } from "~/state/capabilities";
import { Button, buttonClass, useRestoredFocus } from "~/ui/button";
import { LiveRegion, usePolling } from "~/ui/feedback";
import { Icon } from "~/ui/icons/icon";
import { ToolIcon } from "~/ui/icons/tool-icon";
import { lazyDialog } from "~/ui/lazy-part";
import { Menu } from "~/ui/menu";
import type { Role } from "~server/bff/roles.server";
import { useRoleActions } from "./use-role-actions";

const ProofDialog = lazyDialog(() => import("~/features/reference/proof-dialog"));
const ReceiptDialog = lazyDialog(() => import("./receipt-dialog"));

/** The state of the proof with its dialog, the children, and the buttons that manage the role. */
export function RoleActions({ role, children }: { role: Role; children: ReactNode }) {
  const actions = useRoleActions(role);
  const { receipt, proofFor, askProof, publish, leave } = actions;
  const { revalidate } = useRevalidator();
  const player = usePlayer();
  const pause = () => {
    if (player.isPlaying) player.toggle();
  };
  return (
    <>
      <ProofNotice onAsk={() => askProof("keep")} role={role} />
      {children}
      <ManageButtons actions={actions} role={role} />
      <Suspense>
        {receipt && <ReceiptDialog onClose={leave} receipt={receipt} />}
        {proofFor && (
          <ProofDialog
            name={role.name}
            onChange={revalidate}
            onClose={() => askProof(null)}
            onPlay={pause}
            onPublish={proofFor === "publish" ? publish : undefined}
            voice={{ roleId: role.roleId }}
          />
        )}
      </Suspense>
    </>
  );
}

/** Between two looks at a proof that is being judged. */
const judgingPollMs = 3000;

/** The state of a proof that was begun and did not end with a yes, or what a proof would need; a private voice needs none. */
function ProofNotice({ role, onAsk }: { role: Role; onAsk(): void }) {
  const { proof, proofAttempt, proofNote, status } = role;
  const { revalidate } = useRevalidator();
  usePolling(proof === "judging", revalidate, judgingPollMs);
  if (proof === "" || proof === "proven" || status !== 2) return null;
  if (proof === "missing" ? !proofAttempt : proof === "short" && role.isPublic) return null;
  const { outcome = "", reason = null } = proofAttempt ?? {};
  const sentences = {
    missing: proofStateCopy.missing,
    short: proofStateCopy.short,
    judging: proofStateCopy.judging,
    asked: proofStateCopy.asked,
    declined: proofStateCopy.declined(proofNote),
  };
  return (
    <section className="grid gap-3 rounded-card border border-line bg-surface p-4 md:p-5">
      <div className="grid gap-1">
        <h2 className="flex items-center gap-2 text-sm font-semibold">
          {proof === "judging" ? (
            <Icon className="animate-spin text-seal" name="spinner" size={18} />
          ) : (
            <Icon className={proof === "asked" ? "text-gold" : "text-seal"} name="alert" size={18} />
          )}
          <span>{proofStateCopy.heading[proof]}</span>
        </h2>
        <p className="text-sm text-muted">{sentences[proof]}</p>
        {reason && <p className="text-sm text-seal">{proofStateCopy.lastTime(proofFaultSentence(reason, outcome))}</p>}
      </div>
      {proof === "short" && (
        <Link className={`${buttonClass()} justify-self-start`} to={paths.roleNew({ name: role.name })}>
          <Icon name="mic" size={18} />
          {proofCopy.again}
        </Link>
      )}
      {proof !== "asked" && proof !== "short" && (
        <Button
          className="justify-self-start"
          icon={proof !== "judging" && <Icon name="mic" size={18} />}
          onClick={onAsk}
        >
          {proofStateCopy.actions[proof]}
        </Button>
      )}
      <LiveRegion>{proof === "judging" ? proofStateCopy.judging : ""}</LiveRegion>
    </section>
  );
}

interface ManageButtonsProps {
  role: Role;
  actions: ReturnType<typeof useRoleActions>;
}

function ManageButtons({ role, actions }: ManageButtonsProps) {
  const { pending, publish, withdraw, revoke, remove, askProof } = actions;
  const isProofMissing = role.proof !== "" && role.proof !== "proven";
  const group = useRestoredFocus<HTMLDivElement>();
  const canEdit = useHasCall("roleUpdate");
  const canPublish = useHasCall("rolePublish");
  const canRevoke = useHasCall("roleRevoke") && role.voicePath !== "";
  const isPublishing = pending === "publish";
  const isEnding = pending === "revoke" || pending === "remove";
  return (
    <div className="-mx-4 flex flex-wrap" ref={group}>
      {canEdit && (
        <Link className={buttonClass({ kind: "quiet" })} to={paths.roleEdited(role.roleId)}>
          <ToolIcon name="pencil" size={18} />
          {roleDetailCopy.edit}
        </Link>
      )}
      {!canPublish ? null : role.isPublic ? (
        <Button icon={<ToolIcon name="eyeOff" size={18} />} kind="quiet" onClick={withdraw} pending={isPublishing}>
          {roleDetailCopy.withdraw}
        </Button>
      ) : (
        role.status === 2 &&
        role.proof !== "short" && (
          <Button
            icon={<ToolIcon name="globe" size={18} />}
            kind="quiet"
            onClick={isProofMissing ? () => askProof("publish") : publish}
            pending={isPublishing}
          >
            {roleDetailCopy.publish}
          </Button>
        )
      )}
      <Menu
        aria-busy={isEnding || undefined}
        aria-label={roleDetailCopy.menu(role.name)}
        className="icon-button quiet"
        items={() => [
          ...(canRevoke ? [{ label: roleDetailCopy.revoke, onSelect: revoke, isDanger: true }] : []),
          { label: roleDetailCopy.remove, onSelect: remove, isDanger: true },
        ]}
        title={roleDetailCopy.menu(role.name)}
      >
        {isEnding ? <Icon className="animate-spin" name="spinner" size={18} /> : <ToolIcon name="more" />}
      </Menu>
    </div>
  );
}
