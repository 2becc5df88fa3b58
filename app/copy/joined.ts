/** "没有打开：请稍后再试": what it is about, and what is said of it. */
export const withDetail = (about: string, said: string) => `${about}：${said}`;

/** "已取消，36 字已退回": one thing after the other in one sentence. */
export const inOneBreath = (...said: string[]) => said.filter(Boolean).join("，");

/** "沈砚、林小满": each once. */
export const listed = (names: readonly string[]) => [...new Set(names)].filter(Boolean).join("、");
