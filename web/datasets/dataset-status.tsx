import { useTranslation } from 'react-i18next';
import type { IconName } from '../parts/icon.tsx';
import { Pill, type PillLook } from '../parts/pill.tsx';
import type { DatasetState } from './states.ts';

const LOOKS: Record<DatasetState, { icon: IconName; look: PillLook }> = {
  pending: { icon: 'clock', look: 'calm' },
  downloading: { icon: 'download', look: 'busy' },
  paused: { icon: 'pause', look: 'warn' },
  failed: { icon: 'warn', look: 'danger' },
  cancelled: { icon: 'stop', look: 'calm' },
  ready: { icon: 'check', look: 'good' },
};

export function DatasetStatus({ status }: { status: DatasetState }) {
  const { t } = useTranslation();
  return <Pill {...LOOKS[status]}>{t(`datasets.state.${status}`)}</Pill>;
}
