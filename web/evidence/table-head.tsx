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

export function TableHead({ table, etag }: { table: EvidenceTable; etag: string | undefined }) {
  const { t } = useTranslation();
  const { id, name, run, rowCount, columns, followNew } = table;
  const may = useMay('member', table.workspaceId);
  const resume = useResumeTable(id);
  const stop = useStopTable(id);
  const save = useExportTable(table);
  const follow = useChangeTable(id);
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
            {followNew && ` · ${t('evidence.follows')}`}
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
              <More table={table} etag={etag} follow={follow} onReread={() => resume.mutate('pilot')} />
            )}
          </>
        }
      />
      <Problem error={resume.error ?? stop.error ?? save.error ?? follow.error} />
    </>
  );
}

interface MoreProps {
  table: EvidenceTable;
  etag: string | undefined;
  follow: ReturnType<typeof useChangeTable>;
  onReread: () => void;
}

/** The other actions, and their dialogs. */
function More({ table, etag, follow, onReread }: MoreProps) {
  const { t } = useTranslation();
  const [open, setOpen] = useState<'columns' | 'follow' | 'delete'>();
  const onClose = () => setOpen(undefined);
  const following = {
    icon: 'again' as const,
    label: t(table.followNew ? 'evidence.unfollow' : 'evidence.follow'),
    onSelect: () => (table.followNew ? follow.mutate({ followNew: false }) : setOpen('follow')),
  };
  return (
    <>
      <Menu
        label={t('evidence.more')}
        items={[
          { icon: 'edit', label: t('evidence.editColumns'), onSelect: () => setOpen('columns') },
          { icon: 'play', label: t('evidence.resumePilot'), onSelect: onReread },
          ...(table.glob === null ? [] : [following]),
          { icon: 'trash', label: t('evidence.delete'), onSelect: () => setOpen('delete') },
        ]}
      />
      {open === 'columns' && <EditColumns table={table} etag={etag} onClose={onClose} />}
      {open === 'follow' && (
        <FormDialog
          title={t('evidence.followTitle')}
          action={t('evidence.follow')}
          sending={follow}
          onSend={() => follow.mutate({ followNew: true }, { onSuccess: onClose })}
          onClose={onClose}
        >
          <p className="text-sm text-muted">{t('evidence.followNewHint')}</p>
        </FormDialog>
      )}
      {open === 'delete' && <DeleteTable table={table} onClose={onClose} />}
    </>
  );
}

interface DialogProps {
  table: EvidenceTable;
  onClose: () => void;
}

function EditColumns({ table: { id, columns }, etag, onClose }: DialogProps & { etag: string | undefined }) {
  const { t } = useTranslation();
  const [opened] = useState(etag);
  const change = useChangeTable(id, opened);
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
