/** What a person's role begins with: its place on the square, and what it says when somebody taps it. */
export const personalRole = {
  category: "真人声音",
  preview: "你好，很高兴认识你。想说的话交给我，我来替你讲给大家听。",
};
