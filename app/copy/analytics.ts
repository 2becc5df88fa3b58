/** Who somebody is in the statistics. */
export const tierTags = { visitor: "游客", none: "免费用户", vip: "VIP", svip: "SVIP" } as const;
