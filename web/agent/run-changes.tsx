import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '../../lib/api-contract/schema.ts';
import { api, take } from '../api/client.ts';
import { useChange } from '../api/use-change.ts';
import { Badge } from '../parts/badge.tsx';
import { Button } from '../parts/button.tsx';
import { ConfirmDialog } from '../parts/confirm-dialog.tsx';
import { formatDay } from '../parts/format.ts';
import { Problem } from '../parts/problem.tsx';
import { Changes } from './changes.tsx';
import { changesSum, forcedUndoOf } from './changes-sum.ts';
import type { Edit } from './line-diff.ts';
import { editsOf } from './run-edits.ts';
import type { Step } from './run-steps.ts';
import { showUnseen } from './tool-text.ts';

type RunChanged = Schemas['RunChanges'];
type ChangedFile = Schemas['ChangedFile'];
/** The requested undo: all changes, or one path. Forced if someone has changed the path since. */
interface Wanted {
  paths?: string[];
  force?: boolean;
}
/** The undo that needs confirmation: all changes, or a file that someone has changed since. */
type Asked = 'all' | ChangedFile;

const SHOWN = 200;

/** The changes that an ended run made in its workspace, and their undo. Renders nothing if there are none. */
export function RunChanges({ runId, steps }: { runId: string; steps: readonly Step[] }) {
  const changes = useQuery({
    queryKey: ['run', runId, 'changes'],
    queryFn: () => take(api.GET('/api/agent/runs/{runId}/changes', { params: { path: { runId } } })),
  });
  if (changes.error) return <Problem error={changes.error} onRetry={() => changes.refetch()} />;
  if (changes.data === undefined || (changes.data.files.length === 0 && changes.data.complete)) return null;
  return <ChangesBar runId={runId} changes={changes.data} steps={steps} />;
}

function ChangesBar({ runId, changes, steps }: BarProps) {
  const { t, i18n } = useTranslation();
  const list = useId();
  const [isOpen, setOpen] = useState(false);
  const [asked, setAsked] = useState<Asked>();
  const undo = useUndo(runId);
  const { files } = changes;
  const states = new Set(files.map((file) => file.undo));
  const run = (wanted: Wanted) => undo.mutate(wanted, { onSuccess: () => setAsked(undefined) });
  return (
    // biome-ignore lint/a11y/useSemanticElements: no form is sent, and the landmarks of several runs would have one name
    <div
      role="group"
      aria-label={t('agent.changes.title')}
      className="rounded-lg border border-line bg-surface px-4 py-3"
    >
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <p className="min-w-0 flex-1 basis-48 text-sm font-medium">{changesSum(changes, i18n)}</p>
        <span className="flex gap-x-3">
          {files.length > 0 && (
            <Button look="quiet" aria-expanded={isOpen} aria-controls={list} onClick={() => setOpen(!isOpen)}>
              {t(isOpen ? 'agent.changes.hide' : 'agent.changes.see')}
            </Button>
          )}
          {states.has('possible') && (
            <Button disabled={undo.isPending} onClick={() => setAsked('all')}>
              {t('agent.changes.undo')}
            </Button>
          )}
        </span>
      </div>
      <State changes={changes} states={states} />
      {!asked && <Problem error={undo.error} />}
      <div id={list} hidden={!isOpen}>
        {isOpen && (
          <FileList files={files} steps={steps} isBusy={undo.isPending} onUndo={run} onAsk={setAsked} />
        )}
      </div>
      {asked && (
        <Sure
          asked={asked}
          undo={undo}
          onConfirm={() => run(asked === 'all' ? {} : { paths: [asked.path], force: true })}
          onClose={() => setAsked(undefined)}
        />
      )}
    </div>
  );
}

interface BarProps {
  runId: string;
  changes: RunChanged;
  steps: readonly Step[];
}

interface SureProps {
  asked: Asked;
  undo: ReturnType<typeof useUndo>;
  onConfirm: () => void;
  onClose: () => void;
}

function Sure({ asked, ...others }: SureProps) {
  return asked === 'all' ? <SureOfAll {...others} /> : <SureOfOne file={asked} {...others} />;
}

function SureOfAll({ undo, ...answers }: Omit<SureProps, 'asked'>) {
  const { t } = useTranslation();
  return (
    <ConfirmDialog
      title={t('agent.changes.sure')}
      note={t('agent.changes.sureNote')}
      action={t('agent.changes.undo')}
      doing={undo}
      {...answers}
    />
  );
}

function SureOfOne({ file, undo, ...answers }: Omit<SureProps, 'asked'> & { file: ChangedFile }) {
  const { t } = useTranslation();
  const forced = forcedUndoOf(file);
  return (
    <ConfirmDialog
      title={t(`agent.changes.forcedAsk.${forced}`, { path: showUnseen(file.path) })}
      note={t(`agent.changes.forcedNote.${forced}`)}
      action={t(`agent.changes.forcedNow.${forced}`)}
      doing={undo}
      {...answers}
    />
  );
}

