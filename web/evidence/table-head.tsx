import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useMay } from '../access/role.ts';
import { RunStatus } from '../agent/run-status.tsx';
import { Button } from '../parts/button.tsx';
import { ConfirmDialog } from '../parts/confirm-dialog.tsx';
import { FormDialog } from '../parts/form.tsx';
import { Menu } from '../parts/menu.tsx';
import { Problem } from '../parts/problem.tsx';
import { PageHead } from '../shell/page-head.tsx';
import { columnOf, draftOf, isColumnWhole } from './column-drafts.ts';
import { ColumnsEditor } from './columns-editor.tsx';
import { type EvidenceTable, isOpen } from './evidence-table.ts';
import {
  EXPORT_FORMATS,
  useChangeTable,
  useDeleteTable,
  useExportTable,
  useResumeTable,
  useStopTable,
} from './queries.ts';

export function TableHead({ table }: { table: EvidenceTable }) {
  const { t } = useTranslation();
  const { id, name, run, rowCount, columns } = table;
  const may = useMay('member', table.workspaceId);
  const [open, setOpen] = useState<'columns' | 'delete'>();
  const resume = useResumeTable(id);
  const stop = useStopTable(id);
  const save = useExportTable(table);
  const isRunning = isOpen(table);
  const isMissing = table.estimate.calls > 0;
  return (
    <>
      <PageHead
        title={name}
        isContent
        note={
          <>
            {t('evidence.documentsCount', { count: rowCount })} ·{' '}
            {t('evidence.columnsCount', { count: columns.length })}
            {table.followNew && ` · ${t('evidence.follows')}`}
          </>
        }
        actions={
          <>
            {run && <RunStatus status={run.status} />}
            {may && isRunning && (
              <Button icon="stop" disabled={stop.isPending} onClick={() => stop.mutate()}>
                {t('evidence.stop')}
              </Button>
            )}
            {may && !isRunning && isMissing && (
              <Button
                look="main"
                icon="play"
                disabled={resume.isPending}
                onClick={() => resume.mutate('all')}
              >
                {t('evidence.resume')}
              </Button>
            )}
            <Menu
              icon="download"
              label={t('evidence.export')}
              disabled={save.isPending}
              items={EXPORT_FORMATS.map((format) => ({
                icon: 'file',
                label: t(`evidence.formats.${format}`),
                onSelect: () => save.mutate(format),
              }))}
            />
            {may && !isRunning && (
              <Menu
                label={t('evidence.more')}
                items={[
                  { icon: 'edit', label: t('evidence.editColumns'), onSelect: () => setOpen('columns') },
                  { icon: 'play', label: t('evidence.resumePilot'), onSelect: () => resume.mutate('pilot') },
                  { icon: 'trash', label: t('evidence.delete'), onSelect: () => setOpen('delete') },
                ]}
              />
            )}
          </>
        }
      />
      <Problem error={resume.error ?? stop.error ?? save.error} />
      {open === 'columns' && <EditColumns table={table} onClose={() => setOpen(undefined)} />}
      {open === 'delete' && <DeleteTable table={table} onClose={() => setOpen(undefined)} />}
    </>
  );
}

interface DialogProps {
  table: EvidenceTable;
  onClose: () => void;
}

function EditColumns({ table: { id, columns }, onClose }: DialogProps) {
  const { t } = useTranslation();
  const change = useChangeTable(id);
  const [drafts, setDrafts] = useState(() => columns.map(draftOf));
  return (
    <FormDialog
      title={t('evidence.editColumns')}
      action={t('evidence.save')}
      sending={change}
      isWhole={drafts.every(isColumnWhole)}
      onSend={() => change.mutate({ columns: drafts.map(columnOf) }, { onSuccess: onClose })}
      onClose={onClose}
    >
      <p className="text-sm text-muted">{t('evidence.editColumnsNote')}</p>
      <ColumnsEditor columns={drafts} onChange={setDrafts} />
    </FormDialog>
  );
}

function DeleteTable({ table: { id, workspaceId, name }, onClose }: DialogProps) {
  const { t } = useTranslation();
  const remove = useDeleteTable();
  const navigate = useNavigate();
  const onDeleted = () => void navigate({ to: '/w/$workspaceId/tables', params: { workspaceId } });
  return (
    <ConfirmDialog
      title={t('evidence.deleteTitle', { name })}
      note={t('evidence.deleteNote')}
      action={t('evidence.delete')}
      doing={remove}
      onConfirm={() => remove.mutate(id, { onSuccess: onDeleted })}
      onClose={onClose}
    />
  );
}
