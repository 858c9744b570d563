import { useTranslation } from 'react-i18next';
import { Banner } from '../parts/banner.tsx';
import { Button } from '../parts/button.tsx';
import { formatAgo, formatCount } from '../parts/format.ts';
import { Icon } from '../parts/icon.tsx';
import { Problem } from '../parts/problem.tsx';
import { ServiceText } from '../parts/service-text.tsx';
import { useSettings } from '../settings/queries.ts';
import { factsOf, groupErrors, isSyncRunning } from './index-facts.ts';
import { Freshness } from './index-line.tsx';
import { type IndexState, isRunning, useListedFiles, useStartSync } from './queries.ts';
import { useWhyListed } from './why-listed.ts';

const FIGURES = [
  'unchangedCount',
  'newCount',
  'updatedCount',
  'removedCount',
  'skippedCount',
  'failedCount',
] as const;

/** The state of the index in one sentence, and how changes in the folder are indexed. */
export function SyncPanel({ workspaceId, state }: { workspaceId: string; state: IndexState }) {
  const { t } = useTranslation();
  const start = useStartSync(workspaceId);
  return (
    <section className="rounded-lg border border-line bg-surface p-5">
      <div className="flex flex-wrap items-center gap-3">
        <div className="min-w-0 flex-1 basis-64">
          <h2 className="text-base font-semibold">
            <Held state={state} />
          </h2>
          <p className="mt-0.5 text-sm text-muted">
            <Freshness state={state} />
            {state.status !== 'idle' && ` · ${t(`index.watching.${state.watching}`)}`}
          </p>
        </div>
        <SyncButton state={state} start={start} />
      </div>
      <SyncProgress state={state} />
      <Problem error={start.error} />
      <KeywordOnly state={state} />
      {state.errors.length > 0 && <Errors workspaceId={workspaceId} errors={state.errors} />}
      {state.syncId !== null && state.finishedAt !== null && <LastRun state={state} />}
    </section>
  );
}

/** Says that semantic search was set up after the files were indexed; only administrators can see that. */
function KeywordOnly({ state }: { state: IndexState }) {
  const { t } = useTranslation();
  const { data: settings } = useSettings();
  const lacksMeaning = settings?.embedding.configured === true && state.embedding === null;
  if (!lacksMeaning || isRunning(state) || !factsOf(state).askable) return null;
  return (
    <div className="mt-4">
      <Banner look="warn">{t('search.keywordOnly.other-index')}</Banner>
    </div>
  );
}

interface ErrorsProps {
  workspaceId: string;
  errors: IndexState['errors'];
}

const SHOWN_ERRORS = 5;

/** The unreadable files of the latest sync, each with the same reason as in the list of files. */
function Errors({ workspaceId, errors }: ErrorsProps) {
  const { t, i18n } = useTranslation();
  const failed = useListedFiles(workspaceId, 'failed');
  const whyListed = useWhyListed();
  const reasonOf = (path: string) => {
    const file = failed.data?.find((each) => each.path === path);
    return file === undefined ? t('index.failedCount') : whyListed(file);
  };
  const nameOf = ([path = '', ...others]: string[]) => {
    const count = others.length + 1;
    if (count > 1) return t('index.ofMany', { count, files: formatCount(count, i18n.language) });
    return path === '' ? '' : t('index.of', { path });
  };
  return (
    <div className="mt-4 space-y-2">
      {groupErrors(errors)
        .slice(0, SHOWN_ERRORS)
        .map(({ error, paths }) => (
          <Banner key={error} look="warn">
            {nameOf(paths)} <ServiceText text={error} label={reasonOf(paths[0] ?? '')} />
          </Banner>
        ))}
    </div>
  );
}

function Held({ state }: { state: IndexState }) {
  const { t, i18n } = useTranslation();
  const { askable, skipped, unreadable } = factsOf(state);
  const counted = (count: number) => ({ count, files: formatCount(count, i18n.language) });
  if (askable === undefined) return t('index.unknown');
  const parts = [
    askable === 0 ? t('index.none') : t('index.askable', counted(askable)),
    ...(skipped > 0 ? [t('index.skipped', counted(skipped))] : []),
    ...(unreadable > 0 ? [t('index.unreadable', counted(unreadable))] : []),
  ];
  return parts.join(' · ');
}

/** The numbers of the latest sync, without files that were indexed separately. */
function LastRun({ state }: { state: IndexState }) {
  const { t, i18n } = useTranslation();
  return (
    <details className="group mt-3">
      <summary className="flex min-h-9 list-none items-center gap-1.5 text-sm text-muted">
        <span className="transition-transform group-open:rotate-90">
          <Icon name="right" size={14} />
        </span>
        {t('index.lastRun')}
        {state.finishedAt && ` · ${t('index.finished', { ago: formatAgo(state.finishedAt, i18n.language) })}`}
      </summary>
      <dl className="mt-2 grid grid-cols-3 gap-3 sm:grid-cols-6">
        {FIGURES.map((figure) => (
          <div key={figure}>
            <dt className="text-xs text-muted first-letter:uppercase">{t(`index.${figure}`)}</dt>
            <dd className={`text-lg font-semibold tabular-nums ${state[figure] === 0 ? 'text-muted' : ''}`}>
              {formatCount(state[figure], i18n.language)}
            </dd>
          </div>
        ))}
      </dl>
    </details>
  );
}

interface ButtonProps {
  /** Undefined until the state is known. */
  state: IndexState | undefined;
  start: ReturnType<typeof useStartSync>;
}

export function SyncButton({ state, start }: ButtonProps) {
  const { t } = useTranslation();
  const isUnderWay = state !== undefined && isRunning(state);
  const isAgain = state !== undefined && (state.finishedAt !== null || (factsOf(state).askable ?? 0) > 0);
  return (
    <Button icon="again" disabled={isUnderWay || start.isPending} onClick={() => start.mutate()}>
      {t(isAgain ? 'workspaces.sync' : 'workspaces.syncFirst')}
    </Button>
  );
}

/** A sync's progress. Its space is reserved when no sync runs, so that nothing moves when one starts. */
export function SyncProgress({ state }: { state: IndexState }) {
  const { t } = useTranslation();
  const running = isRunning(state);
  const share = state.total === 0 || !isSyncRunning(state) ? 0 : Math.round((100 * state.done) / state.total);
  return (
    <div className={`mt-3 h-1.5 overflow-hidden rounded-full ${running ? 'bg-sunken' : ''}`}>
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
