import { Link } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useMay } from '../access/role.ts';
import { fetchPart } from '../api/fetch-part.ts';
import { formatAgo, formatCount } from '../parts/format.ts';
import { Icon } from '../parts/icon.tsx';
import { Menu } from '../parts/menu.tsx';
import { isRunning, type ListedWorkspace } from './queries.ts';

// Loaded on demand, because it's rarely opened.
const RenameWorkspace = lazy(async () => ({
  default: (await fetchPart(() => import('./rename-workspace.tsx'))).RenameWorkspace,
}));
const RemoveWorkspace = lazy(async () => ({
  default: (await fetchPart(() => import('./remove-workspace.tsx'))).RemoveWorkspace,
}));

interface Props {
  workspace: ListedWorkspace;
  state: ListedWorkspace['state'];
  /** True if the state was requested and isn't known yet; the line's space is then reserved. */
  isAsked: boolean;
}

export function WorkspaceCard({ workspace, state, isAsked }: Props) {
  const { t, i18n } = useTranslation();
  const { id: workspaceId, name, rootPath, createdAt, example } = workspace;
  const [doing, setDoing] = useState<'rename' | 'remove'>();
  const close = () => setDoing(undefined);
  const mayManage = useMay('member');
  return (
    <li className="relative flex items-start gap-3 rounded-lg border border-line bg-surface p-4 transition-shadow focus-within:shadow-raised hover:shadow-raised">
      <span className="rounded-md bg-accent-soft p-2 text-accent">
        <Icon name="files" />
      </span>
      <div className="min-w-0 flex-1">
        <Link
          to="/w/$workspaceId/chat"
          params={{ workspaceId }}
          className="block truncate font-semibold after:absolute after:inset-0"
        >
          {name}
        </Link>
        <p className="truncate text-xs text-muted" title={rootPath}>
          {rootPath}
        </p>
        <p className="mt-1.5 flex min-h-4.5 flex-wrap text-xs text-muted [&>*+*]:before:mx-1.5 [&>*+*]:before:content-['·']">
          {example && <span>{t('workspaces.example')}</span>}
          {state && <State state={state} />}
          {!state && !isAsked && formatAgo(createdAt, i18n.language)}
        </p>
      </div>
      {mayManage && (
        <div className="relative">
          <Menu
            label={t('workspaces.menuOf', { name })}
            items={[
              {
                icon: 'edit',
                label: t('workspaces.rename'),
                onSelect: () => setDoing('rename'),
              },
              {
                icon: 'trash',
                label: t('workspaces.remove'),
                danger: true,
                onSelect: () => setDoing('remove'),
              },
            ]}
          />
        </div>
      )}
      <Suspense>
        {doing === 'rename' && <RenameWorkspace workspace={workspace} onClose={close} />}
        {doing === 'remove' && <RemoveWorkspace workspace={workspace} onClose={close} />}
      </Suspense>
    </li>
  );
}

/** The indexing progress of the workspace's files, and whether a run waits for a person. */
function State({ state: { index, waiting } }: { state: NonNullable<ListedWorkspace['state']> }) {
  const { t, i18n } = useTranslation();
  const { done, total } = index;
  const { searchable, failed } = index.index ?? { searchable: undefined, failed: 0 };
  const isSyncing = isRunning(index) && index.finishedAt === null && total > 0;
  return (
    <>
      {(index.status !== 'ready' || searchable === undefined) && !(index.status === 'idle' && searchable) && (
        <span>{t(`workspaces.status.${index.status}`)}</span>
      )}
      {isSyncing ? (
        <span>{t('workspaces.progress', { done, total })}</span>
      ) : (
        searchable !== undefined && (
          <span>
            {t('workspaces.files', { count: searchable, files: formatCount(searchable, i18n.language) })}
          </span>
        )
      )}
      {failed > 0 && <span className="text-warn">{t('workspaces.unread', { count: failed })}</span>}
      {waiting.length > 0 && (
        <span className="font-medium text-warn">{t('shell.waitingCount', { count: waiting.length })}</span>
      )}
    </>
  );
}
