import { Link } from '@tanstack/react-router';
import type { TFunction } from 'i18next';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { formatAgo } from '../parts/format.ts';
import { Row, Rows, WHOLE_ROW } from '../parts/rows.tsx';
import { changesOfRun } from './changes-sum.ts';
import type { Run } from './queries.ts';
import { kindOf, pageOf } from './run-kind.ts';
import { RunStatus } from './run-status.tsx';

interface Props {
  runs: Run[];
  /** Returns the actions on a run that are possible without opening it. */
  actionsOf?: ((run: Run) => ReactNode) | undefined;
}

/** Runs with links to their pages; reports and draft checks have separate pages. */
export function RunList({ runs, actionsOf }: Props) {
  return (
    <Rows>
      {runs.map((run) => (
        <RunRow key={run.id} run={run} actions={actionsOf?.(run)} />
      ))}
    </Rows>
  );
}

type DraftCounts = NonNullable<NonNullable<Run['draft']>['counts']>;

/**
 * Returns the counts of a draft check. A stopped or failed check must not look complete, and an open claim
 * must not look unsupported.
 */
function draftCounts(counts: DraftCounts, t: TFunction): string {
  const { checked, unjudged = 0 } = counts;
  const supported =
    checked === undefined ? t('agent.supportedOf', counts) : t('agent.checkedOf', { ...counts, checked });
  return unjudged === 0 ? supported : `${supported} · ${t('agent.notJudged', { count: unjudged })}`;
}

function RunRow({ run, actions }: { run: Run; actions: ReactNode }) {
  const { t, i18n } = useTranslation();
  const sum = changesOfRun(run, i18n);
  return (
    <Row>
      <div className="min-w-0 flex-1 basis-52">
        <Link
          to={pageOf(run)}
          params={{ workspaceId: run.workspaceId, runId: run.id }}
          data-user-content
          className={WHOLE_ROW}
        >
          {run.draft?.name || run.request || t('agent.untitled')}
        </Link>
        <p className="text-xs text-muted">
          {run.origin !== 'api' && <>{t(`agent.origins.${run.origin}`)} · </>}
          {t(kindOf(run))} · {run.kind === 'agent' && `${t('agent.steps', { count: run.steps })} · `}
          {run.failedCalls > 0 && (
            <span className="text-danger">{t('agent.failedCalls', { count: run.failedCalls })} · </span>
          )}
          {run.draft?.counts && `${draftCounts(run.draft.counts, t)} · `}
          {formatAgo(run.createdAt, i18n.language)}
          {sum !== undefined && ` · ${sum}`}
        </p>
      </div>
      <div className="flex items-center gap-1">
        <RunStatus status={run.status} />
        {actions}
      </div>
    </Row>
  );
}
