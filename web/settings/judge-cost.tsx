import { useTranslation } from 'react-i18next';
import { findPrice, JUDGE_TOKENS } from '../../lib/api-contract/price-of.ts';
import { formatCount, formatUsd } from '../parts/format.ts';
import { type Settings, useSettings } from './queries.ts';

/**
 * The judge's cost per answer. Includes the price in money if the default model has one; only administrators
 * see prices.
 */
export function JudgeCost() {
  const { t, i18n } = useTranslation();
  const settings = useSettings().data;
  const count = (tokens: number) => formatCount(tokens, i18n.language);
  const usd = settings && costOf(settings);
  return (
    <>
      {t('models.judge.cost', { input: count(JUDGE_TOKENS.input), output: count(JUDGE_TOKENS.output) })}
      {settings && usd !== undefined && (
        <> {t('models.judge.price', { usd: formatUsd(usd, i18n.language), model: settings.llmModel })}</>
      )}
    </>
  );
}

function costOf({ llmModel, prices, listPrices }: Settings): number | undefined {
  const price = llmModel === null ? undefined : findPrice(llmModel, prices, listPrices.models);
  if (price === undefined) return undefined;
  const { input, output } = JUDGE_TOKENS;
  return (input * price.inputPerMillion + output * price.outputPerMillion) / 1e6;
}
