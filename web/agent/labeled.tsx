import type { ReactNode } from 'react';

interface Props {
  label: string;
  children: ReactNode;
}

export function Labeled({ label, children }: Props) {
  return (
    <div>
      <p className="mb-1 text-xs text-muted">{label}</p>
      {children}
    </div>
  );
}
