import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useMay } from '../access/role.ts';
import { Banner } from '../parts/banner.tsx';
import { Button } from '../parts/button.tsx';
import { EmptyState, Skeletons } from '../parts/empty-state.tsx';
import { PageHead } from '../shell/page-head.tsx';
import { Freshness } from '../workspaces/index-line.tsx';
import { isRunning, syncQuery, useWorkspace } from '../workspaces/queries.ts';
import { RenameWorkspace } from '../workspaces/rename-workspace.tsx';
import { SyncProgress } from '../workspaces/sync-panel.tsx';
import { EntryMenu } from './manage/entry-menu.tsx';
import { folderQuery } from './queries.ts';
import { Tree } from './tree.tsx';
import type { Entry } from './tree-rows.ts';
import { isUnderWay } from './uploads/upload.ts';
import { AskReplace, CutOffUploads, LeftOut, UploadList } from './uploads/uploads.tsx';
import type { Uploads } from './uploads/use-uploads.ts';

/** Milliseconds between polls. Files that are being added appear in the tree a few at a time. */
const ADDING_POLL_MS = 1_000;

interface Props {
  path: string | undefined;
  uploads: Uploads;
}

/** The tree, the actions on its entries, and the uploads in progress. */
export function FilesPane({ path, uploads }: Props) {
  const { workspaceId } = uploads;
  const { t } = useTranslation();
  const navigate = useNavigate({ from: '/w/$workspaceId/files' });
  const chosen = useRef<HTMLInputElement>(null);
  const isAdding = uploads.uploads.some(isUnderWay);
  const root = useQuery({ ...folderQuery(workspaceId, ''), refetchInterval: isAdding && ADDING_POLL_MS });
  const mayWrite = useMay('member', workspaceId);
  const [active, setActive] = useState<Entry>();
  const open = (opened: string | undefined, edit = false) =>
    void navigate({ search: { ...(opened !== undefined && { path: opened }), ...(edit && { edit }) } });
  const followMoved = (from: string, to: string | undefined) => {
    if (path === from || path?.startsWith(`${from}/`)) open(to && to + path.slice(from.length));
  };
  const choose = () => chosen.current?.click();
  const actions = mayWrite && (
    <>
      <EntryMenu
        workspaceId={workspaceId}
        entry={active}
        onMoved={followMoved}
        onMade={(made) => open(made, true)}
      />
      <Button look="main" icon="upload" onClick={choose}>
        {t('files.upload')}
      </Button>
    </>
  );
  return (
    <>
      <PageHead title={t('shell.files')} actions={actions} />
      <FileInput input={chosen} onChosen={uploads.start} />
      {uploads.isNew && mayWrite && <NameOffer workspaceId={workspaceId} />}
      <Reading workspaceId={workspaceId} />
      {mayWrite && <CutOffUploads {...uploads} onChoose={choose} />}
      <div className="min-h-0 flex-1">
        {root.data?.length === 0 && isAdding && <Skeletons rows={8} className="h-6" />}
        {root.data?.length === 0 && !isAdding && (
          <EmptyState icon="upload" title={t('files.none')} next={t('files.noneNext')} />
        )}
        {root.data?.length !== 0 && (
          <Tree
            workspaceId={workspaceId}
            selected={path}
            onSelect={(chosenPath) => open(chosenPath)}
            onActive={setActive}
          />
        )}
      </div>
      <LeftOut {...uploads} />
      <UploadList {...uploads} />
      <AskReplace {...uploads} />
    </>
  );
}

/** Offers to rename a workspace of dropped files, whose name the person didn't choose. */
function NameOffer({ workspaceId }: { workspaceId: string }) {
  const { t } = useTranslation();
  const { data: workspace } = useWorkspace(workspaceId);
  const [first, setFirst] = useState<string>();
  const [isAsking, setAsking] = useState(false);
  const name = workspace?.name;
  useEffect(() => setFirst((before) => before ?? name), [name]);
  if (workspace === undefined || workspace.name !== (first ?? name)) return null;
  return (
    <div className="pb-3">
      <Banner
        action={
          <Button icon="edit" onClick={() => setAsking(true)}>
            {t('workspaces.rename')}
          </Button>
        }
      >
        {t('workspaces.named', { name })}
      </Banner>
      {isAsking && <RenameWorkspace workspace={workspace} onClose={() => setAsking(false)} />}
    </div>
  );
}

interface InputProps {
  input: RefObject<HTMLInputElement | null>;
  onChosen: Uploads['start'];
}

function FileInput({ input, onChosen }: InputProps) {
  const { t } = useTranslation();
  return (
    <input
      ref={input}
      type="file"
      multiple
      aria-label={t('files.upload')}
      className="hidden"
      onChange={({ target }) => {
        void onChosen([...(target.files ?? [])].map((file) => ({ path: file.name, file })));
        target.value = ''; // otherwise, choosing the same file again wouldn't count as a change
      }}
    />
  );
}

function Reading({ workspaceId }: { workspaceId: string }) {
  const { data } = useQuery(syncQuery(workspaceId));
  if (data === undefined || !isRunning(data)) return null;
  return (
    <div className="pb-3">
      <p className="text-xs">
        <Freshness state={data} />
      </p>
      <SyncProgress state={data} />
    </div>
  );
}
