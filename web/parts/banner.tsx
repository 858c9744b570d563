import type { ReactNode } from 'react';
import { Icon, type IconName } from './icon.tsx';

const LOOKS = {
  calm: { box: 'bg-sunken text-ink', icon: 'info' },
  warn: { box: 'bg-warn-soft text-warn', icon: 'warn' },
  danger: { box: 'bg-danger-soft text-danger', icon: 'warn' },
} as const satisfies Record<string, { box: string; icon: IconName }>;

interface Props {
  look?: keyof typeof LOOKS;
  children: ReactNode;
  action?: ReactNode;
}

/** Information within the page, never a layer over its contents. */
export function Banner({ look = 'calm', children, action }: Props) {
  const { box, icon } = LOOKS[look];
  return (
    <div className={`flex items-start gap-2.5 rounded-md px-3.5 py-2.5 text-sm ${box}`}>
      <span className="mt-0.5">
        <Icon name={icon} size={16} />
      </span>
      <div className="min-w-0 flex-1 break-words">{children}</div>
      {action}
    </div>
  );
}
