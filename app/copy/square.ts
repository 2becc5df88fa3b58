/** Words of the digital humans' cards and of the square. */
export const humanCopy = {
  listen: (name: string) => `试听${name}`,
  pause: (name: string) => `暂停${name}`,
  loading: (name: string) => `正在准备${name}的试听`,
  noPreview: "试听生成中，稍后再来",
  trackTitle: (name: string) => `${name} · 试听`,
} as const;

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
  sort: "排序",
  sorts: { popular: "最常用", newest: "最新", name: "按名字" },
  count: (total: number) => `${total} 个声音`,
  results: "声音列表",
  pages: "翻页",
  previous: "上一页",
  next: "下一页",
  page: (page: number, last: number) => `第 ${page} 页，共 ${last} 页`,
  nothingFound: {
    heading: "没有找到这样的声音",
    sentence: "换个词，或者放宽条件再看看。",
    action: "看全部声音",
  },
  empty: { heading: "广场正在布置", sentence: "数字人还在准备，稍后刷新就能看到。", action: "刷新" },
  failed: { heading: "声音列表没有打开", action: "再试一次" },
} as const;
