import { useNavigate, useSearch } from '@tanstack/react-router';
import { lazy, Suspense, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type FileView, viewOf } from '../../lib/api-contract/file-kinds.ts';
import { useMay } from '../access/role.ts';
import { fetchPart } from '../api/fetch-part.ts';
import { DocumentDetails } from '../documents/document-details.tsx';
import { useDocument } from '../documents/queries.ts';
import { Banner } from '../parts/banner.tsx';
import { Button, IconButton } from '../parts/button.tsx';
import { DocumentName } from '../parts/document-name.tsx';
import { EmptyState } from '../parts/empty-state.tsx';
import { Problem } from '../parts/problem.tsx';
import { saveFile } from '../parts/save-file.ts';
import { readUnsavedText } from './edit/unsaved-text.ts';
import { FilePreview } from './file-preview.tsx';
import { Loading } from './loading.tsx';
import { markOf } from './place.ts';
import { readBytes } from './queries.ts';

/** Kinds that can be edited as text. */
const TEXTS: ReadonlySet<FileView> = new Set(['text', 'markdown', 'html', 'table', 'notebook']);
const Editor = lazy(async () => ({ default: (await fetchPart(() => import('./edit/editor.tsx'))).Editor }));

export function OpenFile({ workspaceId, path }: { workspaceId: string; path: string | undefined }) {
  const { t } = useTranslation();
  const { lines, page, quote, edit } = useSearch({ from: '/w/$workspaceId/files' });
  const navigate = useNavigate({ from: '/w/$workspaceId/files' });
  const mayWrite = useMay('member', workspaceId);
  const mark = useMemo(() => markOf({ lines, page, quote }), [lines, page, quote]);
  if (path === undefined)
    return (
      <div className="hidden flex-1 items-center md:flex">
        <EmptyState icon="file" title={t('files.choose')} next={t('files.chooseNext')} />
      </div>
    );
  const setEdit = (next: boolean) => void navigate({ search: { path, ...(next && { edit: next }) } });
  const isEdited = edit === true && mayWrite;
  return (
    <div className="flex min-w-0 flex-1 flex-col bg-surface">
      <FileHead workspaceId={workspaceId} path={path} onEdit={isEdited ? undefined : () => setEdit(true)} />
      <div className="min-h-0 flex-1">
        {isEdited ? (
          <Suspense fallback={<Loading />}>
            <Editor key={path} workspaceId={workspaceId} path={path} onClose={() => setEdit(false)} />
          </Suspense>
        ) : (
          <FilePreview
            key={`${path} ${lines} ${page} ${quote}`}
            workspaceId={workspaceId}
            path={path}
            mark={mark}
          />
        )}
      </div>
    </div>
  );
}

interface HeadProps {
  workspaceId: string;
  path: string;
  onEdit: (() => void) | undefined;
}

function FileHead({ workspaceId, path, onEdit }: HeadProps) {
  const { t } = useTranslation();
  const navigate = useNavigate({ from: '/w/$workspaceId/files' });
  const mayWrite = useMay('member', workspaceId);
  const [error, setError] = useState<Error>();
  const { data: document } = useDocument(workspaceId, path);
  const title = document?.title ?? path;
  const isTitled = !path.endsWith(title);
  const isText = TEXTS.has(viewOf(path));
  const hasKept = isText && readUnsavedText(workspaceId, path) !== undefined;
  const download = () =>
    readBytes(workspaceId, path).then(
      (bytes) => saveFile(bytes, path.split('/').at(-1) ?? path),
      (problem: Error) => setError(problem),
    );
  return (
    <>
      <header className="flex items-center gap-2 border-b border-line px-4 py-2">
        <IconButton
          icon="back"
          label={t('files.backToTree')}
          onClick={() => void navigate({ search: {} })}
          className="md:hidden"
        />
        <h2 className="flex min-w-0 flex-1 text-sm font-semibold" title={path}>
          <DocumentName path={path} title={isTitled ? title : undefined} />
        </h2>
        {document && <DocumentDetails key={path} workspaceId={workspaceId} path={path} />}
        {mayWrite && isText && onEdit && (
          <IconButton icon="edit" label={t('files.edit.begin')} onClick={onEdit} />
        )}
        <IconButton icon="download" label={t('files.download')} onClick={download} />
      </header>
      <Problem error={error} />
      {hasKept && onEdit && mayWrite && (
        <div className="px-4 pt-2">
          <Banner look="warn" action={<Button onClick={onEdit}>{t('files.edit.keepEditing')}</Button>}>
            {t('files.edit.unsaved')}
          </Banner>
        </div>
      )}
    </>
  );
}
