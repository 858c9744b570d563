import { Link } from '@tanstack/react-router';
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
  /** What can be done with a run without opening it. */
  actionsOf?: ((run: Run) => ReactNode) | undefined;
}

/** Each links to its page: reports and checks of drafts have one of their own. */
export function RunList({ runs, actionsOf }: Props) {
  return (
    <Rows>
      {runs.map((run) => (
        <RunRow key={run.id} run={run} actions={actionsOf?.(run)} />
      ))}
    </Rows>
  );
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
          {run.draft?.counts && `${t('agent.supportedOf', run.draft.counts)} · `}
          {formatAgo(run.createdAt, i18n.language)}
          {sum !== undefined && ` · ${sum}`}
        </p>
      </div>
      <RunStatus status={run.status} />
      {actions}
    </Row>
  );
}
