import { Link, useNavigate } from "@remix-run/react";
import { useRef, useState } from "react";
import { sentenceFor } from "~/copy/errors";
import { roleFormCopy } from "~/copy/roles";
import { parsePortrait } from "~/features/portrait/parameters";
import { randomPortrait } from "~/features/portrait/random";
import { notify } from "~/features/toasts/notify";
import { paths } from "~/paths";
import { Button, buttonClass } from "~/ui/button";
import type { Refusal } from "~server/bff/refusal.server";
import type { Role } from "~server/bff/roles.server";
import { changeRole } from "../role-client";
import { AboutFields } from "./about-fields";
import { faceOf } from "./create";
import { type Faults, type Fields, faultsOf, type Look, toAbout } from "./fields";
import { FormFrame } from "./form-frame";
import { LookFields } from "./look-fields";
import { Part } from "./part";

/** Another name, other words, another face; the voice stays what it is. */
export function EditForm({ role }: { role: Role }) {
  const [fields, setFields] = useState<Fields>(() => fieldsOf(role));
  const [look, setLook] = useState<Look>(() => lookOf(role));
  const [faults, setFaults] = useState<Faults>({});
  const nameField = useRef<HTMLInputElement>(null);
  const { isPending, refusal, save } = useSave(role);
  const back = paths.roleOpened(role.roleId);

  const submit = () => {
    const found = faultsOf(fields, look);
    setFaults(found);
    if (found.name) nameField.current?.focus();
    if (Object.keys(found).length === 0) void save(fields, look);
  };

  return (
    <FormFrame back={back} backLabel={role.name} heading={roleFormCopy.editing(role.name)} onSubmit={submit}>
      <Part heading={roleFormCopy.about.heading}>
        <AboutFields
          faults={faults}
          fields={fields}
          nameField={nameField}
          onChange={(change) => setFields((now) => ({ ...now, ...change }))}
        />
      </Part>
      <Part fault={faults.look} heading={roleFormCopy.look.heading}>
        <LookFields
          gender={fields.gender}
          look={look}
          onChange={(change) => setLook((now) => ({ ...now, ...change }))}
        />
      </Part>
      {refusal && (
        <p className="mb-3 text-sm text-seal" role="alert">
          {sentenceFor(refusal)}
        </p>
      )}
      <div className="flex flex-wrap gap-3 border-t border-dashed border-line pt-4">
        <Button kind="primary" pending={isPending} size="large" type="submit">
          {roleFormCopy.save}
        </Button>
        <Link className={buttonClass({ kind: "quiet", size: "large" })} to={back}>
          {roleFormCopy.cancel}
        </Link>
      </div>
    </FormFrame>
  );
}

function useSave({ roleId }: Role) {
  const navigate = useNavigate();
  const [isPending, setPending] = useState(false);
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const save = async (fields: Fields, look: Look) => {
    setPending(true);
    setRefusal(null);
    const face = await faceOf(look, () => {});
    const saved = face.ok ? await changeRole(roleId, { ...toAbout(fields), ...face.face }) : face;
    setPending(false);
    if (!saved.ok) {
      setRefusal(saved.refusal);
      if (saved.refusal.code === "login-expired") navigate(paths.loginExpiredFrom(paths.roleEdited(roleId)));
      else notify({ kind: "error", text: sentenceFor(saved.refusal) });
      return;
    }
    notify({ kind: "success", text: roleFormCopy.saved });
    navigate(paths.roleOpened(roleId), { replace: true });
  };
  return { isPending, refusal, save };
}

const fieldsOf = ({ name, describe, gender, tags }: Role): Fields => ({ name, describe, gender, tags: tags.join(" ") });

const lookOf = ({ avatar, portrait, gender }: Role): Look => ({
  kind: avatar ? "photo" : "drawn",
  portrait: parsePortrait(portrait) ?? randomPortrait(gender),
  photo: null,
  avatar,
});
