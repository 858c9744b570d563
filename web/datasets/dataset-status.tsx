import { useTranslation } from 'react-i18next';
import { Badge, type BadgeLook } from '../parts/badge.tsx';
import type { IconName } from '../parts/icon.tsx';
import type { DatasetState } from './states.ts';

const LOOKS: Record<DatasetState, { icon: IconName; look: BadgeLook }> = {
  pending: { icon: 'clock', look: 'calm' },
  downloading: { icon: 'download', look: 'accent' },
  paused: { icon: 'pause', look: 'warn' },
  failed: { icon: 'warn', look: 'danger' },
  cancelled: { icon: 'stop', look: 'calm' },
  ready: { icon: 'check', look: 'good' },
};

export function DatasetStatus({ status }: { status: DatasetState }) {
  const { t } = useTranslation();
  return <Badge {...LOOKS[status]}>{t(`datasets.state.${status}`)}</Badge>;
}
