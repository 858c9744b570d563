import type { ReactNode } from 'react';
import { Icon, type IconName } from './icon.tsx';

const LOOKS = {
  calm: 'bg-sunken text-muted',
  busy: 'bg-accent-soft text-accent',
  good: 'bg-good-soft text-good',
  warn: 'bg-warn-soft text-warn',
  danger: 'bg-danger-soft text-danger',
} as const;

export type PillLook = keyof typeof LOOKS;

/** A state: by its sign and its word, never by its colour alone. */
export function Pill({ icon, look, children }: { icon: IconName; look: PillLook; children: ReactNode }) {
  return (
    <span
      className={`inline-flex shrink-0 items-center gap-1.5 rounded-full px-2.5 py-0.5 text-xs font-medium ${LOOKS[look]}`}
    >
      <Icon name={icon} size={13} />
      {children}
    </span>
  );
}
