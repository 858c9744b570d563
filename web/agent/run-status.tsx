import { useTranslation } from 'react-i18next';
import type { IconName } from '../parts/icon.tsx';
import { Pill, type PillLook } from '../parts/pill.tsx';
import type { Run } from './queries.ts';

const LOOKS: Record<Run['status'], { icon: IconName; look: PillLook }> = {
  running: { icon: 'clock', look: 'busy' },
  waiting: { icon: 'hand', look: 'warn' },
  done: { icon: 'check', look: 'good' },
  failed: { icon: 'warn', look: 'danger' },
  stopped: { icon: 'stop', look: 'calm' },
};

export function RunStatus({ status }: { status: Run['status'] }) {
  const { t } = useTranslation();
  return <Pill {...LOOKS[status]}>{t(`agent.status.${status}`)}</Pill>;
}
