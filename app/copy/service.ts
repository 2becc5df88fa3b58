/** Words of the customer-service button and of the panel it opens. */
export const serviceCopy = {
  region: "客服",
  open: "联系客服",
  hint: "可以拖动，也可以用方向键移动",
  hide: "收起客服按钮",
  title: "联系客服",
  close: "关闭",
  qr: "客服二维码",
  /** Where the operator has set nothing: the code leads to the site itself. */
  demo: "这是演示站，没有真人客服。扫码可以在手机上接着用；部署时在设置里换成你们的二维码和说明。",
  terms: "先看看服务条款",
} as const;
