import { useTranslation } from 'react-i18next';
import { formatCount, formatUsd } from '../parts/format.ts';
import type { Budget } from './budget-list.ts';

/** Bars with the used share of each limit. */
export function UsedOf({ budget: { used, monthlyUsd, monthlyTokens } }: { budget: Budget }) {
  const { t, i18n } = useTranslation();
  const usd = (value: number) => formatUsd(value, i18n.language);
  const count = (value: number) => formatCount(value, i18n.language);
  const limits = [
    monthlyUsd === undefined ? [] : t('usage.part', { used: usd(used.costUsd), limit: usd(monthlyUsd) }),
    monthlyTokens === undefined
      ? []
      : t('usage.partTokens', { used: count(used.tokens), limit: count(monthlyTokens) }),
  ];
  return limits.flat().join(' · ');
}
