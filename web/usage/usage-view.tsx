import { useSearch } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { Banner } from '../parts/banner.tsx';
import { Button } from '../parts/button.tsx';
import { Choice } from '../parts/choice.tsx';
import { Field } from '../parts/field.tsx';
import { formatCount, formatUsd } from '../parts/format.ts';
import { Loaded } from '../parts/loaded.tsx';
import { PageHead } from '../shell/page-head.tsx';
import { Budgets } from './budgets.tsx';
import { DayPlot } from './day-plot.tsx';
import { type Usage, useUsage } from './queries.ts';
import { MEASURES, spanOf, type UsageSearch } from './span.ts';
import { UsageTable } from './usage-table.tsx';
import { useChangeSearch } from './use-change-search.ts';

export function UsageView() {
  const { t } = useTranslation();
  const search = useSearch({ from: '/settings/usage' });
  const month = spanOf('month');
  const span = { from: search.from ?? month.from, to: search.to ?? month.to };
  const days = useUsage(span, 'day');
  return (
    <>
      <PageHead title={t('usage.title')} note={t('usage.note')} />
      <SpanForm key={`${span.from} ${span.to}`} span={span} />
      <Loaded query={days} rows={3} rowClass="h-24">
        {(usage) => (
          <>
            <Totals usage={usage} />
            <DayPlot usage={usage} measure={search.of ?? 'tokens'} />
            <UsageTable span={span} group={search.by ?? 'kind'} />
          </>
        )}
      </Loaded>
      <Budgets />
    </>
  );
}

function SpanForm({ span }: { span: { from: string; to: string } }) {
  const { t } = useTranslation();
  const change = useChangeSearch();
  const { of } = useSearch({ from: '/settings/usage' });
  return (
    <div className="mb-5 flex flex-wrap items-end gap-3">
      {(['from', 'to'] as const).map((name) => (
        <Field
          key={name}
          label={t(`usage.${name}`)}
          type="date"
          defaultValue={span[name]}
          onChange={(value) => value !== '' && change({ [name]: value })}
        />
      ))}
      {(['month', 'last', 'days30'] as const).map((name) => (
        <Button key={name} className="min-h-10" onClick={() => change(spanOf(name))}>
          {t(`usage.spans.${name}`)}
        </Button>
      ))}
      <Choice
        label={t('usage.of')}
        value={of ?? 'tokens'}
        options={MEASURES.map((each) => [each, t(`usage.measures.${each}`)])}
        onChange={(value) => change({ of: value as UsageSearch['of'] })}
      />
    </div>
  );
}

function Totals({ usage: { totals, unpricedModels } }: { usage: Usage }) {
  const { t, i18n } = useTranslation();
  const count = (value: number) => formatCount(value, i18n.language);
  const figures = [
    [
      t('usage.cost'),
      totals.costUsd === null ? t('usage.unknown') : formatUsd(totals.costUsd, i18n.language),
    ],
    [t('usage.input'), count(totals.inputTokens)],
    [t('usage.output'), count(totals.outputTokens)],
    [t('usage.embedded'), count(totals.embeddedTokens)],
    [t('usage.calls'), count(totals.calls)],
    [t('usage.seconds'), count(Math.round(totals.commandSeconds))],
  ];
  return (
    <>
      <dl className="grid grid-cols-2 gap-4 rounded-lg border border-line bg-surface p-5 sm:grid-cols-3 lg:grid-cols-6">
        {figures.map(([name, value]) => (
          <div key={name}>
            <dt className="text-xs text-muted">{name}</dt>
            <dd className="text-lg font-semibold tabular-nums">{value}</dd>
          </div>
        ))}
      </dl>
      {unpricedModels.length > 0 && (
        <div className="mt-3">
          <Banner look="warn">{t('usage.unpriced', { models: unpricedModels.join(', ') })}</Banner>
        </div>
      )}
    </>
  );
}
