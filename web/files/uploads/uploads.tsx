import { useTranslation } from 'react-i18next';
import { ApiError } from '../../api/client.ts';
import { messageOfCode } from '../../api/error-message.ts';
import { Banner } from '../../parts/banner.tsx';
import { Button, IconButton } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Icon } from '../../parts/icon.tsx';
import { UploadAbandoned } from './send-file.ts';
import { isUnderWay, type Upload } from './upload.ts';
import { cancel, clear, sendAll } from './upload-list.ts';
import { UploadOutcome } from './upload-outcome.tsx';
import type { Uploads } from './use-uploads.ts';

const NAMED = 8;

/** What isn't sent: what exists already with the same bytes, and what the person chose to leave as it is. */
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
  const { t } = useTranslation();
  const done = uploads.filter((upload) => !isUnderWay(upload)).length;
  if (uploads.length === 0) return null;
  return (
    <section
      aria-label={t('files.uploads')}
      className="my-3 rounded-md border border-line bg-surface p-3 shadow-raised"
    >
      <div className="flex items-center justify-between">
        <p role="status" className="text-sm font-medium">
          {t('files.uploaded', { done, total: uploads.length })}
        </p>
        {done === uploads.length && (
          <IconButton icon="close" label={t('parts.close')} onClick={() => clear(workspaceId)} />
        )}
      </div>
      <Rows uploads={uploads.filter(({ isDone }) => !isDone)} />
      {done === uploads.length && <UploadOutcome workspaceId={workspaceId} uploads={uploads} />}
      <Stored uploads={uploads.filter(({ isDone }) => isDone)} />
    </section>
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

/** Folded: of a file that is stored, only its name is left to say. */
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
  const { workspaceId, path, sent, total, isDone, error } = upload;
  return (
    <li className="flex items-center gap-2 text-xs">
      <span className={error ? 'text-danger' : isDone ? 'text-good' : 'text-muted'}>
        <Icon name={error ? 'warn' : isDone ? 'check' : 'upload'} size={14} />
      </span>
      <span className="min-w-0 flex-1 truncate">{path}</span>
      <span className={`shrink-0 ${error ? 'text-danger' : 'text-muted'}`}>
        {error ? <Why error={error} /> : `${total === 0 ? 100 : Math.floor((100 * sent) / total)} %`}
      </span>
      {isUnderWay(upload) && (
        <IconButton icon="close" label={t('files.cancelOf', { path })} onClick={() => cancel(upload)} />
      )}
      {error && (
        <IconButton
          icon="again"
          label={t('files.againOf', { path })}
          onClick={() => void sendAll(workspaceId, [upload])}
        />
      )}
    </li>
  );
}

function Why({ error }: { error: Error }) {
  const { t } = useTranslation();
  if (error.name === 'AbortError') return t('files.cancelled');
  if (error instanceof UploadAbandoned) return t('files.abandoned');
  const translated = error instanceof ApiError ? messageOfCode(error.code) : undefined;
  return translated ?? (error.message || t('parts.unreached'));
}

/** Some of the files exist already: asks whether to replace or skip them. */
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

/** The bytes were lost with the page; choosing the files again sends only the missing parts. */
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
