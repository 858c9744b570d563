import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../parts/button.tsx';
import { EmptyState } from '../parts/empty-state.tsx';
import { Problem } from '../parts/problem.tsx';
import { saveFile } from '../parts/save-file.ts';
import type { PreviewProps } from './preview-props.ts';
import { readBytes } from './queries.ts';
import { useLack } from './use-lack.ts';

/** A file without a preview: the reason, whether questions about it are possible, the quoted words, and a download. */
export function NotShown({ workspaceId, path, mark }: PreviewProps) {
  const { t } = useTranslation();
  const [error, setError] = useState<Error>();
  const lack = useLack(workspaceId, path);
  const download = () =>
    readBytes(workspaceId, path).then(
      (bytes) => saveFile(bytes, path.split('/').at(-1) ?? 'file'),
      (problem: Error) => setError(problem),
    );
  return (
    <div className="h-full overflow-y-auto p-5">
      {mark?.quote && (
        <blockquote className="rounded-md border-l-4 border-accent bg-sunken px-4 py-3 text-sm">
          <mark className="bg-mark px-0.5 text-ink">{mark.quote}</mark>
        </blockquote>
      )}
      <EmptyState icon="file" title={t(lack === undefined ? 'files.noPreview' : 'files.notReadable')}>
        <p>{lack?.text ?? t('files.noPreviewNext')}</p>
        <div className="mt-4">
          <Button icon="download" onClick={download}>
            {t('files.download')}
          </Button>
        </div>
        <Problem error={error} />
      </EmptyState>
    </div>
  );
}
