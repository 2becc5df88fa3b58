import { formatCount } from "./format";

/** Words of the square. */
export const squarePage = {
  title: "数字人广场",
  description: "听听广场里的声音：旁白、短视频、课堂、有声书、新闻，点一下就能试听。",
  heading: "数字人广场",
  sentence: "点一下就能听，不用登录。",
  search: "搜索名字、声音或用途",
  submit: "搜索",
  category: "用途",
  allCategories: "全部",
  /** As the roles carry them. */
  categories: ["短视频", "旁白解说", "有声书", "课堂教学", "电商店铺", "新闻资讯", "儿童绘本", "情感陪伴"],
  gender: "性别",
  genders: { "": "男声和女声", female: "女声", male: "男声" },
  language: "语言",
  languages: { "": "所有语言", zh: "中文", en: "英文" },
  sort: "排序",
  sorts: { popular: "最常用", newest: "最新", name: "按名字" },
  count: (total: number) => `${total} 个声音`,
  results: "声音列表",
  uses: (count: number) => (count === 0 ? "还没人用过" : `用过 ${formatCount(count)} 次`),
  clone: "去克隆",
  cloneWith: (name: string) => `用${name}的声音克隆`,
  dub: "去配音",
  dubWith: (name: string) => `用${name}的声音配音`,
  previous: "看前面的",
  more: "再看一些",
  loading: "正在拿更多声音",
  moreFailed: "后面的没有拿到。",
  retry: "再试一次",
  shown: (shown: number, total: number) => `已显示 ${shown} 个，共 ${total} 个声音`,
  end: (total: number) => `到底了，一共 ${total} 个声音`,
  nothingFound: {
    heading: "没有找到这样的声音",
    sentence: "换个词，或者放宽条件再看看。",
    action: "看全部声音",
  },
  empty: { heading: "广场正在布置", sentence: "数字人还在准备，稍后刷新就能看到。", action: "刷新" },
  failed: { heading: "声音列表没有打开", action: "再试一次" },
} as const;

/** Telling us that somebody should not be on the square. */
export const reportCopy = {
  open: (name: string) => `举报${name}`,
  title: (name: string) => `举报“${name}”`,
  sentence: "我们会尽快核实。被多人举报的声音，核实期间先从广场撤下。",
  label: "哪里不对",
  reasons: ["冒用了我或别人的声音", "假扮名人或机构", "违法或有害的内容", "头像、名字或介绍不合适", "别的原因"],
  note: "说说情况（可以不填）",
  go: "举报",
  cancel: "取消",
  thanks: "已收到举报，我们会尽快核实。",
} as const;
