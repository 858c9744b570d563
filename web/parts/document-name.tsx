interface Props {
  path: string;
  /** Absent if only the file name is known. */
  title?: string | undefined;
}

/** The title of a document, with its path next to it, or the path alone. */
export function DocumentName({ path, title }: Props) {
  if (title === undefined) return <span className="truncate font-medium">{path}</span>;
  return (
    <span className="min-w-0">
      <span data-user-content className="block truncate font-medium">
        {title}
      </span>
      <span className="block truncate text-xs font-normal text-muted">{path}</span>
    </span>
  );
}
