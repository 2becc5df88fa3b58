import { z } from "zod/v4";
import { roleDescribeMax, roleNameMax } from "../limits";
import { recogniser, withSound } from "./foreign";
import { proofResult } from "./proofs";
import {
  address,
  aliased,
  avatarNames,
  createdNames,
  createdRecord,
  extra,
  flag,
  id,
  idList,
  listRows,
  moment,
  number,
  numberOr,
  optional,
  orNull,
  pageQuery,
  shownName,
  tagList,
  taskStatus,
  text,
} from "./tolerant";

const genders = ["male", "female", "unknown"] as const;
const numbered = new Map<unknown, (typeof genders)[number]>([
  [1, "male"],
  ["1", "male"],
  [2, "female"],
  ["2", "female"],
]);
const gender = () => z.preprocess((value) => numbered.get(value) ?? value, z.enum(genders).catch("unknown"));

const roleIds = ["roleId", "audioId", "id", "voiceId", "uuid"];
const recognise = recogniser(
  [roleIds, ["voicePath", "filePath"]],
  [
    ["name", "roleName", "title", "nickname", "nickName", "voiceName", "userName", "label"],
    ...[["describe", "description", "desc", "intro"], avatarNames],
    ...[["gender", "sex"], ["useNum", "useCount"], createdNames],
  ],
);
/** A role or human: its preview may have the names of any sound. */
const shownRole = <T extends z.ZodType>(schema: T) => z.preprocess((value) => withSound(recognise(value)), schema);

const shown = {
  roleId: id(),
  audioId: id(),
  name: text(),
  describe: text(),
  /** An image's URL; "" if the browser draws the portrait from `portrait`. */
  avatar: address(),
  /** The preview; "" while there is none. */
  voiceUrl: address(),
  /** Ours: what sounds when in the preview, as JSON; "" if there is none. */
  timelineUrl: text(),
  tags: tagList(),
  gender: gender(),
  language: text(),
  /** Null where the upstream does not count. */
  useNum: orNull(number()),
  /** Ours: parameters of a drawn portrait, or `{photo}`: regions and points of the face of `avatar`, which stays still without. */
  portrait: orNull(z.record(z.string(), z.unknown())),
};

export const squareRole = shownRole(z.object({ ...shown, /** Ours. */ category: text() }));
/** GET /role/common/home: a plain array; a list is taken as well. */
export const squareHome = listRows(squareRole);

export const role = shownRole(
  z.object({
    ...shown,
    voicePath: text(),
    /** 1 the voice is being learned, 2 ready, 3 could not be learned; ready where nothing is said. */
    status: taskStatus(2),
    /** Ours: why it could not, as an ErrorCode. */
    reason: extra(z.string()),
    isPublic: flag(),
    /** Ours: hidden from the square until an operator has reviewed a report. */
    isUnderReview: flag(),
    /** Ours: what was measured of the voice; null while it is being learned. */
    measured: orNull(
      z.object({
        pitchHz: numberOr(0),
        /** 5th to 95th percentile of pitch, semitones. */
        pitchRangeSt: numberOr(0),
        syllablesPerSecond: orNull(z.number()),
        /** Cosines of voice vectors, 1 for the same voice; null if the upstream has no speaker model. */
        likeness: orNull(z.object({ clone: z.number(), self: orNull(z.number()) })),
      }),
    ),
    /** Ours: when and to which statement its speaker agreed, RFC 3339. */
    consentAt: text(),
    statementId: text(),
    /** Ours: its recording may be sent to the vendors of the capabilities. */
    isVendorAgreed: flag(),
    /** Ours: its owner accepted what a vendor bills once per voice. */
    isFeeAccepted: flag(),
    /**
     * Ours: whether its voice is proven; "" if the upstream asks for no proof. `short`: its recording has too little
     * speech to be proven; `judging`: a recording is being compared; `asked`: operators are to listen; `declined`: they
     * did not accept it.
     */
    proof: z.enum(["", "missing", "short", "judging", "asked", "declined", "proven"]).catch(""),
    /** Ours: why operators declined the proof, in their words. */
    proofNote: text(),
    /** Ours: why the latest recording of a prompt did not prove it, while nothing else was decided. */
    proofAttempt: orNull(proofResult.pick({ outcome: true, reason: true })),
    /** Ours: a designed voice, of no real person. */
    isDesigned: flag(),
    /** Ours: how many of the owner's own clones, dubs and trials go when the role is deleted. */
    outputs: numberOr(0),
    createdAt: moment(),
  }),
);

