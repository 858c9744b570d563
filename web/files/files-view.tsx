import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { type DragEvent, lazy, Suspense, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useMay } from '../access/role.ts';
import { Banner } from '../parts/banner.tsx';
import { Button, IconButton } from '../parts/button.tsx';
import { EmptyState } from '../parts/empty-state.tsx';
import { Problem } from '../parts/problem.tsx';
import { saveFile } from '../parts/save-file.ts';
import { PageHead } from '../shell/page-head.tsx';
import { isRunning, syncQuery } from '../workspaces/queries.ts';
import { SyncProgress } from '../workspaces/sync-panel.tsx';
import { type Dropped, readDropped } from './dropped.ts';
import { readKeptText } from './edit/kept-text.ts';
import { type FileKind, kindOf } from './file-kind.ts';
import { FilePreview, Loading } from './file-preview.tsx';
import { EntryMenu } from './manage/entry-menu.tsx';
import { markOf } from './place.ts';
import { folderQuery, readBytes } from './queries.ts';
import { Tree } from './tree.tsx';
import type { Entry } from './tree-rows.ts';
import { useUploads } from './upload-list.ts';
import { AskReplace, UploadList } from './uploads.tsx';

/** What can be changed as a text. */
const TEXTS: ReadonlySet<FileKind> = new Set(['text', 'markdown', 'html', 'table', 'notebook']);
const Editor = lazy(async () => ({ default: (await import('./edit/editor.tsx')).Editor }));

export function FilesView() {
  const { workspaceId } = useParams({ from: '/w/$workspaceId' });
  const { path } = useSearch({ from: '/w/$workspaceId/files' });
  const mayWrite = useMay('member', workspaceId);
  const uploads = useUploads(workspaceId);
  const { start } = uploads;
  const [isOver, setOver] = useState(false);
  const drop = async (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    if (mayWrite) await start(await readDropped(event.dataTransfer));
  };
  return (
    <section
      aria-labelledby="files-title"
      onDragOver={(event) => {
        event.preventDefault();
        setOver(mayWrite);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
      className={`flex h-full ${isOver ? 'outline-2 -outline-offset-4 outline-accent outline-dashed' : ''}`}
    >
      <div
        className={`w-full flex-col border-line p-4 pb-0 md:flex md:w-96 md:shrink-0 md:border-r ${path ? 'hidden' : 'flex'}`}
      >
        <FilesPane workspaceId={workspaceId} path={path} onUpload={start} />
        <UploadList {...uploads} />
        <AskReplace {...uploads} />
      </div>
      <OpenFile workspaceId={workspaceId} path={path} />
    </section>
  );
}

interface PaneProps {
  workspaceId: string;
  path: string | undefined;
  onUpload: (files: Dropped[]) => void;
}

function FilesPane({ workspaceId, path, onUpload }: PaneProps) {
  const { t } = useTranslation();
  const navigate = useNavigate({ from: '/w/$workspaceId/files' });
  const chosen = useRef<HTMLInputElement>(null);
  const root = useQuery(folderQuery(workspaceId, ''));
  const sync = useQuery(syncQuery(workspaceId));
  const mayWrite = useMay('member', workspaceId);
  const [active, setActive] = useState<Entry>();
  const open = (opened: string | undefined, edit = false) =>
    void navigate({ search: { ...(opened !== undefined && { path: opened }), ...(edit && { edit }) } });
  const followMoved = (from: string, to: string | undefined) => {
    if (path === from || path?.startsWith(`${from}/`)) open(to && to + path.slice(from.length));
  };
  return (
    <>
      <PageHead
        title={t('shell.files')}
        actions={
          mayWrite && (
            <>
              <EntryMenu
                workspaceId={workspaceId}
                entry={active}
                onMoved={followMoved}
                onMade={(made) => open(made, true)}
              />
              <Button look="main" icon="upload" onClick={() => chosen.current?.click()}>
                {t('files.upload')}
              </Button>
            </>
          )
        }
      />
      <input
        ref={chosen}
        type="file"
        multiple
        aria-label={t('files.upload')}
        className="hidden"
        onChange={({ target }) =>
          onUpload([...(target.files ?? [])].map((file) => ({ path: file.name, file })))
        }
      />
      {sync.data && isRunning(sync.data) && (
        <div className="pb-3">
          <p className="text-xs text-muted">
            {t('workspaces.progress', { done: sync.data.done, total: sync.data.total })}
          </p>
          <SyncProgress state={sync.data} />
        </div>
      )}
      <div className="min-h-0 flex-1">
        {root.data?.length === 0 ? (
          <EmptyState icon="upload" title={t('files.none')}>
            {t('files.noneNext')}
          </EmptyState>
        ) : (
          <Tree
            workspaceId={workspaceId}
            selected={path}
            onSelect={(chosenPath) => open(chosenPath)}
            onActive={setActive}
          />
        )}
      </div>
    </>
  );
}

function OpenFile({ workspaceId, path }: { workspaceId: string; path: string | undefined }) {
  const { t } = useTranslation();
  const { lines, page, quote, edit } = useSearch({ from: '/w/$workspaceId/files' });
  const navigate = useNavigate({ from: '/w/$workspaceId/files' });
  const mayWrite = useMay('member', workspaceId);
  const mark = useMemo(() => markOf({ lines, page, quote }), [lines, page, quote]);
  if (path === undefined)
    return (
      <div className="hidden flex-1 items-center md:flex">
        <EmptyState icon="file" title={t('files.choose')}>
          {t('files.chooseNext')}
        </EmptyState>
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
  const isText = TEXTS.has(kindOf(path));
  const hasKept = isText && readKeptText(workspaceId, path) !== undefined;
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
        <h2 className="min-w-0 flex-1 truncate text-sm font-semibold" title={path}>
          {path}
        </h2>
        {mayWrite && isText && onEdit && (
          <IconButton icon="edit" label={t('files.edit.begin')} onClick={onEdit} />
        )}
        <IconButton icon="download" label={t('files.download')} onClick={download} />
      </header>
      {error && <Problem error={error} />}
      {hasKept && onEdit && mayWrite && (
        <div className="px-4 pt-2">
          <Banner look="warn" action={<Button onClick={onEdit}>{t('files.edit.goOn')}</Button>}>
            {t('files.edit.unsaved')}
          </Banner>
        </div>
      )}
    </>
  );
}
