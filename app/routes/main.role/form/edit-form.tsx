import { Link, useNavigate } from "@remix-run/react";
import { useRef, useState } from "react";
import { callApi, type Refusal, refusalOf } from "~/call";
import { sentenceFor } from "~/copy/errors";
import { roleFormCopy } from "~/copy/roles";
import { notify } from "~/features/toasts/notify";
import { paths } from "~/paths";
import { Button, buttonClass } from "~/ui/button";
import { Fault } from "~/ui/feedback";
import type { Role } from "~server/bff/roles.server";
import { parsePortrait } from "~server/portrait/parameters";
import { parsePhotoFace } from "~server/portrait/photo-face";
import { randomPortrait } from "~server/portrait/random-portrait";
import { AboutFields } from "./about-fields";
import { type Faults, type Fields, findFaults, type Look, toRoleInput, withNewFaces } from "./fields";
import { FormFrame, FormPart } from "./form-layout";
import { LookFields } from "./look-fields";
import { uploadFace } from "./submit-role";

/** Edits the texts and the face of a role; the voice cannot change. */
export function EditForm({ role }: { role: Role }) {
  const [fields, setFields] = useState<Fields>(() => fieldsOf(role));
  const [look, setLook] = useState<Look>(() => lookOf(role));
  const [faults, setFaults] = useState<Faults>({});
  const nameField = useRef<HTMLInputElement>(null);
  const { isPending, refusal, save } = useSave(role);
  const back = paths.roleOpened(role.roleId);

  const pitchHz = role.measured?.pitchHz;
  const changeFields = (change: Partial<Fields>) => {
    const { gender = fields.gender } = change;
    setFields((now) => ({ ...now, ...change }));
    setLook((now) => withNewFaces(now, { gender: fields.gender, pitchHz }, { gender, pitchHz }));
  };

  const submit = () => {
    const found = findFaults(fields, look);
    setFaults(found);
    if (found.name) nameField.current?.focus();
    if (Object.keys(found).length === 0) void save(fields, look);
  };

  return (
    <FormFrame back={back} backLabel={role.name} heading={roleFormCopy.editing(role.name)} onSubmit={submit}>
      <FormPart heading={roleFormCopy.about.heading}>
        <AboutFields faults={faults} fields={fields} nameField={nameField} onChange={changeFields} />
      </FormPart>
      <FormPart fault={faults.look} heading={roleFormCopy.look.heading}>
        <LookFields
          look={look}
          onChange={(change) => setLook((now) => ({ ...now, ...change }))}
          voice={{ gender: fields.gender, pitchHz }}
        />
      </FormPart>
      <Fault className="mb-3 text-sm">{refusal && sentenceFor(refusal)}</Fault>
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
    try {
      await callApi("roleUpdate", { roleId, ...toRoleInput(fields), ...(await uploadFace(look, () => {})) });
      notify({ kind: "success", text: roleFormCopy.saved });
      navigate(paths.roleOpened(roleId), { replace: true });
    } catch (error) {
      const refused = refusalOf(error);
      setRefusal(refused);
      notify({ kind: "error", text: sentenceFor(refused) });
    } finally {
      setPending(false);
    }
  };
  return { isPending, refusal, save };
}

const fieldsOf = ({ name, describe, gender, tags }: Role): Fields => ({ name, describe, gender, tags: tags.join(" ") });

const lookOf = ({ avatar, portrait, gender }: Role): Look => ({
  kind: avatar ? "photo" : "drawn",
  portrait: parsePortrait(portrait) ?? randomPortrait(gender),
  batch: 1,
  photo: null,
  face: avatar ? parsePhotoFace(portrait) : null,
  avatar,
});
