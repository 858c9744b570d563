import type { ReactNode } from 'react';
import { Icon, type IconName } from './icon.tsx';

interface Props {
  icon: IconName;
  title: string;
  /** The next action as text; an element is passed in `children`. */
  next?: string;
  children?: ReactNode;
}

export function EmptyState({ icon, title, next, children }: Props) {
  return (
    <div className="mx-auto flex max-w-md flex-col items-center px-6 py-14 text-center">
      <span className="mb-4 rounded-lg bg-accent-soft p-3 text-accent">
        <Icon name={icon} size={26} />
      </span>
      <h2 className="text-lg font-semibold">{title}</h2>
      <div className="mt-2 text-sm text-muted">
        {next}
        {children}
      </div>
    </div>
  );
}

/** Placeholders in the shape of the contents, so that nothing moves when the contents arrive. */
export function Skeletons({
  rows = 4,
  className = 'h-9',
}: {
  rows?: number | undefined;
  className?: string | undefined;
}) {
  return (
    <div aria-hidden="true" className="space-y-2.5">
      {Array.from({ length: rows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they are all alike
        <div key={row} className={`skeleton ${className}`} />
      ))}
    </div>
  );
}