export const roleCreated = createdRecord(roleIds, role);

/** POST /voice/role/create. Consent: the statement shown, and the recording of it read aloud or an explicit confirmation. */
export const roleCreateRequest = aliased(
  [["voicePath", "filePath", "url", "emotionPath"]],
  z.object({
    name: shownName({ min: 1, max: roleNameMax }),
    describe: optional(shownName({ max: roleDescribeMax })),
    /** Required without `designId`. */
    voicePath: optional(id()),
    /** Ours: a designed voice instead of a recording: no real person has it, so it needs no consent. */
    designId: optional(z.string().max(40)),
    avatar: optional(z.string().max(2000)),
    /** Ours: parameters of a drawn portrait, or `{photo}`: regions and points of the face of `avatar`, which stays still without. */
    portrait: optional(z.record(z.string(), z.unknown())),
    /** Ours: what the recording says; makes the voice closer. */
    transcript: optional(z.string().max(1000)),
    gender: optional(z.enum(genders)),
    language: optional(z.string().max(20)),
    tags: optional(z.array(shownName({ max: 20 })).max(10)),
    consent: z
      .object({
        statementId: id(),
        voicePath: optional(z.string().max(2000)),
        /** Ours: what a vendor bills once per voice is accepted. */
        acceptFee: optional(flag()),
      })
      .optional(),
  }),
)
  .refine(({ voicePath, designId }) => voicePath || designId, { path: ["voicePath"] })
  .refine(({ consent, designId }) => consent || designId, { path: ["consent"] });

/** Ours: what is given changes, what is not stays. */
export const roleUpdateRequest = aliased(
  [["roleId", "audioId"]],
  z.object({
    roleId: id(),
    name: optional(shownName({ min: 1, max: roleNameMax })),
    describe: shownName({ max: roleDescribeMax }).optional(),
    avatar: optional(z.string().max(2000)),
    portrait: optional(z.record(z.string(), z.unknown())),
    gender: optional(z.enum(genders)),
    tags: optional(z.array(shownName({ max: 20 })).max(10)),
    /** Agreement to a statement that allows vendors: the voice is learned again, with them. */
    consent: optional(z.object({ statementId: id(), acceptFee: optional(flag()) })),
  }),
);

export const roleListQuery = z.object({
  ...pageQuery,
  keyword: optional(z.string().max(100)),
  /** Ours: one role alone. */
  roleId: optional(id()),
});

export const squareSorts = ["popular", "newest", "name"] as const;
export const squareListQuery = z.object({
  ...pageQuery,
  /** Ours: one role alone. */
  roleId: optional(id()),
  keyword: optional(z.string().max(100)),
  category: optional(z.string().max(40)),
  gender: optional(z.enum(genders)),
  language: optional(z.string().max(20)),
  sort: optional(z.enum(squareSorts)),
});

export const squareHomeQuery = z.object({ size: numberOr(12).pipe(z.number().int().min(1).max(100)) });

/** Ours: put a role with live consent and a proven voice on the square, or take it off. */
export const rolePublishRequest = aliased([["roleId", "audioId"]], z.object({ roleId: id(), isPublic: flag() }));
/** Ours: takes back the consent to a role's voice, with everything that was made from it. */
export const roleRevokeRequest = aliased([["roleId", "audioId"]], z.object({ roleId: id() }));

/** Ours: files a report; three different reporters hide the role until an operator reviews it. */
export const roleReportRequest = aliased(
  [["roleId", "audioId"]],
  z.object({ roleId: id(), reason: z.string().min(1).max(500) }),
);

/** One, or many at once. */
export const roleDeleteRequest = aliased(
  [["roleId", "audioId"]],
  z.object({ roleId: optional(id()), ids: optional(idList()) }).refine(({ roleId, ids }) => roleId || ids),
);
