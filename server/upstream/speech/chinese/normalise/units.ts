import spokenUnits from "./units.json" with { type: "json" };

/** Spoken units by symbol; case-sensitive (g is 克, G is a letter). */
export const units: Record<string, string> = spokenUnits;

export const unitPattern = Object.keys(units)
  .sort((left, right) => right.length - left.length)
  .join("|");

/** A single 2 before one of these is read 两. */
export const measureWords = [
  "个人?|只|条|张|本|位|件|种|次(?!方)|天(?!干)|年(?!级|[0-9])|名|家|间|支|枝|块|片|棵|辆|台|部|杯|瓶|碗|盘|袋|包|盒|箱|双|对|套|份|篇|首|句|页|行|列|排|段|层",
  "元|毛|美元|欧元|英镑|分钟|小时|秒钟?|周(?!年)|星期|点钟?|倍|岁|米|公里|千米|厘米|毫米|公斤|千克|克|斤|吨|升|毫升|亩|平方|立方|万|亿|千|百",
  "把|根|颗|粒|匹|头|架|艘|座|栋|幢|扇|场|顿|遍|趟|下|口|股|笔|项|门|节|滴|朵|串|堆|群|批|组|副|幅|封|道|名|员|户|枚|款|瓣|卷|集团|成(?!都)|半|刻钟|寸|尺|里(?!面)|折",
].join("|");
