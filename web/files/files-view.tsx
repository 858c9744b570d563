import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { type DragEvent, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button, IconButton } from '../parts/button.tsx';
import { EmptyState } from '../parts/empty-state.tsx';
import { saveFile } from '../parts/save-file.ts';
import { PageHead } from '../shell/page-head.tsx';
import { isRunning, syncQuery } from '../workspaces/queries.ts';
import { SyncProgress } from '../workspaces/sync-panel.tsx';
import { type Dropped, readDropped } from './dropped.ts';
import { FilePreview } from './file-preview.tsx';
import { markOf } from './place.ts';
import { folderQuery, readBytes } from './queries.ts';
import { Tree } from './tree.tsx';
import { useUploads } from './upload-list.ts';
import { Uploads } from './uploads.tsx';

export function FilesView() {
  const { workspaceId } = useParams({ from: '/w/$workspaceId' });
  const { path } = useSearch({ from: '/w/$workspaceId/files' });
  const { uploads, start, clear } = useUploads(workspaceId);
  const [isOver, setOver] = useState(false);
  const drop = async (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    await start(await readDropped(event.dataTransfer));
  };
  return (
    <section
      aria-labelledby="files-title"
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
      className={`flex h-full ${isOver ? 'outline-2 -outline-offset-4 outline-accent outline-dashed' : ''}`}
    >
      <div
        className={`w-full flex-col border-line p-4 pb-0 md:flex md:w-96 md:shrink-0 md:border-r ${path ? 'hidden' : 'flex'}`}
      >
        <FilesPane workspaceId={workspaceId} path={path} onUpload={start} />
        {uploads.length > 0 && <Uploads uploads={uploads} onClear={clear} />}
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
  return (
    <>
      <PageHead
        title={t('shell.files')}
        actions={
          <Button look="main" icon="upload" onClick={() => chosen.current?.click()}>
            {t('files.upload')}
          </Button>
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
            onSelect={(chosenPath) => void navigate({ search: { path: chosenPath } })}
          />
        )}
      </div>
    </>
  );
}

function OpenFile({ workspaceId, path }: { workspaceId: string; path: string | undefined }) {
  const { t } = useTranslation();
  const navigate = useNavigate({ from: '/w/$workspaceId/files' });
  const { lines, page, quote } = useSearch({ from: '/w/$workspaceId/files' });
  const mark = useMemo(() => markOf({ lines, page, quote }), [lines, page, quote]);
  if (path === undefined)
    return (
      <div className="hidden flex-1 items-center md:flex">
        <EmptyState icon="file" title={t('files.choose')}>
          {t('files.chooseNext')}
        </EmptyState>
      </div>
    );
  const name = path.split('/').at(-1) ?? path;
  return (
    <div className="flex min-w-0 flex-1 flex-col bg-surface">
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
        <IconButton
          icon="download"
          label={t('files.download')}
          onClick={async () => saveFile(await readBytes(workspaceId, path), name)}
        />
      </header>
      <div className="min-h-0 flex-1">
        <FilePreview
          key={`${path} ${lines} ${page} ${quote}`}
          workspaceId={workspaceId}
          path={path}
          mark={mark}
        />
      </div>
    </div>
  );
}
