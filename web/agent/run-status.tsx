import { useTranslation } from 'react-i18next';
import { Badge, type BadgeLook } from '../parts/badge.tsx';
import type { IconName } from '../parts/icon.tsx';
import type { Run } from './queries.ts';

const LOOKS: Record<Run['status'], { icon: IconName; look: BadgeLook }> = {
  running: { icon: 'clock', look: 'accent' },
  waiting: { icon: 'hand', look: 'warn' },
  done: { icon: 'check', look: 'good' },
  failed: { icon: 'warn', look: 'danger' },
  stopped: { icon: 'stop', look: 'calm' },
};

export function RunStatus({ status }: { status: Run['status'] }) {
  const { t } = useTranslation();
  return <Badge {...LOOKS[status]}>{t(`agent.status.${status}`)}</Badge>;
}
