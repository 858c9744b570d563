import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useMay } from '../access/role.ts';
import { ApiError } from '../api/api-error.ts';
import { Place } from '../chat/citations.tsx';
import { Button, IconButton } from '../parts/button.tsx';
import { Field, SelectField } from '../parts/field.tsx';
import { Form } from '../parts/form.tsx';
import { Problem } from '../parts/problem.tsx';
import { citationsOf, editedValue } from './cell-text.ts';
import type { Cell, Column, TableRow } from './evidence-table.ts';
import { useChangeTable } from './queries.ts';
import { CellText } from './table-grid.tsx';

const FROM = '/w/$workspaceId/tables/$tableId';
const NONE = '';

interface Props {
  tableId: string;
  workspaceId: string;
  row: TableRow;
  column: Column;
  cell: Cell | undefined;
}

/** The open cell at the bottom of the table: its quotes, why to look at it, and its correction. */
export function CellCard({ tableId, workspaceId, row, column, cell }: Props) {
  const { t } = useTranslation();
  const navigate = useNavigate({ from: FROM });
  const may = useMay('member', workspaceId);
  const close = () => void navigate({ search: ({ look }) => ({ look }), resetScroll: false });
  return (
    <section
      aria-label={t('evidence.cell')}
      className="sticky bottom-0 z-20 max-h-[50dvh] overflow-y-auto border-t border-line bg-surface px-5 py-4 shadow-raised"
    >
      <div className="mx-auto max-w-6xl space-y-3">
        <div className="flex items-start gap-3">
          <div className="min-w-0 flex-1">
            <h2 className="text-base font-semibold">
              <span data-user-content>{column.name}</span> · <span data-user-content>{row.title}</span>
            </h2>
            <p data-user-content className="text-sm text-muted">
              {column.question}
            </p>
          </div>
          <IconButton icon="close" label={t('evidence.closeCell')} onClick={close} />
        </div>
        {cell && <CellText cell={cell} column={column} />}
        {cell && <Why cell={cell} />}
        {cell && <Quotes cell={cell} />}
        {may && <Correct tableId={tableId} path={row.path} column={column} cell={cell} />}
      </div>
    </section>
  );
}

/** Why a person should look at a cell. */
function Why({ cell: { state, reason, partly, outlier, verified, corrected } }: { cell: Cell }) {
  const { t, i18n } = useTranslation();
  if (corrected) return <p className="text-sm text-muted">{t('evidence.why.corrected')}</p>;
  const known = ['quote_not_found', 'file_not_indexed', 'file_changed'].find((each) => each === reason);
  return (
    <div className="space-y-1 text-sm text-muted">
      {state === 'disputed' && <p>{t('evidence.why.disputed')}</p>}
      {state === 'failed' && <p>{t(`evidence.why.${(known ?? 'failed') as 'failed'}`, { reason })}</p>}
      {state === 'found' && !verified && <p>{t('evidence.why.unverified')}</p>}
      {outlier !== undefined && (
        <p>{t('evidence.why.outlier', { distance: outlier.toLocaleString(i18n.language) })}</p>
      )}
      {partly && <p>{t('evidence.why.partly')}</p>}
    </div>
  );
}

/** The quotes, each of which opens its document at the quote. */
function Quotes({ cell }: { cell: Cell }) {
  const { t } = useTranslation();
  const { source } = useSearch({ from: FROM });
  if (cell.citations.length === 0) return null;
  return (
    <ol aria-label={t('evidence.quotes')} className="space-y-2">
      {citationsOf(cell).map((citation, at) => (
        <li key={citation.index}>
          <Link
            to="."
            search={(before) => ({ ...before, source: String(citation.index) })}
            resetScroll={false}
            preload={false}
            activeProps={{}}
            data-source={citation.index}
            aria-current={source === String(citation.index) ? 'true' : undefined}
            className={`block rounded-md border px-3 py-2 text-sm hover:bg-canvas ${source === String(citation.index) ? 'border-accent' : 'border-line'}`}
          >
            <span className="flex flex-wrap gap-x-2 text-xs text-muted">
              <span data-user-content className="font-medium text-accent wrap-anywhere">
                {citation.path}
              </span>
              <Place citation={citation} />
              {cell.state === 'disputed' && <span data-user-content>{cell.citations[at]?.value}</span>}
            </span>
            <span data-user-content className="mt-1 line-clamp-4 break-words">
              {citation.quote}
            </span>
          </Link>
        </li>
      ))}
    </ol>
  );
}

interface CorrectProps {
  tableId: string;
  path: string;
  column: Column;
  cell: Cell | undefined;
}

/** Enters a value, or confirms the present one. No run changes it afterwards. */
function Correct({ tableId, path, column, cell }: CorrectProps) {
  const { t } = useTranslation();
  const change = useChangeTable(tableId);
  const [value, setValue] = useState(cell ? editedValue(cell) : NONE);
  const ifAt = cell?.corrected?.at ?? null;
  const send = (fields: { value: string | null } | { reset: true }) =>
    change.mutate({ cells: [{ path, columnId: column.id, ifAt, ...fields }] });
  const isUnfit = change.error instanceof ApiError && change.error.code === 'invalid_value';
  const isSame = cell !== undefined && cell.state === 'found' && value === editedValue(cell);
  return (
    <Form
      onSend={() => send({ value: value.trim() === NONE ? null : value.trim() })}
      sending={change}
      className="space-y-2"
    >
      <ValueField column={column} value={value} onChange={setValue} />
      {isUnfit ? (
        <p role="alert" className="text-sm text-danger">
          {t('evidence.valueUnfit')}
        </p>
      ) : (
        <Problem error={change.error} />
      )}
      <div className="flex flex-wrap gap-2">
        <Button
          look="main"
          type="submit"
          disabled={change.isPending || (isSame && cell.corrected !== undefined)}
        >
          {t(isSame ? 'evidence.confirm' : value.trim() === NONE ? 'evidence.notStated' : 'evidence.correct')}
        </Button>
        {cell?.corrected && (
          <Button disabled={change.isPending} onClick={() => send({ reset: true })}>
            {t('evidence.reset')}
          </Button>
        )}
      </div>
    </Form>
  );
}

interface ValueProps {
  column: Column;
  value: string;
  onChange: (value: string) => void;
}

function ValueField({ column: { type, choices = [], unit }, value, onChange }: ValueProps) {
  const { t } = useTranslation();
  const label = unit === undefined ? t('evidence.value') : t('evidence.valueIn', { unit });
  if (type === 'text' || type === 'number' || type === 'date')
    return (
      <Field
        label={label}
        hint={t(`evidence.hints.${type}`)}
        maxLength={500}
        inputMode={type === 'number' ? 'decimal' : 'text'}
        value={value}
        onChange={onChange}
      />
    );
  const options =
    type === 'boolean'
      ? ([
          ['true', t('evidence.yes')],
          ['false', t('evidence.no')],
        ] as const)
      : choices.map((choice) => [choice, choice] as const);
  return (
    <SelectField
      label={label}
      value={value}
      options={[[NONE, t('evidence.signs.not_stated')], ...options]}
      onChange={onChange}
    />
  );
}
