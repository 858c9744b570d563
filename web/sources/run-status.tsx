import { useTranslation } from 'react-i18next';
import { Badge, type BadgeLook } from '../parts/badge.tsx';
import type { IconName } from '../parts/icon.tsx';
import type { SourceRun } from './queries.ts';

const LOOKS: Record<SourceRun['status'], { icon: IconName; look: BadgeLook }> = {
  waiting: { icon: 'clock', look: 'calm' },
  running: { icon: 'clock', look: 'accent' },
  success: { icon: 'check', look: 'good' },
  error: { icon: 'warn', look: 'danger' },
  stopped: { icon: 'stop', look: 'calm' },
};

export function RunStatus({ status }: Pick<SourceRun, 'status'>) {
  const { t } = useTranslation();
  return <Badge {...LOOKS[status]}>{t(`sources.status.${status}`)}</Badge>;
}
