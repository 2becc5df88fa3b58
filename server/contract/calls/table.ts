import { z } from "zod/v4";
import { call } from "./call";
import { capabilities, exactVoice, exactVoiceRequest, naturalVoice } from "./capabilities";
import * as clones from "./clones";
import * as links from "./consent-links";
import * as developers from "./developers";
import * as dubs from "./dubs";
import * as files from "./files";
import * as payments from "./payments";
import * as projects from "./projects";
import * as proofs from "./proofs";
import * as roles from "./roles";
import * as scripts from "./scripts";
import * as shares from "./shares";
import * as tasks from "./tasks";
import { listOf, listRows } from "./tolerant";
import * as trials from "./trials";
import * as users from "./users";
import * as videos from "./videos";
import * as designs from "./voice-designs";
import * as works from "./works";

const nothing = z.object({});
/** Whatever comes back: the call's effect is all that counts. */
const done = z.preprocess(() => null, z.null());
const signed = z.unknown();
const visitor = { caller: "visitor" } as const;
const anyone = { caller: "none" } as const;
const ours = { confidence: "O" } as const;
const ourPublic = { ...anyone, ...ours } as const;
const ourVisitor = { ...visitor, ...ours } as const;
const bytesOf = (...contentTypes: string[]) => ({ answers: "bytes", contentTypes }) as const;
const subtitles = ["application/x-subrip", "text/vtt", "text/plain"];
const exported = bytesOf("audio/mpeg", "audio/wav", "audio/mp4", "application/zip", ...subtitles);
const spoken = bytesOf("audio/mpeg", "audio/wav", "audio/flac");
const shared = bytesOf("audio/mpeg", "video/mp4", "application/json", "image/png");
const multipart = { sends: "multipart", caller: "visitor" } as const;