function useUndo(runId: string) {
  return useChange(
    {
      rereads: [['folder'], ['file'], ['runs']],
      stores: (result: RunChanged) => [['run', runId, 'changes'], result],
    },
    (body: Wanted) =>
      take(
        api.POST('/api/agent/runs/{runId}/undo', {
          params: { path: { runId } },
          body: { force: false, ...body },
        }),
      ),
  );
}

/** Explains what an undo did or can't do, and until when it's possible. */
function State({ changes, states }: { changes: RunChanged; states: Set<ChangedFile['undo']> }) {
  const { t, i18n } = useTranslation();
  const says = [
    states.size === 1 && states.has('done') && t('agent.changes.allUndone'),
    states.has('conflict') && t('agent.changes.hasConflict'),
    states.has('not_kept') && t('agent.changes.hasNotKept'),
    !changes.complete && t('agent.changes.incomplete'),
    states.has('possible') &&
      changes.keptUntil &&
      t('agent.changes.until', { day: formatDay(changes.keptUntil, i18n.language) }),
  ].filter((text) => typeof text === 'string');
  return (
    <p role="status" className="mt-1 text-xs text-muted">
      {says.join(' ')}
    </p>
  );
}

interface ListProps {
  files: ChangedFile[];
  steps: readonly Step[];
  isBusy: boolean;
  onUndo: (wanted: Wanted) => void;
  onAsk: (file: ChangedFile) => void;
}

function FileList({ files, steps, isBusy, onUndo, onAsk }: ListProps) {
  const { t } = useTranslation();
  const [shown, setShown] = useState(SHOWN);
  return (
    <>
      <ul className="mt-2 divide-y divide-line border-t border-line">
        {files.slice(0, shown).map((file) => (
          <li key={file.path} className="flex flex-wrap items-center gap-x-3 gap-y-1 py-1.5">
            <FileName file={file} />
            <Undoing file={file} isBusy={isBusy} onUndo={onUndo} onAsk={onAsk} />
            <FileEdits edits={editsOf(steps, file)} />
          </li>
        ))}
      </ul>
      {files.length > shown && (
        <Button look="quiet" onClick={() => setShown(shown + SHOWN)}>
          {t('agent.changes.more', { count: files.length - shown })}
        </Button>
      )}
    </>
  );
}

function FileEdits({ edits }: { edits: Edit[] }) {
  if (edits.length === 0) return null;
  return (
    <div className="basis-full">
      <Changes path={undefined} edits={edits} />
    </div>
  );
}

/** A link to the current file, if the entry is a file and exists. */
function FileName({ file: { path, from, change, type, undo } }: { file: ChangedFile }) {
  const { t } = useTranslation();
  const { workspaceId } = useParams({ from: '/w/$workspaceId' });
  const shown = from === undefined ? showUnseen(path) : `${showUnseen(from)} → ${showUnseen(path)}`;
  const look = { 'data-user-content': true, className: 'font-mono text-xs break-all' };
  return (
    <span className="min-w-0 flex-1 basis-56 text-sm">
      <span className="text-muted">{t(`agent.changes.was.${change}`)}</span>{' '}
      {type === 'file' && change !== 'deleted' && undo !== 'done' ? (
        <Link
          to="/w/$workspaceId/files"
          params={{ workspaceId }}
          search={{ path }}
          {...look}
          className="font-mono text-xs break-all text-accent underline"
        >
          {shown}
        </Link>
      ) : (
        <span {...look}>{shown}</span>
      )}
    </span>
  );
}

function Undoing({
  file,
  isBusy,
  onUndo,
  onAsk,
}: Omit<ListProps, 'files' | 'steps'> & { file: ChangedFile }) {
  const { t } = useTranslation();
  const { path, undo } = file;
  const named = { path: showUnseen(path) };
  if (undo === 'done') return <Badge look="good">{t('agent.changes.done')}</Badge>;
  if (undo === 'not_kept') return <Badge>{t('agent.changes.notKept')}</Badge>;
  if (undo === 'possible')
    return (
      <Button
        look="quiet"
        disabled={isBusy}
        aria-label={t('agent.changes.undoOne', named)}
        onClick={() => onUndo({ paths: [path] })}
      >
        {t('agent.changes.undo')}
      </Button>
    );
  return (
    <>
      <Badge look="warn">{t('agent.changes.conflict')}</Badge>
      <Button
        look="quiet"
        disabled={isBusy}
        aria-label={t(`agent.changes.forcedAsk.${forcedUndoOf(file)}`, named)}
        onClick={() => onAsk(file)}
      >
        {t(`agent.changes.forcedShort.${forcedUndoOf(file)}`)}
      </Button>
    </>
  );
}
