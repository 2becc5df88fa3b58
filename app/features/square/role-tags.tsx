export function RoleTags({ tags }: { tags: readonly string[] }) {
  return (
    <ul className="flex h-6 flex-wrap gap-1.5 overflow-hidden">
      {tags.map((tag) => (
        <li className="rounded-full bg-wash px-2 text-xs leading-6 text-muted" key={tag}>
          {tag}
        </li>
      ))}
    </ul>
  );
}
