import { useTranslation } from 'react-i18next';
import { DataTable } from '../parts/data-table.tsx';
import { Details } from '../parts/details.tsx';
import { formatCount, formatDay, formatUsd } from '../parts/format.ts';
import { amountOf, partsOf } from './measure.ts';
import { daysBetween, drawBars, roundTop } from './plot.ts';
import type { Usage } from './queries.ts';
import type { Measure } from './span.ts';

const BOX = { width: 720, height: 160 };
const FILLS = ['fill-accent', 'fill-warn', 'fill-muted'];

/** Usage per day as bars. We draw them, because a library would be larger. A table has the same values. */
export function DayPlot({ usage, measure }: { usage: Usage; measure: Measure }) {
  const { t, i18n } = useTranslation();
  const used = new Map(usage.rows.map((row) => [row.key, row]));
  const bars = daysBetween(usage.from, usage.to).map((key) => {
    const row = used.get(key);
    return { key, parts: row ? partsOf(row, measure) : [] };
  });
  const top = roundTop(Math.max(0, ...bars.map(({ parts }) => parts.reduce((sum, part) => sum + part, 0))));
  const say = useSay(measure);
  const label = t('usage.plotOf', { what: t(`usage.measures.${measure}`) });
  return (
    <figure className="mt-5 rounded-lg border border-line bg-surface p-5">
      <figcaption className="mb-3 flex flex-wrap items-baseline justify-between gap-x-4 text-sm font-semibold">
        {label}
        {measure === 'tokens' && <Legend />}
      </figcaption>
      <div className="flex gap-2">
        <div
          aria-hidden="true"
          className="flex flex-col justify-between text-right text-xs text-muted tabular-nums"
        >
          <span>{say(top)}</span>
          <span>{say(0)}</span>
        </div>
        <svg
          role="img"
          aria-label={label}
          viewBox={`0 0 ${BOX.width} ${BOX.height}`}
          preserveAspectRatio="none"
          className="h-40 min-w-0 flex-1 border-b border-line"
        >
          {drawBars(bars, BOX, top).map((bar) =>
            bar.parts.map(({ y, height, place }) => (
              <rect
                key={`${bar.key} ${place}`}
                x={bar.x}
                y={y}
                width={bar.width}
                height={height}
                className={FILLS[place]}
              />
            )),
          )}
        </svg>
      </div>
      <div aria-hidden="true" className="mt-1 flex justify-between text-xs text-muted">
        <span>{formatDay(usage.from, i18n.language)}</span>
        <span>{formatDay(usage.to, i18n.language)}</span>
      </div>
      <DayTable usage={usage} measure={measure} />
    </figure>
  );
}

/** Returns a function that formats amounts in the page's language: dollars, or counts. */
function useSay(measure: Measure): (amount: number) => string {
  const { i18n } = useTranslation();
  return (amount) =>
    measure === 'cost' ? formatUsd(amount, i18n.language) : formatCount(amount, i18n.language);
}

function Legend() {
  const { t } = useTranslation();
  return (
    <span className="flex flex-wrap gap-x-3 text-xs font-normal text-muted">
      {[t('usage.input'), t('usage.output'), t('usage.embedded')].map((name, place) => (
        <span key={name} className="inline-flex items-center gap-1.5">
          <svg aria-hidden="true" width="10" height="10">
            <rect width="10" height="10" rx="2" className={FILLS[place]} />
          </svg>
          {name}
        </span>
      ))}
    </span>
  );
}

function DayTable({ usage, measure }: { usage: Usage; measure: Measure }) {
  const { t, i18n } = useTranslation();
  const say = useSay(measure);
  return (
    <Details name={t('usage.asTable')}>
      <DataTable
        label={t('usage.asTable')}
        rows={usage.rows}
        keyOf={({ key }) => key}
        columns={[
          { name: t('usage.day'), cell: ({ key }) => formatDay(key, i18n.language) },
          {
            name: t(`usage.measures.${measure}`),
            cell: (row) => say(amountOf(row, measure)),
            isNumber: true,
          },
        ]}
      />
    </Details>
  );
}
