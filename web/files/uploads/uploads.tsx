import { useTranslation } from 'react-i18next';
import { Banner } from '../../parts/banner.tsx';
import { Button, IconButton } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Icon } from '../../parts/icon.tsx';
import { FailedUploads } from './failed-uploads.tsx';
import { failedUploads, isUnderWay, type Upload } from './upload.ts';
import { cancel, clear, sendAll } from './upload-list.ts';
import { UploadOutcome } from './upload-outcome.tsx';
import type { Uploads } from './use-uploads.ts';

const NAMED = 8;

/**
 * Files that aren't sent: those that already exist unchanged, and those that the person chose not to replace.
 */
export function LeftOut({ leftOut, same }: Uploads) {
  const { t } = useTranslation();
  const isShown = leftOut > 0 || same?.count !== undefined;
  return (
    <p role="status" className={isShown ? 'my-3 text-sm text-muted' : 'sr-only'}>
      {same?.count !== undefined && t('files.same', { count: same.count, total: same.total })}{' '}
      {leftOut > 0 && t('files.leftOut', { count: leftOut })}
    </p>
  );
}

export function UploadList({ workspaceId, uploads }: Uploads) {
  const running = uploads.filter(isUnderWay);
  const stored = uploads.filter(({ isDone }) => isDone);
  const isOver = running.length === 0;
  const { t } = useTranslation();
  if (uploads.length === 0) return null;
  return (
    <section
      aria-label={t('files.uploads')}
      className="my-3 rounded-md border border-line bg-surface p-3 shadow-raised"
    >
      <Counts workspaceId={workspaceId} uploads={uploads} isOver={isOver} />
      <Rows uploads={running} />
      <FailedUploads uploads={uploads.filter(({ error }) => error !== undefined)} />
      {isOver && stored.length > 0 && <UploadOutcome workspaceId={workspaceId} uploads={uploads} />}
      <Stored uploads={stored} />
    </section>
  );
}

interface CountsProps {
  workspaceId: string;
  uploads: Upload[];
  isOver: boolean;
}

/** The number of added files; only a stored file counts. */
function Counts({ workspaceId, uploads, isOver }: CountsProps) {
  const { t } = useTranslation();
  const failed = failedUploads(uploads);
  const done = uploads.filter(({ isDone }) => isDone).length;
  return (
    <div className="flex min-h-9 flex-wrap items-center gap-x-2">
      <p role="status" className="flex-1 text-sm font-medium">
        {t('files.uploaded', { done, total: uploads.length })}
        {failed.length > 0 && ` · ${t('files.failed', { count: failed.length })}`}
      </p>
      {failed.length > 1 && (
        <Button icon="again" onClick={() => void sendAll(workspaceId, failed)}>
          {t('files.againAll')}
        </Button>
      )}
      {isOver && <IconButton icon="close" label={t('parts.close')} onClick={() => clear(workspaceId)} />}
    </div>
  );
}

function Rows({ uploads }: { uploads: Upload[] }) {
  if (uploads.length === 0) return null;
  return (
    <ul className="max-h-40 space-y-1.5 overflow-y-auto">
      {uploads.map((upload) => (
        <UploadRow key={upload.path} upload={upload} />
      ))}
    </ul>
  );
}

/** The stored files, collapsed, because only their names matter. */
function Stored({ uploads }: { uploads: Upload[] }) {
  const { t } = useTranslation();
  if (uploads.length === 0) return null;
  return (
    <details className="group">
      <summary className="flex min-h-9 list-none items-center gap-1.5 text-xs text-muted">
        <span className="transition-transform group-open:rotate-90">
          <Icon name="right" size={13} />
        </span>
        {t('index.added.done')}
      </summary>
      <Rows uploads={uploads} />
    </details>
  );
}

function UploadRow({ upload }: { upload: Upload }) {
  const { t } = useTranslation();
  const { path, sent, total, isDone, isCut } = upload;
  return (
    <li className="flex items-center gap-2 text-xs">
      <span className={isDone ? 'text-good' : 'text-muted'}>
        <Icon name={isDone ? 'check' : 'upload'} size={14} />
      </span>
      <span data-user-content title={path} className="min-w-0 flex-1 truncate">
        {path}
      </span>
      <span className="shrink-0 text-muted">
        {isCut ? t('files.cut') : `${total === 0 ? 100 : Math.floor((100 * sent) / total)} %`}
      </span>
      {isUnderWay(upload) && (
        <IconButton icon="close" label={t('files.cancelOf', { path })} onClick={() => cancel(upload)} />
      )}
    </li>
  );
}

/** Asks whether to replace or skip files that already exist. */
export function AskReplace({ asked, send, leaveOut, forget }: Uploads) {
  const { t } = useTranslation();
  if (asked === undefined) return null;
  const { all, there } = asked;
  return (
    <Dialog title={t('files.replaceTitle', { count: there.length })} onClose={forget}>
      <p className="mb-3 text-sm text-muted">{t('files.replaceNote')}</p>
      <Names paths={there} />
      <div className="mt-5 flex flex-wrap justify-end gap-2">
        <Button onClick={leaveOut}>{t('files.leaveOut')}</Button>
        <Button look="danger" onClick={() => send(all)}>
          {t('files.replace')}
        </Button>
      </div>
    </Dialog>
  );
}

function Names({ paths }: { paths: string[] }) {
  const { t } = useTranslation();
  return (
    <div className="text-sm text-muted">
      <ul className="max-h-48 overflow-y-auto">
        {paths.slice(0, NAMED).map((path) => (
          <li key={path} className="truncate">
            {path}
          </li>
        ))}
      </ul>
      {paths.length > NAMED && <p className="mt-1">{t('files.andMore', { count: paths.length - NAMED })}</p>}
    </div>
  );
}

/**
 * Interrupted uploads. Their bytes were lost with the page. If the files are chosen again, only missing parts
 * are sent.
 */
export function CutOffUploads({ cutOff, giveUp, onChoose }: Uploads & { onChoose: () => void }) {
  const { t } = useTranslation();
  if (cutOff.length === 0) return null;
  return (
    <section aria-label={t('files.cutOffTitle')} className="my-3 space-y-2">
      <Banner look="warn">
        <p className="mb-1.5">{t('files.cutOff', { count: cutOff.length })}</p>
        <Names paths={cutOff.map(({ path }) => path)} />
        <div className="mt-3 flex flex-wrap gap-2">
          <Button icon="upload" onClick={onChoose}>
            {t('files.chooseAgain')}
          </Button>
          <Button look="quiet" onClick={giveUp}>
            {t('files.giveUp')}
          </Button>
        </div>
      </Banner>
    </section>
  );
}
