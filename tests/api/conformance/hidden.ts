import { type CallName, calls } from "~server/contract/calls/table";

/** What the site leaves out where an upstream lacks these calls of ours; the specification's calls it cannot do without. */
const hiddenParts: ReadonlyArray<[CallName[], string]> = [
  [["capabilities"], "all extensions below, and what is said about the engine and the AI label"],
  [["naturalVoice", "naturalVoiceCancel"], "the notice of a voice that is being downloaded"],
  [["exactVoice", "exactVoiceInstall", "exactVoiceCancel"], "安装精确克隆 on this machine"],
  [["taskEvents"], "progress as it happens: the pages ask every 2 to 30 seconds instead"],
  [["taskCancel"], "取消 of what waits or runs"],
  [["taskRetry"], "重试 of what failed"],
  [["allowance"], "characters left, unless users/info has them in `quota`"],
  [["roleUpdate"], "修改 of a digital human, 去确认 of its photo"],
  [["rolePublish"], "公开到广场"],
  [["roleRevoke"], "撤回授权 with its receipt"],
  [["roleReport"], "举报 on the square"],
  [["proofPrompt", "proofSubmit", "proofResult", "proofReview"], "the proof of a voice"],
  [["consentLinkCreate", "consentLinkList", "consentLinkRemove"], "links that ask another person for consent"],
  [["consentAsk", "consentPrompt", "consentSubmit", "consentAnswer"], "the pages of those links"],
  [["dubQuote"], "the price of changed lines alone: every line counts"],
  [["dubExport"], "export formats other than the dub's own file"],
  [["readings"], "polyphones to choose from"],
  [["sample"], "hearing a tone before it is chosen"],
  [["voiceDesigns"], "a digital human with a voice that belongs to nobody"],
  [["dictionary", "dictionaryPut", "dictionaryDelete"], "我的词典"],
  [["videoCreate", "videoList", "videoDelete"], "视频"],
  [["videoTemplates", "videoTemplatePut", "videoTemplateDelete"], "templates of videos"],
  [["shareCreate", "shareRevoke", "shareList", "shareInfo", "shareFile", "shareReport"], "分享 and the shared pages"],
  [["orderCancel"], "取消订单"],
  [["orders"], "the list of orders"],
  [["invoiceAsk"], "申请发票 on a paid order"],
  [["refundAsk"], "申请退款 on a paid order"],
  [["payAuthorize", "payPayer"], "payment inside WeChat"],
  [["handoverCreate", "handoverOpen", "handoverPay", "handoverShow"], "paying an order in another browser"],
  [["referral"], "邀请朋友"],
  [["redeem"], "the field for redeem codes"],
  [["stepStart"], "the early start of the next 30 days' characters"],
  [["ledger"], "the list of characters and payments"],
  [["userExport"], "导出我的数据"],
  [["audibleMark", "audibleMarkChange"], "downloads without the audible mark"],
  [["messages", "messagesChange"], "the switch for text messages"],
  [["userDeleteCode", "userDelete"], "注销账号"],
  [["notifyWechat", "notifyAlipay"], "nothing: these are for the gateways"],
  [["cashier", "cashierPull"], "the sandbox cashier of demo mode"],
  [["transcribe"], "text from a recording, and subtitles of a sound file"],
  [["keyList", "keyCreate", "keyRevoke"], "the keys of an account for programs"],
  [["webhook", "webhookPut", "webhookRemove", "webhookTest"], "webhooks for finished and failed work"],
  [
    [
      ...(["projectList", "projectGet", "projectPut", "projectRename"] as const),
      ...(["projectDuplicate", "projectDelete", "projectRestore"] as const),
    ],
    "projects in the account: they stay in the browser",
  ],
  [["workList"], "我的作品"],
  [["storage"], "what an account's results take, and how long they are kept"],
  [["speech", "speechModels", "speechVoices"], "the link to the developers' page, and OpenAI's interface"],
  [["musicUpload"], "music of one's own under a dub"],
  [["verify"], "the page /verify"],
];

/** What the site hides, with the routes of the calls it misses. */
export const findHidden = (missing: ReadonlySet<CallName>) =>
  hiddenParts.flatMap(([names, part]) => {
    const lacking = names.filter((name) => missing.has(name));
    return lacking.length > 0
      ? [{ part, routes: lacking.map((name) => `${calls[name].method} ${calls[name].path}`) }]
      : [];
  });

export const explainedCalls: ReadonlySet<CallName> = new Set(hiddenParts.flatMap(([names]) => names));
