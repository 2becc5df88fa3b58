import type { CallName } from "~server/contract/calls/table";

interface Sample {
  /** Reading calls that return code 0 for every permitted caller. */
  valid?: Record<string, unknown>;
  /** Requests that the contract refuses. */
  invalid?: Record<string, unknown>;
  /** Well-formed requests with ids that do not exist. */
  unknown?: Record<string, unknown>;
}

const unknownId = "no-such-id";
const unknownToken = "x".repeat(32);

export const samples: Partial<Record<CallName, Sample>> = {
  capabilities: { valid: {} },
  captcha: { invalid: { phone: "12000000000" } },
  login: { invalid: { phone: "13800000000" }, unknown: { phone: "13800000000", verifyCode: "000000" } },
  userInfo: { valid: {} },
  products: { valid: {} },
  orderCreate: {
    invalid: { pCode: "x", sign: "not a signature", platform: 9 },
    unknown: { pCode: unknownId, sign: "0".repeat(32), platform: 1 },
  },
  payResult: { invalid: {}, unknown: { orderId: unknownId, sign: "0".repeat(32) } },
  roleCreate: {
    invalid: { name: "" },
    unknown: { name: "a", voicePath: "/api/v1/files/none.wav", consent: { statementId: "voice-consent-1" } },
  },
  roleList: { valid: { page: 1, pageSize: 5 }, invalid: { page: 0 } },
  roleDelete: { invalid: {} },
  cloneCreate: { invalid: { content: "" }, unknown: { content: "你好", roleId: unknownId, speed: 1 } },
  cloneList: { valid: { page: 1, pageSize: 5, keyword: "100%", status: 2 }, invalid: { page: "x" } },
  cloneDelete: { invalid: {} },
  dubCreate: { invalid: { lines: [] }, unknown: { lines: [{ roleId: unknownId, content: "你好" }] } },
  dubList: { valid: { page: 1, pageSize: 5 }, invalid: { page: -1 } },
  dubDelete: { invalid: {} },
  dubQuote: { valid: { lines: [{ roleId: unknownId, content: "你好" }] }, invalid: { lines: [] } },
  readings: { valid: { content: "银行" }, invalid: { content: "" } },
  sample: { invalid: { content: "" }, unknown: { content: "你好", roleId: unknownId } },
  voiceDesigns: { valid: { words: "女声、低沉", page: 1, pageSize: 3 }, invalid: { page: 0 } },
  dictionary: { valid: {} },
  dictionaryPut: { invalid: { word: "行", pinyin: "" } },
  dictionaryDelete: { valid: { word: "没有这个词" }, invalid: { word: "" } },
  squareList: { valid: { page: 1, pageSize: 5 }, invalid: { page: 0 } },
  squareHome: { valid: {} },
  trialCreate: { invalid: { content: "" }, unknown: { content: "你好", roleId: unknownId } },
  trialResult: { invalid: {}, unknown: { taskId: unknownId } },
  allowance: { valid: {} },
  taskCancel: { invalid: {}, unknown: { taskId: unknownId } },
  taskRetry: { invalid: {}, unknown: { taskId: unknownId } },
  roleUpdate: { invalid: { name: "" }, unknown: { roleId: unknownId, name: "a" } },
  rolePublish: { invalid: {}, unknown: { roleId: unknownId, isPublic: true } },
  proofPrompt: { invalid: {}, unknown: { roleId: unknownId } },
  proofSubmit: { invalid: {}, unknown: { promptId: unknownId, voicePath: "/api/v1/files/none.wav" } },
  proofResult: { invalid: {}, unknown: { promptId: unknownId } },
  proofReview: { invalid: {}, unknown: { promptId: unknownId } },
  consentLinkCreate: { invalid: { roleId: unknownId, askerName: "" }, unknown: { roleId: unknownId, askerName: "a" } },
  consentLinkList: { valid: {} },
  consentLinkRemove: { invalid: {}, unknown: { linkId: unknownId } },
  consentAsk: { invalid: { token: "short" }, unknown: { token: unknownToken } },
  consentPrompt: { invalid: {}, unknown: { token: unknownToken } },
  consentSubmit: {
    invalid: { token: unknownToken },
    unknown: { token: unknownToken, promptId: unknownId, voicePath: "/api/v1/files/none.wav" },
  },
  consentAnswer: {
    invalid: { token: unknownToken, answer: "maybe" },
    unknown: { token: unknownToken, answer: "decline" },
  },
  roleReport: { invalid: {}, unknown: { roleId: unknownId, reason: "x" } },
  shareCreate: { invalid: { kind: "role" }, unknown: { kind: "clone", id: unknownId } },
  shareRevoke: { invalid: {}, unknown: { shareId: unknownId } },
  shareList: { valid: { page: 1 }, invalid: { page: 0 } },
  shareInfo: { invalid: {}, unknown: { shareId: unknownId } },
  shareFile: { invalid: { shareId: unknownId }, unknown: { shareId: unknownId, part: "sound" } },
  shareReport: { invalid: {}, unknown: { shareId: unknownId, reason: "x" } },
  stepStart: {},
  payAuthorize: { valid: { platform: 1, returnTo: "https://voice.example/a", state: unknownToken }, invalid: {} },
  payPayer: { invalid: {} },
  handoverCreate: { invalid: {}, unknown: { orderId: unknownId } },
  handoverOpen: { invalid: {}, unknown: { token: unknownToken } },
  handoverPay: { invalid: { pass: unknownToken }, unknown: { pass: unknownToken, platform: 1 } },
  handoverShow: { invalid: {}, unknown: { pass: unknownToken } },
  redeem: { invalid: {} },
  invoiceAsk: {
    invalid: { buyer: "company" },
    unknown: { orderId: unknownId, buyer: "person", title: "a", taxNumber: "", email: "a@b.example" },
  },
  refundAsk: { invalid: {}, unknown: { orderId: unknownId } },
  orderCancel: { invalid: {}, unknown: { orderId: unknownId } },
  orders: { valid: { page: 1 }, invalid: { page: 0 } },
  referral: { valid: {} },
  ledger: { valid: { page: 1 }, invalid: { page: 0 } },
  workList: { valid: { pageSize: 5, kind: "dub", keyword: "100%", roleId: unknownId }, invalid: { kind: "role" } },
  storage: { valid: {} },
  projectList: { valid: { pageSize: 5, keyword: "100%" }, invalid: { pageSize: 0 } },
  projectGet: { invalid: {}, unknown: { projectId: unknownId } },
  projectPut: { invalid: { projectId: unknownId } },
  projectRename: { invalid: {}, unknown: { projectId: unknownId, title: "a" } },
  projectDuplicate: { invalid: {}, unknown: { projectId: unknownId, copyId: "no-such-copy", title: "a" } },
  projectDelete: { invalid: {} },
  projectRestore: { invalid: {}, unknown: { projectId: unknownId } },
};
