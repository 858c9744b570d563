import type { ReactNode } from 'react';

/** Names with their values; text keeps its line breaks. */
export function FactList({ facts }: { facts: [string, ReactNode][] }) {
  return (
    <dl className="divide-y divide-line">
      {facts.map(([name, value]) => (
        <div key={name} className="flex flex-wrap gap-x-4 py-2 text-sm">
          <dt className="w-40 text-muted">{name}</dt>
          <dd className="min-w-0 flex-1 basis-56 break-words whitespace-pre-wrap">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
