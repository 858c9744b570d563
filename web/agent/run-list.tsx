import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { formatAgo } from '../parts/format.ts';
import { Row, Rows, WHOLE_ROW } from '../parts/rows.tsx';
import { changesOfRun } from './changes-sum.ts';
import type { Run } from './queries.ts';
import { kindOf, pageOf } from './run-kind.ts';
import { RunStatus } from './run-status.tsx';

/** Each links to its page: reports and checks of drafts have one of their own. */
export function RunList({ runs }: { runs: Run[] }) {
  return (
    <Rows>
      {runs.map((run) => (
        <RunRow key={run.id} run={run} />
      ))}
    </Rows>
  );
}

function RunRow({ run }: { run: Run }) {
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
          {run.request || t('agent.untitled')}
        </Link>
        <p className="text-xs text-muted">
          {run.origin !== 'api' && <>{t(`agent.origins.${run.origin}`)} · </>}
          {t(kindOf(run))} · {run.kind !== 'research' && `${t('agent.steps', { count: run.steps })} · `}
          {formatAgo(run.createdAt, i18n.language)}
          {sum !== undefined && ` · ${sum}`}
        </p>
      </div>
      <RunStatus status={run.status} />
    </Row>
  );
}
