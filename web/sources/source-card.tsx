import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Badge } from '../parts/badge.tsx';
import { Banner } from '../parts/banner.tsx';
import { Button, IconButton } from '../parts/button.tsx';
import { ConfirmDialog } from '../parts/confirm-dialog.tsx';
import { CheckField, SelectField } from '../parts/field.tsx';
import { formatAgo } from '../parts/format.ts';
import { Meter } from '../parts/meter.tsx';
import { Problem } from '../parts/problem.tsx';
import { ServiceText } from '../parts/service-text.tsx';
import { isRunning, type Source, useDeleteSource, useScheduleSource, useSyncSource } from './queries.ts';
import { RunStatus } from './run-status.tsx';
import { SourceHistory } from './source-history.tsx';

interface Props {
  workspaceId: string;
  source: Source;
  may: boolean;
}

export function SourceCard({ workspaceId, source, may }: Props) {
  const { t, i18n } = useTranslation();
  const sync = useSyncSource(workspaceId);
  const [isLeaving, setLeaving] = useState(false);
  const { name, path, lastRun } = source;
  const place = usePlace(source);
  return (
    <section aria-label={name} className="rounded-lg border border-line bg-surface p-4">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <h2 data-user-content className="min-w-0 flex-1 basis-40 font-semibold break-words">
          {name}
        </h2>
        {lastRun && <RunStatus status={lastRun.status} />}
        {lastRun && lastRun.counts.conflicts > 0 && (
          <Badge look="warn" icon="warn">
            {t('sources.counts.conflicts', { count: lastRun.counts.conflicts })}
          </Badge>
        )}
        {may && (
          <>
            <Button
              icon="again"
              disabled={isRunning(source) || sync.isPending}
              onClick={() => sync.mutate(source.id)}
            >
              {t('sources.sync')}
            </Button>
            <IconButton
              icon="trash"
              label={t('sources.deleteOf', { name })}
              onClick={() => setLeaving(true)}
            />
          </>
        )}
      </div>
      <p className="mt-1 text-sm break-words text-muted">
        <span data-user-content>{place}</span>
        {' · '}
        <Link
          to="/w/$workspaceId/files"
          params={{ workspaceId }}
          className="text-accent underline"
          data-user-content
        >
          {path}/
        </Link>
        {lastRun?.finishedAt &&
          ` · ${t('sources.lastSync', { ago: formatAgo(lastRun.finishedAt, i18n.language) })}`}
      </p>
      <Problem error={sync.error} />
      {isRunning(source) && lastRun && <Progress run={lastRun} />}
      {lastRun?.error && (
        <div className="mt-3">
          <Banner look="warn">
            <ServiceText text={lastRun.error} />
          </Banner>
        </div>
      )}
      {may && <Schedule workspaceId={workspaceId} source={source} />}
      <SourceHistory workspaceId={workspaceId} sourceId={source.id} />
      {isLeaving && (
        <DeleteSource workspaceId={workspaceId} source={source} onClose={() => setLeaving(false)} />
      )}
    </section>
  );
}

/** Returns where the files come from. */
function usePlace({ kind, config }: Source): string {
  const { t } = useTranslation();
  if (kind === 'webdav') return config.url ?? '';
  if (kind === 's3') return `s3://${config.bucket}/${config.prefix}`;
  return config.groupId == null
    ? t('sources.libraryOf', { name: config.userName })
    : t('sources.groupOf', { id: config.groupId });
}

function Progress({ run: { done, total } }: { run: NonNullable<Source['lastRun']> }) {
  const { t } = useTranslation();
  return (
    <div className="mt-3 space-y-1.5">
      <p role="status" className="text-xs text-muted">
        {total === null ? t('sources.listing') : t('sources.progress', { done, total })}
      </p>
      <Meter label={t('sources.progressName')} share={total ? done / total : 0} />
    </div>
  );
}

const SCHEDULES = {
  '': 'manual',
  '0 * * * *': 'hourly',
  '0 5 * * *': 'daily',
  '0 5 * * 1': 'weekly',
} as const;

/** The common schedules. Another one, which the scheduled task may have, is shown as it is. */
function Schedule({ workspaceId, source }: { workspaceId: string; source: Source }) {
  const { t } = useTranslation();
  const change = useScheduleSource(workspaceId, source.id);
  const value = source.schedule ?? '';
  const known = Object.entries(SCHEDULES).map(([cron, name]): [string, string] => [
    cron,
    t(`sources.every.${name}`),
  ]);
  const options = value in SCHEDULES ? known : [...known, [value, value] as [string, string]];
  return (
    <div className="mt-3 max-w-64">
      <SelectField
        label={t('sources.schedule')}
        value={value}
        options={options}
        onChange={(cron) => change.mutate(cron === '' ? null : cron)}
      />
      <Problem error={change.error} />
    </div>
  );
}

function DeleteSource({
  workspaceId,
  source,
  onClose,
}: Pick<Props, 'workspaceId' | 'source'> & { onClose: () => void }) {
  const { t } = useTranslation();
  const remove = useDeleteSource(workspaceId, source.id);
  const [keepsFiles, setKeepsFiles] = useState(false);
  return (
    <ConfirmDialog
      title={t('sources.deleteTitle', { name: source.name })}
      note={t('sources.deleteNote')}
      action={t('sources.delete')}
      doing={remove}
      onConfirm={() => remove.mutate(keepsFiles, { onSuccess: onClose })}
      onClose={onClose}
    >
      <div className="mt-4">
        <CheckField label={t('sources.keepFiles')} checked={keepsFiles} onChange={setKeepsFiles} />
      </div>
    </ConfirmDialog>
  );
}
