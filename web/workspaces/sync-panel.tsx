import { useTranslation } from 'react-i18next';
import { Banner } from '../parts/banner.tsx';
import { Button } from '../parts/button.tsx';
import { formatAgo, formatCount } from '../parts/format.ts';
import { Problem } from '../parts/problem.tsx';
import { ServiceText } from '../parts/service-text.tsx';
import { type IndexState, isRunning, useStartSync } from './queries.ts';

const FIGURES = [
  'unchangedCount',
  'newCount',
  'updatedCount',
  'removedCount',
  'skippedCount',
  'failedCount',
] as const;

export function SyncPanel({ workspaceId, state }: { workspaceId: string; state: IndexState }) {
  const { t, i18n } = useTranslation();
  const start = useStartSync(workspaceId);
  return (
    <section className="rounded-lg border border-line bg-surface p-5">
      <div className="flex flex-wrap items-center gap-3">
        <div className="min-w-0 flex-1">
          <h2 className="text-base font-semibold">{t(`workspaces.status.${state.status}`)}</h2>
          <SyncState state={state} />
        </div>
        <SyncButton state={state} start={start} />
      </div>
      <SyncProgress state={state} />
      <Problem error={start.error} />
      <dl className="mt-4 grid grid-cols-3 gap-3 sm:grid-cols-6">
        {FIGURES.map((figure) => (
          <div key={figure}>
            <dt className="text-xs text-muted first-letter:uppercase">{t(`workspaces.${figure}`)}</dt>
            <dd className={`text-lg font-semibold tabular-nums ${state[figure] === 0 ? 'text-muted' : ''}`}>
              {formatCount(state[figure], i18n.language)}
            </dd>
          </div>
        ))}
      </dl>
      {state.errors.length > 0 && (
        <div className="mt-4 space-y-2">
          {state.errors.slice(0, 5).map(({ path, error }) => (
            <Banner key={path} look="warn">
              {path}: <ServiceText text={error} label={t('workspaces.reason.broken')} />
            </Banner>
          ))}
        </div>
      )}
    </section>
  );
}

/** How far the sync is, how many changed files are indexed without one, or when it finished. */
export function SyncState({ state }: { state: IndexState }) {
  return <p className="text-sm text-muted">{useSyncState(state)}</p>;
}

function useSyncState(state: IndexState): string {
  const { t, i18n } = useTranslation();
  const { waitingCount, finishedAt, done, total } = state;
  if (isWithoutSync(state))
    return t('workspaces.waiting', {
      count: waitingCount,
      files: formatCount(waitingCount, i18n.language),
    });
  if (finishedAt && !isRunning(state))
    return t('workspaces.finished', { ago: formatAgo(finishedAt, i18n.language) });
  return t('workspaces.progress', { done, total });
}

/** Whether files are indexed while no sync runs, whose figures are those of the latest. */
function isWithoutSync({ syncId, finishedAt, waitingCount }: IndexState): boolean {
  return waitingCount > 0 && (syncId === null || finishedAt !== null);
}

interface ButtonProps {
  /** Undefined until it is known. */
  state: IndexState | undefined;
  start: ReturnType<typeof useStartSync>;
}

export function SyncButton({ state, start }: ButtonProps) {
  const { t } = useTranslation();
  const isUnderWay = state !== undefined && isRunning(state);
  return (
    <Button icon="again" disabled={isUnderWay || start.isPending} onClick={() => start.mutate()}>
      {t(state?.finishedAt ? 'workspaces.sync' : 'workspaces.syncFirst')}
    </Button>
  );
}

/** Its space is reserved when nothing runs, so that nothing moves when something does. */
export function SyncProgress({ state }: { state: IndexState }) {
  const { t } = useTranslation();
  const running = isRunning(state);
  const share = state.total === 0 || isWithoutSync(state) ? 0 : Math.round((100 * state.done) / state.total);
  return (
    <div className="mt-3 h-1.5 overflow-hidden rounded-full bg-sunken">
      {running && (
        <div
          role="progressbar"
          aria-label={t('workspaces.status.indexing')}
          aria-valuenow={share}
          aria-valuemin={0}
          aria-valuemax={100}
          className="h-full rounded-full bg-accent transition-[width] duration-500"
          style={{ width: `${Math.max(3, share)}%` }}
        />
      )}
    </div>
  );
}
