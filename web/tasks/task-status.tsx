import { useTranslation } from 'react-i18next';
import { Badge, type BadgeLook } from '../parts/badge.tsx';
import type { IconName } from '../parts/icon.tsx';
import type { TaskRun } from './queries.ts';

const LOOKS: Record<TaskRun['status'], { icon: IconName; look: BadgeLook }> = {
  waiting: { icon: 'clock', look: 'calm' },
  running: { icon: 'clock', look: 'accent' },
  success: { icon: 'check', look: 'good' },
  error: { icon: 'warn', look: 'danger' },
  skipped: { icon: 'right', look: 'calm' },
};

export function TaskStatus({ status }: { status: TaskRun['status'] }) {
  const { t } = useTranslation();
  return <Badge {...LOOKS[status]}>{t(`tasks.status.${status}`)}</Badge>;
}
