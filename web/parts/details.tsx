import type { ReactNode } from 'react';
import { Icon } from './icon.tsx';

/** What few want to see, behind its name. */
export function Details({ name, children }: { name: string; children: ReactNode }) {
  return (
    <details className="group mt-3 text-sm">
      <summary className="inline-flex min-h-9 list-none items-center gap-1.5 text-muted hover:text-ink">
        <span className="transition-transform group-open:rotate-90">
          <Icon name="right" size={14} />
        </span>
        {name}
      </summary>
      <div className="mt-2">{children}</div>
    </details>
  );
}
