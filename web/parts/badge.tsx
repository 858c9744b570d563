import type { ReactNode } from 'react';
import { Icon, type IconName } from './icon.tsx';

const LOOKS = {
  calm: 'bg-sunken text-muted',
  accent: 'bg-accent-soft text-accent',
  good: 'bg-good-soft text-good',
  warn: 'bg-warn-soft text-warn',
  danger: 'bg-danger-soft text-danger',
} as const;

export type BadgeLook = keyof typeof LOOKS;

interface Props {
  look?: BadgeLook;
  icon?: IconName;
  children: ReactNode;
}

/** A state as a word. Its color adds no meaning. */
export function Badge({ look = 'calm', icon, children }: Props) {
  return (
    <span
      className={`inline-flex shrink-0 items-center gap-1.5 rounded-full px-2.5 py-0.5 text-xs font-medium whitespace-nowrap ${LOOKS[look]}`}
    >
      {icon && <Icon name={icon} size={13} />}
      {children}
    </span>
  );
}
