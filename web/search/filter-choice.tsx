import type { TFunction } from 'i18next';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { SEARCH_KINDS } from '../../lib/api-contract/file-kinds.ts';
import { Button } from '../parts/button.tsx';
import { ChoiceDialog, ChosenList } from '../parts/choice-dialog.tsx';
import { Field, SelectField } from '../parts/field.tsx';
import { Form } from '../parts/form.tsx';
import { formatLocalDay } from '../parts/format.ts';
import { type Filter, type FilterFields, type FilterName, toFields, toFilter, without } from './filter.ts';

interface Props {
  filter: Filter | undefined;
  onChange: (filter: Filter | undefined) => void;
  /** True if the page has its own choice of the kind. */
  hasKind?: boolean;
}

/** The button that says how many filters are set, and opens the dialog to set them. */
export function FilterChoice({ filter, onChange, hasKind = false }: Props) {
  const { t } = useTranslation();
  const count = Object.keys(filter ?? {}).length;
  const said = count === 0 ? t('search.filter.open') : t('search.filter.some', { count });
  return (
    <ChoiceDialog said={said} title={t('search.filter.title')} note={t('search.filter.note')}>
      {(_, close) => (
        <FilterForm
          filter={filter}
          hasKind={hasKind}
          onChange={(next) => {
            onChange(next);
            close();
          }}
        />
      )}
    </ChoiceDialog>
  );
}

function FilterForm({ filter, onChange, hasKind }: Props) {
  const { t } = useTranslation();
  const [fields, setFields] = useState(() => toFields(filter));
  const bind = (name: keyof FilterFields) => ({
    value: fields[name],
    onChange: (value: string) => setFields((before) => ({ ...before, [name]: value })),
  });
  const { yearFrom, yearTo, modifiedFrom, modifiedTo } = fields;
  const areYearsMixed = yearFrom !== '' && yearTo !== '' && Number(yearFrom) > Number(yearTo);
  const areDaysMixed = modifiedFrom !== '' && modifiedTo !== '' && modifiedFrom > modifiedTo;
  const order = (isMixed: boolean) => (isMixed ? t('search.filter.order') : undefined);
  const year = { type: 'number', min: 1000, max: 2999, inputMode: 'numeric' } as const;
  const day = { type: 'date', min: '1970-01-01', max: '9999-12-31' } as const;
  return (
    <Form onSend={() => onChange(toFilter(fields, filter))} isWhole={!areYearsMixed && !areDaysMixed}>
      {!hasKind && (
        <SelectField
          label={t('search.kind')}
          options={[['', t('search.allKinds')], ...kindOptions(t)]}
          {...bind('kind')}
        />
      )}
      <Field
        label={t('search.filter.author')}
        hint={t('search.filter.authorHint')}
        maxLength={200}
        {...bind('author')}
      />
      <Field label={t('search.filter.tag')} maxLength={200} {...bind('tag')} />
      <div className="grid grid-cols-2 gap-3">
        <Field
          label={t('search.filter.yearFrom')}
          hint={t('search.filter.yearHint')}
          {...year}
          {...bind('yearFrom')}
        />
        <Field
          label={t('search.filter.yearTo')}
          problem={order(areYearsMixed)}
          {...year}
          {...bind('yearTo')}
        />
        <Field label={t('search.filter.modifiedFrom')} {...day} {...bind('modifiedFrom')} />
        <Field
          label={t('search.filter.modifiedTo')}
          problem={order(areDaysMixed)}
          {...day}
          {...bind('modifiedTo')}
        />
      </div>
      <div className="flex justify-between gap-3">
        <Button disabled={filter === undefined} onClick={() => onChange(undefined)}>
          {t('search.filter.clear')}
        </Button>
        <Button look="main" type="submit" disabled={areYearsMixed || areDaysMixed}>
          {t('search.filter.apply')}
        </Button>
      </div>
    </Form>
  );
}

export function kindOptions(t: TFunction) {
  return [...SEARCH_KINDS, 'other' as const].map((kind) => [kind, t(`search.kinds.${kind}`)] as const);
}

/** The filters that are set, each with a button that removes it. */
export function FilterList({ filter = {}, onChange }: Pick<Props, 'filter' | 'onChange'>) {
  const { t, i18n } = useTranslation();
  const chosen = filterTexts(filter, t, i18n.language);
  const remove = (name: string) => onChange(without(filter, name as FilterName));
  return <ChosenList label={t('search.filter.list')} chosen={chosen} onRemove={remove} />;
}

/** Returns each field of a filter as a text for readers. Fields that this console doesn't know have their own name. */
export function filterTexts(filter: Filter, t: TFunction, language: string): { id: string; name: string }[] {
  const { kind, author, tag, path, year, modified, ...others } = filter;
  const day = (time = '') =>
    Number.isNaN(Date.parse(time)) ? time || undefined : formatLocalDay(time, language);
  const texts = {
    ...(kind && { kind: t(`search.kinds.${kind}`) }),
    ...(author && { author: t('search.filter.is.author', { value: author }) }),
    ...(tag && { tag: t('search.filter.is.tag', { value: tag }) }),
    ...(path && { path: t('search.filter.is.path', { value: path }) }),
    ...(year && { year: rangeText('year', year, t) }),
    ...(modified && {
      modified: rangeText('modified', { from: day(modified.from), to: day(modified.to) }, t),
    }),
    ...Object.fromEntries(Object.keys(others).map((name) => [name, name])),
  };
  return Object.entries(texts).map(([id, name]) => ({ id, name: String(name) }));
}

type End = string | number | undefined;

function rangeText(of: 'year' | 'modified', { from, to }: { from?: End; to?: End }, t: TFunction): string {
  if (from === undefined) return t(`search.filter.is.${of}To`, { to });
  if (to === undefined) return t(`search.filter.is.${of}From`, { from });
  return t(`search.filter.is.${of}${from === to ? 'One' : ''}`, { from, to });
}
