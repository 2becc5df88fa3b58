/** Where the navigation leads, in its order. */
export const destinations = [
  { key: "home", icon: "home" },
  { key: "clone", icon: "mic" },
  { key: "role", icon: "person" },
  { key: "dubbing", icon: "script" },
  { key: "square", icon: "grid" },
] as const;
