import { useTranslation } from 'react-i18next';
import type { IconName } from '../parts/icon.tsx';
import { Pill, type PillLook } from '../parts/pill.tsx';
import type { TaskRun } from './queries.ts';

const LOOKS: Record<TaskRun['status'], { icon: IconName; look: PillLook }> = {
  waiting: { icon: 'clock', look: 'calm' },
  running: { icon: 'clock', look: 'busy' },
  success: { icon: 'check', look: 'good' },
  error: { icon: 'warn', look: 'danger' },
  skipped: { icon: 'right', look: 'calm' },
};

export function TaskStatus({ status }: { status: TaskRun['status'] }) {
  const { t } = useTranslation();
  return <Pill {...LOOKS[status]}>{t(`tasks.status.${status}`)}</Pill>;
}
