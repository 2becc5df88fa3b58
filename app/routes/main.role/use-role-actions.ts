import { useNavigate, useRevalidator } from "@remix-run/react";
import { useState } from "react";
import { callApi, changeTask, refusalOf } from "~/call";
import { vendorVoiceCopy } from "~/copy/consent-link";
import { sentenceFor } from "~/copy/errors";
import { namesOfVendors } from "~/copy/recording";
import { roleDetailCopy } from "~/copy/roles";
import { usePlayer } from "~/features/player/provider";
import { notify } from "~/features/toasts/notify";
import { paths } from "~/paths";
import { askToConfirm } from "~/state/dialog-requests";
import type { RevocationReceipt, Role } from "~server/bff/roles.server";
import { consentStatementFor } from "~server/contract/consent";
import { revokeRole } from "./role-client";

/** The actions on one of the account's roles. Publishing and removing ask for confirmation. */
export function useRoleActions(role: Role) {
  const { roleId } = role;
  const { revalidate } = useRevalidator();
  const navigate = useNavigate();
  const player = usePlayer();
  const [pending, setPending] = useState<"publish" | "remove" | "retry" | "revoke" | "vendors" | null>(null);
  const [proofFor, setProofFor] = useState<"publish" | "keep" | null>(null);
  const [receipt, setReceipt] = useState<RevocationReceipt | null>(null);

  /** Returns false after showing the refusal. */
  const run = async (action: NonNullable<typeof pending>, send: () => Promise<unknown>) => {
    setPending(action);
    try {
      await send();
      return true;
    } catch (error) {
      const refusal = refusalOf(error);
      if (refusal.code === "proof-missing") setProofFor("publish");
      else notify({ kind: "error", text: sentenceFor(refusal) });
      return false;
    } finally {
      setPending(null);
    }
  };
  const setPublic = async (isPublic: boolean, done: string) => {
    if (!(await run("publish", () => callApi("rolePublish", { roleId, isPublic })))) return;
    notify({ kind: "success", text: done });
    revalidate();
  };

  const publish = async () => {
    const { title, text, confirm } = roleDetailCopy.publishing;
    if (await askToConfirm({ title, text: text(role.name), confirm })) await setPublic(true, roleDetailCopy.published);
  };

  return {
    pending,
    /** The pending action that needs a proof of the voice; null while its dialog is closed. */
    proofFor,
    askProof: setProofFor,
    /** Receipt of the revoked consent. */
    receipt,
    async revoke() {
      const { text, ...question } = roleDetailCopy.revoking;
      if (!(await askToConfirm({ ...question, text: text(role.name) }))) return;
      if (player.track?.url === paths.media(role.voiceUrl)) player.stop();
      await run("revoke", async () => setReceipt(await revokeRole({ roleId })));
    },
    leave: () => navigate(paths.role, { replace: true }),
    publish,
    /** Asks, then has the voice learned again with vendors; `fee` says what one bills. */
    async enableVendors(vendors: readonly string[], fee: string) {
      const { text, ...question } = vendorVoiceCopy.asking;
      if (!(await askToConfirm({ ...question, text: text(namesOfVendors(vendors), fee) }))) return;
      const consent = { statementId: consentStatementFor(true), ...(fee && { acceptFee: true }) };
      if (!(await run("vendors", () => callApi("roleUpdate", { roleId, consent })))) return;
      notify({ kind: "success", text: vendorVoiceCopy.started });
      revalidate();
    },
    withdraw: () => setPublic(false, roleDetailCopy.withdrawn),
    async retry() {
      if (await run("retry", () => changeTask(roleId, "retry"))) revalidate();
    },
    async remove() {
      const { title, text, confirm } = roleDetailCopy.removing;
      if (!(await askToConfirm({ title, text: text(role.name, role.outputs), confirm }))) return;
      if (player.track?.url === paths.media(role.voiceUrl)) player.stop();
      if (!(await run("remove", () => callApi("roleDelete", { roleId })))) return;
      notify({ kind: "success", text: roleDetailCopy.removed(role.name) });
      navigate(paths.role, { replace: true });
    },
  };
}
