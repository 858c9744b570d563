import { useTranslation } from 'react-i18next';
import { Button, IconButton } from '../parts/button.tsx';
import { Card } from '../parts/card.tsx';
import { DataTable } from '../parts/data-table.tsx';
import { Details } from '../parts/details.tsx';
import { useFormDraft } from '../parts/draft.ts';
import { INPUT } from '../parts/field.tsx';
import { Form } from '../parts/form.tsx';
import { formatDay, formatUsd } from '../parts/format.ts';
import { isUntouched, type PriceRow, pricesOf, rowsOf } from './price-list.ts';
import { type Settings, useChangeSettings } from './queries.ts';
import { Saved, Unsaved } from './saved.tsx';

/** The form for prices, which override the list prices. */
export function Prices({ settings }: { settings: Settings }) {
  const { t } = useTranslation();
  const change = useChangeSettings();
  const form = useFormDraft('settings prices', { rows: rowsOf(settings) });
  const { rows } = form.draft;
  const setRows = (next: PriceRow[]) => form.change({ rows: next });
  const prices = pricesOf(rows);
  const save = () => {
    if (!prices) return;
    change.mutate({ prices: Object.keys(prices).length > 0 ? prices : null }, { onSuccess: form.drop });
  };
  const add = () => {
    const key = Math.max(-1, ...rows.map((row) => row.key)) + 1;
    setRows([...rows, { key, model: '', input: '', output: '' }]);
  };
  return (
    <Card id="prices" title={t('settings.prices')}>
      <p className="mb-3 text-sm text-muted">{t('settings.pricesNote')}</p>
      <Form onSend={save} sending={change} className="space-y-3">
        <ul aria-label={t('settings.prices')} className="space-y-2">
          {rows.map((row) => (
            <PriceFields
              key={row.key}
              row={row}
              onChange={(next) => setRows(rows.map((each) => (each.key === row.key ? next : each)))}
              onRemove={() => setRows(rows.filter((each) => each.key !== row.key))}
            />
          ))}
        </ul>
        <div className="flex flex-wrap gap-2">
          <Button icon="plus" onClick={add}>
            {t('settings.newPrice')}
          </Button>
          <Button look="main" type="submit" disabled={!prices || change.isPending}>
            {t('parts.save')}
          </Button>
        </div>
        <Unsaved form={form} />
        <Saved change={change} />
      </Form>
      <ListPrices list={settings.listPrices} />
    </Card>
  );
}

interface PriceFieldsProps {
  row: PriceRow;
  onChange: (row: PriceRow) => void;
  onRemove: () => void;
}

function PriceFields({ row, onChange, onRemove }: PriceFieldsProps) {
  const { t } = useTranslation();
  const number = (field: 'input' | 'output') => (
    <input
      type="number"
      min="0"
      step="any"
      required={!isUntouched(row)}
      aria-label={t(`settings.${field}Price`)}
      placeholder={t(`settings.${field}Price`)}
      value={row[field]}
      onChange={({ target }) => onChange({ ...row, [field]: target.value })}
      className={`${INPUT} basis-28 flex-1`}
    />
  );
  return (
    <li className="flex flex-wrap items-center gap-2">
      <input
        aria-label={t('settings.model')}
        placeholder={t('settings.model')}
        required
        maxLength={200}
        value={row.model}
        onChange={({ target }) => onChange({ ...row, model: target.value })}
        className={`${INPUT} basis-44 flex-[2]`}
      />
      {number('input')}
      {number('output')}
      <IconButton icon="trash" label={t('settings.removePrice', { model: row.model })} onClick={onRemove} />
    </li>
  );
}

function ListPrices({ list: { asOf, models } }: { list: Settings['listPrices'] }) {
  const { t, i18n } = useTranslation();
  const usd = (value: number) => formatUsd(value, i18n.language);
  return (
    <Details name={t('settings.listPrices', { day: formatDay(asOf, i18n.language) })}>
      <DataTable
        label={t('settings.prices')}
        rows={Object.entries(models)}
        keyOf={([model]) => model}
        columns={[
          { name: t('settings.model'), cell: ([model]) => model },
          {
            name: t('settings.inputPrice'),
            cell: ([, price]) => usd(price.inputPerMillion),
            isNumber: true,
          },
          {
            name: t('settings.outputPrice'),
            cell: ([, price]) => usd(price.outputPerMillion),
            isNumber: true,
          },
        ]}
      />
    </Details>
  );
}
