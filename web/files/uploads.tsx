import { useTranslation } from 'react-i18next';
import { Button, IconButton } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Icon } from '../parts/icon.tsx';
import { isUnderWay, type Upload, type Uploads } from './upload-list.ts';

const NAMED = 10;

export function UploadList({ uploads, clear, cancel }: Uploads) {
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
        {done === uploads.length && <IconButton icon="close" label={t('parts.close')} onClick={clear} />}
      </div>
      <ul className="max-h-40 space-y-1.5 overflow-y-auto">
        {uploads.map((upload) => (
          <UploadRow key={upload.path} upload={upload} onCancel={() => cancel(upload.path)} />
        ))}
      </ul>
    </section>
  );
}

function UploadRow({ upload, onCancel }: { upload: Upload; onCancel: () => void }) {
  const { t } = useTranslation();
  const { path, sent, total, error } = upload;
  const isDone = sent >= total;
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
        <IconButton icon="close" label={t('files.cancelOf', { path })} onClick={onCancel} />
      )}
    </li>
  );
}

function Why({ error }: { error: Error }) {
  const { t } = useTranslation();
  if (error.name === 'AbortError') return t('files.cancelled');
  return error.message || t('parts.unreached');
}

/** Some of the files lie there already: they are replaced, or left out. */
export function AskReplace({ asked, sendAll, forget }: Uploads) {
  const { t } = useTranslation();
  if (asked === undefined) return null;
  const { all, there } = asked;
  const rest = all.filter(({ path }) => !there.includes(path));
  return (
    <Dialog title={t('files.replaceTitle', { count: there.length })} onClose={forget}>
      <ul className="max-h-48 overflow-y-auto text-sm text-muted">
        {there.slice(0, NAMED).map((path) => (
          <li key={path} className="truncate">
            {path}
          </li>
        ))}
        {there.length > NAMED && <li>{t('files.andMore', { count: there.length - NAMED })}</li>}
      </ul>
      <div className="mt-5 flex flex-wrap justify-end gap-2">
        <Button onClick={() => (rest.length > 0 ? sendAll(rest) : forget())}>{t('files.leaveOut')}</Button>
        <Button look="danger" onClick={() => sendAll(all)}>
          {t('files.replace')}
        </Button>
      </div>
    </Dialog>
  );
}
