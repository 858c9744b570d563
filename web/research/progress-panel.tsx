import { type ReactNode, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Run } from '../agent/queries.ts';
import { NoPrice, SetPrice } from '../settings/no-price.tsx';
import { formatCost } from './format-cost.ts';
import { PHASES, type Progress, sumsSoFar } from './progress.ts';
import type { Research } from './research.ts';

interface Props {
  run: Run;
  research: Research;
  progress: Progress | undefined;
}

/**
 * The progress of a report. One part of it changes each second, which shows that the report is still running.
 */
export function ProgressPanel({ run, research, progress }: Props) {
  const { t } = useTranslation();
  const isWaiting = run.status === 'waiting';
  const phase = progress?.phase ?? (research.plan === null ? 'plan' : 'gather');
  const share = progress && progress.total > 0 ? progress.done / progress.total : 0;
  const said = isWaiting ? t('research.waitsForPlan') : t(`research.phases.${phase}`);
  const counted = !isWaiting && progress !== undefined && progress.total > 1;
  return (
    <ProgressCard
      label={t('research.progress')}
      said={said}
      counts={counted ? t('research.of', { done: progress.done, total: progress.total }) : undefined}
      max={PHASES.length}
      value={PHASES.indexOf(phase) + share}
    >
      <p className="min-h-5 truncate text-sm text-muted">
        {!isWaiting && progress?.reading && t('research.reading', { title: progress.reading })}
      </p>
      <Sums run={run} research={research} progress={progress} />
    </ProgressCard>
  );
}

interface CardProps {
  label: string;
  /** The current activity, which is announced. */
  said: string;
  counts: string | undefined;
  max: number;
  value: number;
  children: ReactNode;
}

/** The progress of a report or a draft check. */
export function ProgressCard({ label, said, counts, max, value, children }: CardProps) {
  return (
    <section aria-label={label} className="space-y-3 rounded-lg border border-line bg-surface p-4">
      <div className="flex flex-wrap items-baseline justify-between gap-2">
        <p role="status" className="font-medium">
          {said}
        </p>
        {counts && <p className="text-sm text-muted tabular-nums">{counts}</p>}
      </div>
      <progress aria-label={said} max={max} value={value} className="bar block h-2 w-full" />
      {children}
    </section>
  );
}

function Sums({ run, research, progress }: Props) {
  const { t, i18n } = useTranslation();
  const number = new Intl.NumberFormat(i18n.language);
  const { isCounted, calls, tokens, costUsd } = sumsSoFar(progress, research);
  const sum = (text: string) => (isCounted ? text : '…');
  return (
    <dl className="grid grid-cols-2 gap-3 sm:grid-cols-4">
      <Sum name={t('research.time')}>
        <Elapsed since={run.createdAt} />
      </Sum>
      <Sum name={t('research.callsSoFar')}>
        {t('research.of', {
          done: sum(number.format(calls)),
          total: number.format(research.estimate.calls),
        })}
      </Sum>
      <Sum name={t('research.tokensSoFar')}>{sum(number.format(tokens))}</Sum>
      <Sum name={t('research.costSoFar')}>
        {costUsd === null ? (
          <>
            <NoPrice /> <SetPrice />
          </>
        ) : (
          sum(formatCost(costUsd, i18n.language))
        )}
      </Sum>
    </dl>
  );
}

export function Sum({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt className="text-xs text-muted first-letter:uppercase">{name}</dt>
      <dd className="text-lg font-semibold tabular-nums">{children}</dd>
    </div>
  );
}

/** The time since then, updated every second. */
export function Elapsed({ since }: { since: string }) {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, []);
  const seconds = Math.max(0, Math.floor((now - Date.parse(since)) / 1_000));
  const two = (value: number) => String(value).padStart(2, '0');
  return `${Math.floor(seconds / 60)}:${two(seconds % 60)}`;
}
