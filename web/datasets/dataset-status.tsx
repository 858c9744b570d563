import { useTranslation } from 'react-i18next';
import type { DatasetStatus as Status } from '../../lib/api-contract/dataset-actions.ts';
import { Badge, type BadgeLook } from '../parts/badge.tsx';
import type { IconName } from '../parts/icon.tsx';

const LOOKS: Record<Status, { icon: IconName; look: BadgeLook }> = {
  pending: { icon: 'clock', look: 'calm' },
  downloading: { icon: 'download', look: 'accent' },
  paused: { icon: 'pause', look: 'warn' },
  failed: { icon: 'warn', look: 'danger' },
  cancelled: { icon: 'stop', look: 'calm' },
  ready: { icon: 'check', look: 'good' },
};

export function DatasetStatus({ status }: { status: Status }) {
  const { t } = useTranslation();
  return <Badge {...LOOKS[status]}>{t(`datasets.state.${status}`)}</Badge>;
}
