import { useNavigate, useRevalidator } from "@remix-run/react";
import { useState } from "react";
import { sentenceFor } from "~/copy/errors";
import { roleDetailCopy } from "~/copy/roles";
import { askToConfirm } from "~/features/confirm/confirm";
import { usePlayer } from "~/features/player/provider";
import { notify } from "~/features/toasts/notify";
import { paths } from "~/paths";
import type { Refusal } from "~server/bff/refusal.server";
import type { Role } from "~server/bff/roles.server";
import { type Answer, changeRole, deleteRole, retryRole } from "./role-client";

type Pending = "publish" | "remove" | "retry" | null;

/** What may be done with a role of one's own; each asks first where others or other things are touched. */
export function useRoleActions(role: Role) {
  const { revalidate } = useRevalidator();
  const navigate = useNavigate();
  const player = usePlayer();
  const [pending, setPending] = useState<Pending>(null);

  const tellRefusal = (refusal: Refusal) => {
    if (refusal.code === "login-expired") return navigate(paths.loginExpiredFrom(paths.role));
    notify({ kind: "error", text: sentenceFor(refusal) });
  };
  const act = async (what: Exclude<Pending, null>, ask: () => Promise<Answer<object>>) => {
    setPending(what);
    const answer = await ask();
    setPending(null);
    if (!answer.ok) tellRefusal(answer.refusal);
    return answer.ok;
  };

  return {
    pending,
    async publish() {
      const { title, text, confirm } = roleDetailCopy.publishing;
      if (!(await askToConfirm({ title, text: text(role.name), confirm }))) return;
      if (!(await act("publish", () => changeRole(role.roleId, { isPublic: true })))) return;
      notify({ kind: "success", text: roleDetailCopy.published });
      revalidate();
    },
    async withdraw() {
      if (!(await act("publish", () => changeRole(role.roleId, { isPublic: false })))) return;
      notify({ kind: "success", text: roleDetailCopy.withdrawn });
      revalidate();
    },
    async retry() {
      if (await act("retry", () => retryRole(role.roleId))) revalidate();
    },
    async remove() {
      const { title, text, confirm } = roleDetailCopy.removing;
      if (!(await askToConfirm({ title, text: text(role.name, role.outputs), confirm }))) return;
      if (player.track?.url === paths.media(role.voiceUrl)) player.stop();
      if (!(await act("remove", () => deleteRole(role.roleId)))) return;
      notify({ kind: "success", text: roleDetailCopy.removed(role.name) });
      navigate(paths.role, { replace: true });
    },
  };
}