/** Every call of /api/v1, the specification's 22 first. The BFF, the embedded upstream, the OpenAPI document and the conformance suite read it. */
export const calls = {
  captcha: call("POST /code/captcha", users.captchaRequest, users.captchaSent, anyone),
  login: call("POST /users/login", users.loginRequest, users.loggedIn, anyone),
  logout: call("GET /users/logout", nothing, done, { isSafe: false }),
  userInfo: call("GET /users/info", nothing, users.userInfo),
  products: call("GET /pay/product", nothing, listRows(payments.product), anyone),
  orderCreate: call("POST /pay/order/qrcode", payments.orderCreateRequest, payments.orderCreated),
  payResult: call("POST /pay/result", payments.payResultRequest, payments.payResult),
  fileUpload: call("POST /file/upload", files.fileUploadRequest, files.uploadedFile, multipart),
  recordingUpload: call("POST /file/uploadCustom", files.recordingUploadRequest, files.uploadedRecording, multipart),
  roleCreate: call("POST /voice/role/create", roles.roleCreateRequest, roles.roleCreated),
  roleList: call("GET /voice/role/list", roles.roleListQuery, listOf(roles.role)),
  roleDelete: call("POST /voice/role/del", roles.roleDeleteRequest, done),
  cloneCreate: call("POST /voice/create", clones.cloneCreateRequest, clones.cloneCreated),
  cloneList: call("GET /voice/list", tasks.taskListQuery, listOf(clones.clone)),
  cloneDelete: call("POST /voice/del", clones.cloneDeleteRequest, done),
  dubCreate: call("POST /dubbing/create", dubs.dubCreateRequest, dubs.dubCreated),
  dubList: call("GET /dubbing/list", dubs.dubListQuery, listOf(dubs.dub), { sends: "query-and-json" }),
  dubDelete: call("POST /dubbing/del", dubs.dubDeleteRequest, done),
  squareList: call("GET /role/common/list", roles.squareListQuery, listOf(roles.squareRole), anyone),
  squareHome: call("GET /role/common/home", roles.squareHomeQuery, roles.squareHome, anyone),
  trialCreate: call("POST /voice/try/create", trials.trialCreateRequest, trials.trialCreated, visitor),
  trialResult: call("GET /voice/try/result", trials.trialResultQuery, trials.trialResult, visitor),

  capabilities: call("GET /capabilities", nothing, capabilities, ourPublic),
  naturalVoice: call("GET /natural-voice", nothing, naturalVoice, ourPublic),
  naturalVoiceCancel: call("POST /natural-voice/cancel", nothing, naturalVoice, ourPublic),
  exactVoice: call("GET /exact-voice", nothing, exactVoice, ourPublic),
  exactVoiceInstall: call("POST /exact-voice/install", exactVoiceRequest, exactVoice, ourPublic),
  exactVoiceCancel: call("POST /exact-voice/cancel", nothing, exactVoice, ourPublic),
  taskEvents: call("GET /tasks/events", tasks.taskEventsQuery, tasks.taskEvent, { ...ourVisitor, answers: "events" }),
  taskCancel: call("POST /tasks/cancel", tasks.taskRequest, done, ourVisitor),
  taskRetry: call("POST /tasks/retry", tasks.taskRequest, done, ours),
  rolePublish: call("POST /voice/role/publish", roles.rolePublishRequest, done, ours),
  roleRevoke: call("POST /voice/role/revoke", roles.roleRevokeRequest, proofs.revocationReceipt, ours),
  roleUpdate: call("POST /voice/role/update", roles.roleUpdateRequest, roles.role, ours),
  voiceDesigns: call("GET /voice/design/list", designs.voiceDesignsQuery, designs.voiceDesigns, ours),
  proofPrompt: call("POST /voice/proof/prompt", proofs.proofPromptRequest, proofs.proofPrompt, ourVisitor),
  proofSubmit: call("POST /voice/proof/submit", proofs.proofSubmitRequest, proofs.proofResult, ourVisitor),
  proofResult: call("GET /voice/proof/result", proofs.proofResultQuery, proofs.proofResult, ourVisitor),
  proofReview: call("POST /voice/proof/review", proofs.proofReviewRequest, done, ourVisitor),
  consentLinkCreate: call("POST /voice/consent-link/create", links.consentLinkCreateRequest, links.consentLink, ours),
  consentLinkList: call("GET /voice/consent-link/list", links.consentLinkListQuery, links.consentLinks, ours),
  consentLinkRemove: call("POST /voice/consent-link/remove", links.consentLinkRemoveRequest, done, ours),
  consentAsk: call("GET /voice/consent-link/ask", links.consentAskQuery, links.consentAsk, ourPublic),
  consentPrompt: call("POST /voice/consent-link/prompt", links.consentPromptRequest, links.consentPrompt, ourPublic),
  consentSubmit: call("POST /voice/consent-link/submit", links.consentSubmitRequest, links.consentResult, ourVisitor),
  consentAnswer: call("POST /voice/consent-link/answer", links.consentAnswerRequest, links.consentAsk, ourPublic),
  allowance: call("GET /tasks/allowance", nothing, tasks.allowance, ours),
  dubQuote: call("POST /dubbing/quote", dubs.dubQuoteRequest, dubs.dubQuote, ours),
  dubExport: call("GET /dubbing/export", dubs.dubExportQuery, done, { ...ours, ...exported }),
  readings: call("POST /script/readings", scripts.readingsRequest, scripts.readings, ourVisitor),
  sample: call("POST /script/sample", scripts.sampleRequest, scripts.sample, ours),
  dictionary: call("GET /script/dictionary", nothing, scripts.dictionary, ours),
  dictionaryPut: call("POST /script/dictionary/put", scripts.dictionaryPutRequest, scripts.dictionary, ours),
  dictionaryDelete: call("POST /script/dictionary/del", scripts.dictionaryDeleteRequest, scripts.dictionary, ours),
  roleReport: call("POST /role/common/report", roles.roleReportRequest, done, ourVisitor),
  videoCreate: call("POST /video/create", videos.videoCreateRequest, videos.videoCreated, ours),
  videoList: call("GET /video/list", videos.videoListQuery, videos.videoList, ours),
  videoDelete: call("POST /video/del", videos.videoDeleteRequest, done, ours),
  videoTemplates: call("GET /video/template/list", nothing, videos.videoTemplateList, ours),
  videoTemplatePut: call("POST /video/template/put", videos.videoTemplatePutRequest, videos.videoTemplateList, ours),
  videoTemplateDelete: call(
    "POST /video/template/del",
    videos.videoTemplateDeleteRequest,
    videos.videoTemplateList,
    ours,
  ),
  shareCreate: call("POST /share/create", shares.shareCreateRequest, shares.share, ourVisitor),
  shareRevoke: call("POST /share/revoke", shares.shareRevokeRequest, done, ourVisitor),
  shareList: call("GET /share/list", shares.shareListQuery, listOf(shares.share), ourVisitor),
  shareInfo: call("GET /share/info", shares.shareInfoQuery, shares.sharedWork, ourPublic),
  shareFile: call("GET /share/file", shares.shareFileQuery, done, { ...ourPublic, ...shared }),
  shareReport: call("POST /share/report", shares.shareReportRequest, done, ourVisitor),
  stepStart: call("POST /users/step/start", nothing, done, ours),
  orderCancel: call("POST /pay/order/cancel", payments.orderCancelRequest, payments.orderCancelled, ours),
  payAuthorize: call("GET /pay/authorize", payments.payAuthorizeQuery, payments.payAuthorized, ours),
  payPayer: call("GET /pay/payer", payments.payPayerQuery, payments.payPayer, ours),
  handoverCreate: call("POST /pay/handover", payments.handoverCreateRequest, payments.handoverCreated, ours),
  handoverOpen: call("POST /pay/handover/open", payments.handoverOpenRequest, payments.handoverOpened, ourPublic),
  handoverPay: call("POST /pay/handover/pay", payments.handoverPayRequest, payments.orderCreated, ourPublic),
  handoverShow: call("GET /pay/handover/show", payments.handoverShowQuery, payments.handoverShown, ourPublic),
  refundAsk: call("POST /pay/order/refund", payments.refundAskRequest, done, ours),
  invoiceAsk: call("POST /pay/order/invoice", payments.invoiceAskRequest, done, ours),
  orders: call("GET /pay/orders", payments.orderListQuery, listOf(payments.order), ours),
  referral: call("GET /users/referral", nothing, users.referral, ours),
  redeem: call("POST /pay/redeem", payments.redeemRequest, payments.redeemed, ours),
  ledger: call("GET /users/ledger", users.ledgerQuery, listOf(users.ledgerEntry), ours),
  userExport: call("GET /users/export", nothing, done, { ...ours, ...bytesOf("application/zip") }),
  audibleMark: call("GET /users/audible-mark", nothing, users.audibleMark, ours),
  audibleMarkChange: call("POST /users/audible-mark", users.audibleMarkChangeRequest, users.audibleMark, ours),
  messages: call("GET /users/messages", nothing, users.messages, ours),
  messagesChange: call("POST /users/messages", users.messagesChangeRequest, users.messages, ours),
  userDeleteCode: call("POST /users/delete/code", nothing, users.captchaSent, ours),
  userDelete: call("POST /users/delete", users.accountDeleteRequest, users.accountDeleted, ours),
  notifyWechat: call("POST /pay/notify/wechat", signed, done, { ...ourPublic, ...bytesOf("application/json") }),
  notifyAlipay: call("POST /pay/notify/alipay", signed, done, { ...ourPublic, ...bytesOf("text/plain") }),
  cashier: call("GET /sandbox/cashier", payments.cashierQuery, payments.cashierView, ourPublic),
  cashierPull: call("POST /sandbox/cashier", payments.cashierRequest, payments.cashierView, ourPublic),
  transcribe: call("POST /audio/transcriptions", scripts.transcriptionRequest, scripts.transcription, {
    ...ours,
    sends: "multipart",
    contentTypes: ["text/plain"],
  }),
  speech: call("POST /audio/speech", developers.speechRequest, done, { ...ours, ...spoken }),
  speechModels: call("GET /models", nothing, developers.modelList, { ...ours, answers: "json" }),
  speechVoices: call("GET /audio/voices", nothing, developers.speechVoiceList, { ...ours, answers: "json" }),
  keyList: call("GET /users/keys", nothing, developers.apiKeyList, ours),
  keyCreate: call("POST /users/keys", developers.apiKeyCreateRequest, developers.apiKeyCreated, ours),
  keyRevoke: call("POST /users/keys/revoke", developers.apiKeyRevokeRequest, done, ours),
  webhook: call("GET /users/webhook", nothing, developers.webhook, ours),
  webhookPut: call("POST /users/webhook", developers.webhookPutRequest, developers.webhookPut, ours),
  webhookRemove: call("POST /users/webhook/del", nothing, done, ours),
  webhookTest: call("POST /users/webhook/test", nothing, done, ours),
  projectList: call("GET /project/list", projects.projectListQuery, projects.projectList, ours),
  projectGet: call("GET /project/get", projects.projectRequest, projects.project, ours),
  projectPut: call("POST /project/put", projects.projectPutRequest, projects.projectPut, ours),
  projectRename: call("POST /project/rename", projects.projectRenameRequest, projects.projectSummary, ours),
  projectDuplicate: call("POST /project/duplicate", projects.projectDuplicateRequest, projects.projectSummary, ours),
  projectDelete: call("POST /project/del", projects.projectRequest, done, ours),
  projectRestore: call("POST /project/restore", projects.projectRequest, projects.projectSummary, ours),
  workList: call("GET /works/list", works.workListQuery, works.workList, ours),
  storage: call("GET /users/storage", nothing, works.storage, ours),
  musicUpload: call("POST /file/uploadMusic", nothing, files.uploadedMusic, { ...ours, sends: "multipart" }),
  verify: call("POST /verify", nothing, files.verified, { ...multipart, ...ourPublic }),
} as const;

