import { useTranslation } from 'react-i18next';
import { Button, IconButton } from '../parts/button.tsx';
import { Field, SelectField, TextArea } from '../parts/field.tsx';
import { type ColumnDraft, emptyColumn, TYPES } from './column-drafts.ts';

const MAX_COLUMNS = 20;

interface Props {
  columns: ColumnDraft[];
  onChange: (columns: ColumnDraft[]) => void;
}

/** The columns of a new table, or of an existing one. */
export function ColumnsEditor({ columns, onChange }: Props) {
  const { t } = useTranslation();
  const change = (changed: ColumnDraft) =>
    onChange(columns.map((column) => (column.key === changed.key ? changed : column)));
  return (
    <fieldset className="space-y-3">
      <legend className="mb-1 text-sm font-medium">{t('evidence.columns')}</legend>
      {columns.map((column, at) => (
        <ColumnFields
          key={column.key}
          column={column}
          number={at + 1}
          onChange={change}
          onRemove={
            columns.length > 1 ? () => onChange(columns.filter(({ key }) => key !== column.key)) : undefined
          }
        />
      ))}
      <Button
        icon="plus"
        disabled={columns.length >= MAX_COLUMNS}
        onClick={() => onChange([...columns, emptyColumn()])}
      >
        {t('evidence.addColumn')}
      </Button>
    </fieldset>
  );
}

interface ColumnProps {
  column: ColumnDraft;
  number: number;
  onChange: (column: ColumnDraft) => void;
  onRemove: (() => void) | undefined;
}

function ColumnFields({ column, number, onChange, onRemove }: ColumnProps) {
  const { t } = useTranslation();
  const field = (name: 'name' | 'question' | 'choices' | 'unit') => ({
    value: column[name],
    onChange: (value: string) => onChange({ ...column, [name]: value }),
  });
  return (
    <div className="flex items-start gap-2 rounded-md border border-line p-3">
      <div className="grid min-w-0 flex-1 gap-2 sm:grid-cols-[1fr_2fr_8rem]">
        <Field label={t('evidence.columnName', { number })} maxLength={100} {...field('name')} />
        <Field label={t('evidence.columnQuestion', { number })} maxLength={500} {...field('question')} />
        <SelectField
          label={t('evidence.type')}
          value={column.type}
          options={TYPES.map((type) => [type, t(`evidence.types.${type}`)] as const)}
          onChange={(type) => onChange({ ...column, type })}
        />
        {column.type === 'choice' && (
          <div className="sm:col-span-3">
            <TextArea
              label={t('evidence.choices')}
              hint={t('evidence.choicesHint')}
              rows={3}
              {...field('choices')}
            />
          </div>
        )}
        {column.type === 'number' && <Field label={t('evidence.unit')} maxLength={30} {...field('unit')} />}
      </div>
      {onRemove && (
        <IconButton icon="trash" label={t('evidence.removeColumn', { number })} onClick={onRemove} />
      )}
    </div>
  );
}
