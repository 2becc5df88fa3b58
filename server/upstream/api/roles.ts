import type { z } from "zod/v4";
import type { CallData, CallRequest } from "~server/contract/calls/table";
import { AppError } from "../errors";
import type { ConsentLinks } from "../voices/consent-links";
import type { Proofs } from "../voices/proofs/proofs";
import type { Auth } from "./auth";
import { createCallRoutes, idsOf } from "./calls";
import { parse } from "./parse";
import type { ApiParts } from "./parts";
import type { AnswerShared } from "./public-answers";

/** An account's own roles. */
export const createRoleRoutes = ({ roles, revocations, speech }: ApiParts, auth: Auth) =>
  createCallRoutes(
    auth,
    {
      roleCreate: (request, { accountId, address, idempotencyKey }) =>
        roles.create({ accountId, address }, request, idempotencyKey),
      roleList: (query, { accountId }) => roles.list(accountId, query),
      voiceDesigns: (query) => listDesigns(speech.designs, query),
      roleUpdate: ({ roleId, ...change }, { accountId, address }) =>
        roles.update({ accountId, address }, roleId, change),
      rolePublish: ({ roleId, isPublic }, { accountId }) => roles.publish(accountId, roleId, isPublic),
      roleRevoke: ({ roleId }, { accountId, idempotencyKey }) => revocations.revoke(accountId, roleId, idempotencyKey),
      roleDelete: ({ roleId, ids }, { accountId }) => roles.remove(accountId, idsOf(roleId, ids)),
    },
    { roleCreate: parseNewRole },
  );

/** Designed voices for a description in words, the nearest first. Throws voice-of-person where it names a person. */
function listDesigns(
  designs: ApiParts["speech"]["designs"],
  { words, page, pageSize }: CallRequest<"voiceDesigns">,
): CallData<"voiceDesigns"> {
  const { voices, unread, asksForPerson } = designs.search(words);
  if (asksForPerson) throw new AppError("voice-of-person", "the description names a person");
  const shown = voices.slice((page - 1) * pageSize, page * pageSize);
  const list = shown.map(({ id, gender, pitchHz, tempo }) => ({ designId: id, gender, pitchHz, tempo }));
  return { list, total: voices.length, unread };
}

/** Throws consent-missing where only the consent is missing or malformed, bad-request for other faults. */
function parseNewRole<T extends z.ZodType>(schema: T, body: unknown): z.output<T> {
  const issues = schema.safeParse(body).error?.issues ?? [];
  if (issues.length > 0 && issues.every(({ path }) => path[0] === "consent")) {
    throw new AppError("consent-missing", "no consent");
  }
  return parse(schema, body);
}

/** The square, and reports about its roles. */
export const createSquareRoutes = ({ square, reports }: ApiParts, auth: Auth, answerShared: AnswerShared) =>
  createCallRoutes(auth, {
    // Searches are too many to keep.
    squareList: (query, { c }) =>
      query.keyword ? square.list(query) : answerShared(c, `list ${JSON.stringify(query)}`, () => square.list(query)),
    squareHome: ({ size }, { c }) => answerShared(c, `home ${size}`, () => square.home(size)),
    roleReport: (report, { owner, address }) => reports.file({ owner, address }, report),
  });

/** Proofs of voices: a prompt, its judgement, and a review by operators. */
export const createProofRoutes = (proofs: Proofs, auth: Auth) =>
  createCallRoutes(auth, {
    proofPrompt: (request, { owner, address }) => proofs.createPrompt({ owner, address }, request),
    proofSubmit: (request, { owner }) => proofs.submit({ owner }, request),
    proofResult: ({ promptId }, { owner }) => proofs.getResult(owner, promptId),
    proofReview: ({ promptId }, { owner }) => proofs.askReview(owner, promptId),
  });

/** Links that ask for the consent of another person: the account's calls, and those of the person with the link. */
export const createConsentLinkRoutes = (links: ConsentLinks, auth: Auth) =>
  createCallRoutes(auth, {
    consentLinkCreate: (request, { accountId }) => links.create(accountId, request),
    consentLinkList: (query, { accountId }) => links.list(accountId, query),
    consentLinkRemove: ({ linkId }, { accountId }) => links.remove(accountId, linkId),
    consentAsk: ({ token }) => links.ask(token),
    consentPrompt: ({ token }, { address }) => links.createPrompt(token, address),
    consentSubmit: (request, { owner, address }) => links.submit({ owner, address }, request),
    consentAnswer: (request) => links.answer(request),
  });

/** The natural voice that comes by itself. */
export const createNaturalVoiceRoutes = (voice: NonNullable<ApiParts["naturalVoice"]>, auth: Auth) =>
  createCallRoutes(auth, {
    naturalVoice: async () => voice.read(),
    naturalVoiceCancel: async () => {
      voice.cancel();
      return voice.read();
    },
  });

/** The cloner that a person may install. */
export const createExactVoiceRoutes = (voice: NonNullable<ApiParts["exactVoice"]>, auth: Auth) =>
  createCallRoutes(auth, {
    exactVoice: async () => voice.read(),
    exactVoiceInstall: async () => {
      voice.ask();
      return voice.read();
    },
    exactVoiceCancel: async () => {
      voice.cancel();
      return voice.read();
    },
  });
