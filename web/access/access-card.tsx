import type { ReactNode } from 'react';
import { Brand } from '../shell/brand.tsx';

interface Props {
  title: string;
  intro?: string;
  children: ReactNode;
}

/** The page for callers who can't use the console yet. */
export function AccessCard({ title, intro, children }: Props) {
  return (
    <main id="main" className="flex min-h-full items-center justify-center p-6">
      <div className="w-full max-w-md space-y-5 rounded-lg border border-line bg-surface p-8 shadow-raised">
        <Brand isLarge />
        <header>
          <h1 className="text-xl font-semibold">{title}</h1>
          {intro !== undefined && <p className="mt-1 text-sm break-words text-muted">{intro}</p>}
        </header>
        {children}
      </div>
    </main>
  );
}
