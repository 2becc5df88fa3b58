import type { CallData } from "~server/contract/calls/table";
import { downloadSentence } from "./site";

type ExactVoice = CallData<"exactVoice">;

/** Texts of the exact cloner that one press installs on this machine. */
export const exactVoiceCopy = {
  label: "精确克隆",
  invitation: "想要和本人一样的声音？装上精确克隆，录音不出这台机器。",
  install: (size: string) => `安装精确克隆（${size}）`,
  queued: "正在准备安装精确克隆。",
  arriving: (figures: string) => `正在下载精确克隆：${figures}。`,
  trying: "已经下载，正在安装运行组件，按这台机器的速度选 4 步或 8 步并试音。",
  speaking: "精确克隆装好了，下一次生成就用它。",
  others: "现在的任务不受影响，照旧完成。",
  cancel: "取消",
  again: "再试一次",
  progress: "下载进度",
  faults: {
    room: "没有装成：磁盘空间不够。请腾出空间再试。",
    download: "没有装成：几个下载地址都连不上，或者文件不对。请检查这台机器的网络再试，已下载的部分会接着用。",
    busy: "没有装成：另一个安装正在进行。请等它结束再试。",
    runtime: "没有装成：模型已经下载，运行组件没有装上。请检查这台机器的网络和 npm 再试。",
    silent: "没有装成：模型已经下载，但在这台机器上没有说出话来。详情在服务器日志里。",
    other: "没有装成，详情在服务器日志里。",
  } satisfies Record<NonNullable<ExactVoice["fault"]>, string>,
  unreachable: "没有送到，请检查网络再试。",
  dialog: {
    title: "安装精确克隆",
    description: "ZipVoice 在这台机器上运行，照着录音逐字克隆。",
    size: "大小",
    sizeOf: (size: string) => `${size}，另有运行组件约 32 MB`,
    licence: "许可",
    sale: "收费服务",
    sales: {
      yes: "可以用于收费服务。",
      no: "不可以用于收费服务。",
      unclear: "没有许可用于收费服务：要收费，请先问过作者。",
    } satisfies Record<ExactVoice["mayBeSold"], string>,
    needs: "需要",
    needed: "1 到 10 秒的录音，和录音里念的文字。",
    about: "查看模型和许可",
    close: "关闭",
    accept: "接受许可并安装",
  },
} as const;

/** The state in one sentence. */
export function exactVoiceSentence({ state, fault, ...figures }: ExactVoice): string {
  if (state === "failed") return exactVoiceCopy.faults[fault ?? "other"];
  if (state === "arriving") return exactVoiceCopy.arriving(downloadSentence(figures));
  return state === "absent" ? exactVoiceCopy.invitation : exactVoiceCopy[state];
}
