import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useMay } from '../access/role.ts';
import { formatAgo, formatCount } from '../parts/format.ts';
import { Icon } from '../parts/icon.tsx';
import { factsOf } from './index-facts.ts';
import { type IndexState, syncQuery, useStartSync } from './queries.ts';

/** Shows how many files can be asked about, and when the folder was checked; amber if that isn't current. */
export function IndexLine({ workspaceId }: { workspaceId: string }) {
  const { t, i18n } = useTranslation();
  const { data: state } = useQuery(syncQuery(workspaceId));
  if (state === undefined) return <p className="h-9" />;
  const { askable, skipped, unreadable } = factsOf(state);
  const leftOut = skipped + unreadable;
  if (askable === 0) return <p className="h-9" />; // the page itself says what to do
  return (
    <div className="flex min-h-9 flex-wrap items-center gap-x-1.5 text-xs text-muted">
      <Icon name="files" size={14} />
      {askable !== undefined && (
        <>
          <span>{t('workspaces.files', { count: askable, files: formatCount(askable, i18n.language) })}</span>
          <span aria-hidden="true">·</span>
        </>
      )}
      {askable !== undefined && leftOut > 0 && (
        <>
          <Link to="/w/$workspaceId" params={{ workspaceId }} className="underline hover:text-ink">
            {t('index.leftOut', { count: leftOut, files: formatCount(leftOut, i18n.language) })}
          </Link>
          <span aria-hidden="true">·</span>
        </>
      )}
      <Freshness state={state} />
      <Again workspaceId={workspaceId} state={state} />
    </div>
  );
}

/** Says when the folder was checked, or why that isn't known. */
export function Freshness({ state }: { state: IndexState }) {
  const freshness = useFreshness(state);
  const isCurrent = factsOf(state).freshness === 'checked';
  return <span className={isCurrent ? '' : 'font-medium text-warn'}>{freshness}</span>;
}

function useFreshness(state: IndexState): string {
  const { t, i18n } = useTranslation();
  const { freshness, sync, changes } = factsOf(state);
  if (freshness === 'failed') return t('index.lastFailed');
  if (freshness === 'unchecked') return t('index.notChecked');
  if (freshness === 'checked') return t('index.checked', { ago: formatAgo(state.asOf ?? '', i18n.language) });
  if (state.status === 'scanning' || (sync && sync.total === 0)) return t('workspaces.status.scanning');
  if (sync) return t('index.howFar', { ...sync });
  return t('index.changes', { count: changes, files: formatCount(changes, i18n.language) });
}

/** A button to check again, for folders that aren't watched, and after a failure. */
function Again({ workspaceId, state }: { workspaceId: string; state: IndexState }) {
  const { t } = useTranslation();
  const start = useStartSync(workspaceId);
  const mayIndex = useMay('member', workspaceId);
  const { freshness } = factsOf(state);
  const isNeeded = state.watching === 'off' || freshness === 'failed';
  if (!mayIndex || !isNeeded || freshness === 'indexing') return null;
  return (
    <button
      type="button"
      disabled={start.isPending}
      onClick={() => start.mutate()}
      className="inline-flex min-h-9 items-center gap-1 rounded-md px-1.5 text-accent hover:underline disabled:opacity-50"
    >
      <Icon name="again" size={13} />
      {t('workspaces.sync')}
    </button>
  );
}
