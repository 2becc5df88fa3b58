/** Words for whoever has no account yet. */
export const visitorCopy = {
  sentence: "给声音一张脸：录一句话，就有一个会开口、会眨眼、用你的声音说话的数字人。",
  points: [
    "口型跟着声音走，一个音一个口型",
    "声音、头像和授权只属于你的账号，删掉就真的删掉",
    "可以留给自己用，也可以公开到广场",
  ],
  login: "登录后新建",
  samples: "先听听他们",
  toSquare: "去广场看更多",
} as const;
