import { useTranslation } from 'react-i18next';
import type { Run } from '../agent/queries.ts';
import { formatCost } from '../research/format-cost.ts';
import { Elapsed, Sum } from '../research/progress-panel.tsx';
import { NoPrice } from '../settings/no-price.tsx';
import type { DraftCheck } from './draft-check.ts';

/** Something in it moves each second, as a sign that it is running. */
export function CheckProgress({ run, check }: { run: Run; check: DraftCheck }) {
  const { t, i18n } = useTranslation();
  const { counts, judge, calls, costUsd } = check;
  const said = t(judge ? 'verify.judging' : 'verify.comparing');
  return (
    <section
      aria-label={t('verify.progress')}
      className="space-y-3 rounded-lg border border-line bg-surface p-4"
    >
      <div className="flex flex-wrap items-baseline justify-between gap-2">
        <p role="status" className="font-medium">
          {said}
        </p>
        <p className="text-sm text-muted tabular-nums">
          {t('verify.claimsOf', { done: counts.checked, count: counts.claims })}
        </p>
      </div>
      <progress
        aria-label={said}
        max={Math.max(1, counts.claims)}
        value={counts.checked}
        className="bar block h-2 w-full"
      />
      <dl className="grid grid-cols-2 gap-3 sm:grid-cols-4">
        <Sum name={t('research.time')}>
          <Elapsed since={run.createdAt} />
        </Sum>
        {judge && <Sum name={t('research.callsSoFar')}>{calls.toLocaleString(i18n.language)}</Sum>}
        {judge && (
          <Sum name={t('research.costSoFar')}>
            {costUsd === null ? <NoPrice /> : formatCost(costUsd, i18n.language)}
          </Sum>
        )}
      </dl>
    </section>
  );
}
