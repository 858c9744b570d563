import { useSearch } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { Choice } from '../parts/choice.tsx';
import { type Column, DataTable } from '../parts/data-table.tsx';
import { EmptyState } from '../parts/empty-state.tsx';
import { formatCount, formatUsd } from '../parts/format.ts';
import { Loaded } from '../parts/loaded.tsx';
import { useNames } from '../people/names.ts';
import { amountOf } from './measure.ts';
import { type UsageRow, useUsage } from './queries.ts';
import { GROUPS, type Group, type Measure } from './span.ts';
import { useChangeSearch } from './use-change-search.ts';

/** A table of usage per group, highest first. */
export function UsageTable({ span, group }: { span: { from: string; to: string }; group: Group }) {
  const { t } = useTranslation();
  const change = useChangeSearch();
  const usage = useUsage(span, group);
  return (
    <section aria-label={t('usage.by')} className="mt-5">
      <Choice
        label={t('usage.by')}
        value={group}
        options={GROUPS.map((each) => [each, t(`usage.groups.${each}`)])}
        onChange={(value) => change({ by: value as Group })}
      />
      <div className="mt-3">
        <Loaded
          query={usage}
          rows={3}
          isEmpty={({ rows }) => rows.length === 0}
          empty={<EmptyState icon="coins" title={t('usage.none')} next={t('usage.noneNext')} />}
        >
          {({ rows }) => <Rows rows={rows} group={group} />}
        </Loaded>
      </div>
    </section>
  );
}

function Rows({ rows, group }: { rows: UsageRow[]; group: Group }) {
  const { t, i18n } = useTranslation();
  const { of = 'tokens' } = useSearch({ from: '/settings/usage' });
  const say = useKeyWords(group);
  const most = Math.max(...rows.map((row) => amountOf(row, of)));
  const number = (name: string, value: (row: UsageRow) => number): Column<UsageRow> => ({
    name,
    isNumber: true,
    cell: (row) => formatCount(value(row), i18n.language),
  });
  return (
    <DataTable
      label={t('usage.by')}
      rows={rows}
      keyOf={({ key }) => key}
      columns={[
        {
          name: t(`usage.groups.${group}`),
          isLong: true,
          cell: (row) => (
            <Share row={row} measure={of} most={most} name={row.name ?? say(row.key)} id={row.key} />
          ),
        },
        number(t('usage.input'), ({ inputTokens }) => inputTokens),
        number(t('usage.output'), ({ outputTokens }) => outputTokens),
        number(t('usage.embedded'), ({ embeddedTokens }) => embeddedTokens),
        number(t('usage.calls'), ({ calls }) => calls),
        {
          name: t('usage.cost'),
          isNumber: true,
          cell: ({ costUsd }) => (costUsd === null ? t('usage.unknown') : formatUsd(costUsd, i18n.language)),
        },
      ]}
    />
  );
}

interface ShareProps {
  row: UsageRow;
  measure: Measure;
  most: number;
  name: string;
  id: string;
}

/** A line that shows a share. It is only visual, because the other cells have the numbers. */
function Share({ row, measure, most, name, id }: ShareProps) {
  const percent = most > 0 ? Math.ceil((100 * amountOf(row, measure)) / most) : 0;
  return (
    <>
      <span title={id === name ? undefined : id}>{name}</span>
      <div aria-hidden="true" className="mt-1 h-1 rounded-full bg-accent" style={{ width: `${percent}%` }} />
    </>
  );
}

/** Purposes that the API counts separately; later ones are shown by their API names. */
const KINDS = ['chat', 'agent', 'bots', 'tasks', 'generate', 'search', 'embedding', 'terminal'] as const;

/** Returns the labels for the API's keys: our strings for purposes, names for IDs. */
function useKeyWords(group: Group): (key: string) => string {
  const { t } = useTranslation();
  const names = useNames();
  return (key) => {
    if (key === 'none' || key === 'others') return t(`usage.${key}Row`);
    const kind = group === 'kind' ? KINDS.find((each) => each === key) : undefined;
    return kind ? t(`usage.kinds.${kind}`) : (names.get(key) ?? key);
  };
}
