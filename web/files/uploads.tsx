import { useTranslation } from 'react-i18next';
import { IconButton } from '../parts/button.tsx';
import { Icon } from '../parts/icon.tsx';
import type { Upload } from './upload-list.ts';

export function Uploads({ uploads, onClear }: { uploads: Upload[]; onClear: () => void }) {
  const { t } = useTranslation();
  const done = uploads.filter(({ sent, total, error }) => error !== undefined || sent >= total).length;
  return (
    <section
      aria-label={t('files.uploads')}
      className="my-3 rounded-md border border-line bg-surface p-3 shadow-raised"
    >
      <div className="flex items-center justify-between">
        <p role="status" className="text-sm font-medium">
          {t('files.uploaded', { done, total: uploads.length })}
        </p>
        <IconButton icon="close" label={t('parts.close')} onClick={onClear} />
      </div>
      <ul className="max-h-40 space-y-1.5 overflow-y-auto">
        {uploads.map((upload) => (
          <UploadRow key={upload.path} upload={upload} />
        ))}
      </ul>
    </section>
  );
}

function UploadRow({ upload: { path, sent, total, error } }: { upload: Upload }) {
  const { t } = useTranslation();
  const isDone = sent >= total;
  return (
    <li className="flex items-center gap-2 text-xs">
      <span className={error ? 'text-danger' : isDone ? 'text-good' : 'text-muted'}>
        <Icon name={error ? 'warn' : isDone ? 'check' : 'upload'} size={14} />
      </span>
      <span className="min-w-0 flex-1 truncate">{path}</span>
      <span className={`shrink-0 ${error ? 'text-danger' : 'text-muted'}`}>
        {error
          ? error.message || t('parts.unreached')
          : `${total === 0 ? 100 : Math.floor((100 * sent) / total)} %`}
      </span>
    </li>
  );
}