export type CallName = keyof typeof calls;

/** Reads whose answer without a token is the same for every caller. */
export const publicReads: ReadonlySet<CallName> = new Set(["products", "squareList", "squareHome"]);
/** Calls after which public reads may answer something else. */
export const publicChanges: ReadonlySet<CallName> = new Set([
  "rolePublish",
  "roleUpdate",
  "roleDelete",
  "roleRevoke",
  "consentAnswer",
  "roleReport",
  "userDelete",
]);
/** Calls of OpenAI's interface, which refuse in its form. The site, which sends its appid, gets envelopes of `transcribe`. */
export const openAiCalls: ReadonlySet<CallName> = new Set(["speech", "speechModels", "speechVoices", "transcribe"]);
/** Calls, besides files, in which a key acts for its account. */
export const keyCalls: ReadonlySet<CallName> = new Set([
  "speech",
  "speechModels",
  "speechVoices",
  "transcribe",
  "roleList",
  "allowance",
  "cloneCreate",
  "cloneList",
  "cloneDelete",
  "dubCreate",
  "dubList",
  "dubDelete",
  "dubQuote",
  "dubExport",
  "taskCancel",
]);
export type CallRequest<N extends CallName> = z.output<(typeof calls)[N]["request"]>;
export type CallData<N extends CallName> = z.output<(typeof calls)[N]["data"]>;

type DataSchemas = { [N in CallName]: { data: z.ZodType<CallData<N>> } };
/** Schema of a call's `data`. */
export const dataSchemaOf = <N extends CallName>(name: N) => (calls as DataSchemas)[name].data;
