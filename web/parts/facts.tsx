/** Names and values; a value keeps its lines, and is never more than text. */
export function Facts({ rows }: { rows: [name: string, value: string][] }) {
  return (
    <dl className="divide-y divide-line">
      {rows.map(([name, value]) => (
        <div key={name} className="flex flex-wrap gap-x-4 py-2 text-sm">
          <dt className="w-40 text-muted">{name}</dt>
          <dd className="min-w-0 flex-1 break-words whitespace-pre-wrap">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
