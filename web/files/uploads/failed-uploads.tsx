import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../../api/client.ts';
import { messageOfCode } from '../../api/error-message.ts';
import { IconButton } from '../../parts/button.tsx';
import { Icon } from '../../parts/icon.tsx';
import { UploadAbandoned } from './send-file.ts';
import type { Upload } from './upload.ts';
import { sendAll } from './upload-list.ts';

/** Files that weren't added, below the reason that they share. */
export function FailedUploads({ uploads }: { uploads: Upload[] }) {
  const { t } = useTranslation();
  const groups = Map.groupBy(uploads, ({ error }) => (error === undefined ? '' : reasonOf(error, t)));
  if (uploads.length === 0) return null;
  return (
    <div className="max-h-60 space-y-2 overflow-y-auto">
      {[...groups].map(([reason, failed]) => (
        <section key={reason} aria-label={reason}>
          <p className="flex gap-2 text-sm text-danger">
            <span className="pt-1">
              <Icon name="warn" size={14} />
            </span>
            {reason}
          </p>
          <ul className="pl-5.5">
            {failed.map((upload) => (
              <FailedRow key={upload.path} upload={upload} />
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
}

function FailedRow({ upload }: { upload: Upload }) {
  const { t } = useTranslation();
  const { workspaceId, path } = upload;
  return (
    <li className="flex items-center gap-2 text-xs">
      <span data-user-content title={path} className="min-w-0 flex-1 truncate">
        {path}
      </span>
      <IconButton
        icon="again"
        label={t('files.againOf', { path })}
        onClick={() => void sendAll(workspaceId, [upload])}
      />
    </li>
  );
}

/**
 * Returns one sentence. A response without a code doesn't come from the service but from a proxy, which has
 * its own limits.
 */
function reasonOf(error: Error, t: TFunction): string {
  if (error.name === 'AbortError') return t('files.cancelled');
  if (error instanceof UploadAbandoned) return t('files.abandoned');
  const { status, code } = error instanceof ApiError ? error : { status: undefined, code: undefined };
  if (status === 413 && code === undefined) return t('files.proxyLimit');
  return messageOfCode(code) ?? (error.message || t(status ? 'parts.failed' : 'parts.unreached'));
}
