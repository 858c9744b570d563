import { useTranslation } from 'react-i18next';
import { Icon, type IconName } from '../parts/icon.tsx';
import type { Run } from './queries.ts';

const LOOKS: Record<Run['status'], { icon: IconName; look: string }> = {
  running: { icon: 'clock', look: 'bg-accent-soft text-accent' },
  waiting: { icon: 'hand', look: 'bg-warn-soft text-warn' },
  done: { icon: 'check', look: 'bg-good-soft text-good' },
  failed: { icon: 'warn', look: 'bg-danger-soft text-danger' },
  stopped: { icon: 'stop', look: 'bg-sunken text-muted' },
};

export function RunStatus({ status }: { status: Run['status'] }) {
  const { t } = useTranslation();
  const { icon, look } = LOOKS[status];
  return (
    <span
      className={`inline-flex shrink-0 items-center gap-1.5 rounded-full px-2.5 py-0.5 text-xs font-medium ${look}`}
    >
      <Icon name={icon} size={13} />
      {t(`agent.status.${status}`)}
    </span>
  );
}
