/** Texts of invoices and receipts of orders. */
export const invoiceCopy = {
  ask: "申请发票",
  change: "修改发票信息",
  asked: (title: string) => `已申请发票，抬头“${title}”，等待开票`,
  issued: (number: string) => `发票已开具，号码 ${number}`,
  declined: "发票申请被退回，请核对抬头和税号后重新申请",
  title: "申请发票",
  sentence: "开好后发到你的邮箱。金额是实付金额，退款的部分不开票。",
  close: "关闭",
  buyer: "抬头类型",
  buyers: { person: "个人", company: "单位" },
  name: "发票抬头",
  taxNumber: "税号",
  taxNumberFault: "税号是 15 到 20 位数字和大写字母，请核对。",
  email: "接收邮箱",
  submit: "提交申请",
  done: "已提交发票申请",
} as const;

export const receiptCopy = {
  open: "收据",
  title: "收据",
  close: "关闭",
  rows: {
    payee: "收款方",
    number: "商户单号",
    transaction: "交易号",
    product: "商品",
    method: "支付方式",
    paidAt: "付款时间",
    paid: "实付金额",
    refunded: "已退款",
  },
  note: "这张收据不是发票。",
  print: "打印或存为 PDF",
} as const;
