import type { ReactNode } from 'react';

interface Props {
  title: string;
  /** The ID, as the target of a link. */
  id?: string;
  children: ReactNode;
}

export function Card({ title, id, children }: Props) {
  return (
    <section id={id} className="mt-5 rounded-lg [header+&]:mt-0 border border-line bg-surface p-5">
      <h2 className="mb-3 text-base font-semibold">{title}</h2>
      {children}
    </section>
  );
}
