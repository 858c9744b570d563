import { useTranslation } from 'react-i18next';
import { Banner } from '../parts/banner.tsx';
import { useHealth } from '../settings/queries.ts';

/** Says that the disk is full, or soon will be. */
export function DiskBanner() {
  const { t } = useTranslation();
  const disk = useHealth().data?.disk ?? 'ok';
  if (disk === 'ok') return null;
  return <Banner>{t(`health.disk.${disk}`)}</Banner>;
}
