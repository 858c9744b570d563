import { useTranslation } from 'react-i18next';
import type { Run } from '../agent/queries.ts';
import { formatCost } from '../research/format-cost.ts';
import { Elapsed, ProgressCard, Sum } from '../research/progress-panel.tsx';
import { NoPrice } from '../settings/no-price.tsx';
import type { DraftCheck } from './draft-check.ts';

/** Something in it moves each second, as a sign that it is running. */
export function CheckProgress({ run, check }: { run: Run; check: DraftCheck }) {
  const { t, i18n } = useTranslation();
  const { counts, judge, calls, costUsd } = check;
  return (
    <ProgressCard
      label={t('verify.progress')}
      said={t(judge ? 'verify.judging' : 'verify.comparing')}
      counts={t('verify.claimsOf', { done: counts.checked, count: counts.claims })}
      max={Math.max(1, counts.claims)}
      value={counts.checked}
    >
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
    </ProgressCard>
  );
}
