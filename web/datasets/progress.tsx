import { useTranslation } from 'react-i18next';
import { formatBytes } from '../parts/format.ts';
import { ServiceText } from '../parts/service-text.tsx';
import type { Dataset } from './queries.ts';
import { isMoving } from './states.ts';

/** Progress, speed, and remaining time of a download. */
export function Progress({ dataset }: { dataset: Dataset }) {
  const { t, i18n } = useTranslation();
  const { status, phase, progress, error } = dataset;
  if (status === 'ready') return null;
  const share = Math.round(Math.min(100, Math.max(0, progress)));
  const { language } = i18n;
  return (
    <div className="mt-2 w-full">
      <div
        role="progressbar"
        aria-label={dataset.name}
        aria-valuenow={share}
        aria-valuemin={0}
        aria-valuemax={100}
        className="h-1.5 overflow-hidden rounded-full bg-sunken"
      >
        <div
          className="h-full rounded-full bg-accent transition-[width] duration-500"
          style={{ width: `${share}%` }}
        />
      </div>
      <p className="mt-1 text-xs text-muted tabular-nums">
        {[
          t(`datasets.phase.${phase}`),
          t('datasets.bytes', {
            done: formatBytes(dataset.downloadedBytes, language),
            total: formatBytes(dataset.totalBytes, language),
          }),
          t('datasets.filesDone', { done: dataset.downloadedFiles, total: dataset.totalFiles }),
          ...(isMoving(status) ? speedOf(dataset, language) : []),
        ].join(' · ')}
      </p>
      {error !== null && (
        <div className="mt-1 text-sm break-words text-danger">
          <ServiceText text={error} label={t('datasets.downloadFailed')} />
        </div>
      )}
    </div>
  );
}

function speedOf({ bytesPerSecond, etaSeconds }: Dataset, language: string): string[] {
  const texts: string[] = [];
  if (bytesPerSecond !== null) texts.push(`${formatBytes(bytesPerSecond, language)}/s`);
  if (etaSeconds !== null) {
    const [unit, length] = etaSeconds < 90 ? (['second', 1] as const) : (['minute', 60] as const);
    const options = { style: 'unit', unit, unitDisplay: 'long', maximumFractionDigits: 0 } as const;
    texts.push(new Intl.NumberFormat(language, options).format(etaSeconds / length));
  }
  return texts;
}
