import { useQuery } from '@tanstack/react-query';
import { useParams, useSearch } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { type Run, runQuery } from '../agent/queries.ts';
import { SourcePanel } from '../chat/source-panel.tsx';
import { Banner } from '../parts/banner.tsx';
import { Loaded } from '../parts/loaded.tsx';
import { ServiceText } from '../parts/service-text.tsx';
import { EvidenceView } from './evidence-view.tsx';
import { FollowUp } from './follow-up.tsx';
import { citationOf, numberFootnotes } from './footnotes.ts';
import { PlanEditor } from './plan-editor.tsx';
import { PlanList } from './plan-list.tsx';
import { ProgressPanel } from './progress-panel.tsx';
import { researchQuery } from './queries.ts';
import { ReportHead } from './report-head.tsx';
import { ReportTabs } from './report-tabs.tsx';
import { ReportText } from './report-text.tsx';
import type { Research } from './research.ts';
import { UnusedSources } from './unused-sources.tsx';
import { useProgress } from './use-progress.ts';

const POLL_MS = 3_000;
const FROM = '/w/$workspaceId/research/$runId';

/** A report from its plan on: what it has found is shown as it comes, and a reload finds it again. */
export function ReportView() {
  const { runId } = useParams({ from: FROM });
  return <ReportPage key={runId} runId={runId} />;
}

function ReportPage({ runId }: { runId: string }) {
  const { workspaceId } = useParams({ from: FROM });
  const { source } = useSearch({ from: FROM });
  const run = useQuery({
    ...runQuery(runId),
    refetchInterval: ({ state }) => (isOpen(state.data) ? POLL_MS : false),
  });
  // Fetched when the run's status changes, too, because the last event of a stream may be missed.
  const research = useQuery({ ...researchQuery(runId), enabled: run.data !== undefined });
  const progress = useProgress(runId, isOpen(run.data));
  const found = research.data?.evidence.find(({ id }) => id === source);
  const number = research.data && source ? (numberFootnotes(research.data).get(source) ?? 0) : 0;
  const error = run.error ?? research.error;
  const whole = research.data &&
    run.data && { run: run.data, research: { ...research.data, status: run.data.status } };
  return (
    <div className="flex h-full">
      <div className="min-w-0 flex-1 overflow-y-auto">
        <div className="mx-auto w-full max-w-4xl space-y-5 px-5 py-8">
          <Loaded
            query={{ data: whole, error, isPending: !error && !whole, refetch: research.refetch }}
            rows={6}
            rowClass="h-12"
          >
            {(data) => <Whole {...data} progress={progress} />}
          </Loaded>
        </div>
      </div>
      {found && <SourcePanel key={source} workspaceId={workspaceId} citation={citationOf(found, number)} />}
    </div>
  );
}

function isOpen(run: Run | undefined): boolean {
  return run?.status === 'running' || run?.status === 'waiting';
}

interface WholeProps {
  research: Research;
  run: Run;
  progress: ReturnType<typeof useProgress>;
}

function Whole({ research, run, progress }: WholeProps) {
  const { t } = useTranslation();
  const { tab = 'report' } = useSearch({ from: FROM });
  const { plan, status, ended, error } = research;
  const approval = run.approvals?.[0];
  return (
    <>
      <ReportHead research={research} />
      {isOpen(run) && <ProgressPanel run={run} research={research} progress={progress} />}
      {error && (
        <Banner look="danger">
          <ServiceText text={error} label={t('research.failed')} />
        </Banner>
      )}
      {ended && (
        <Banner look="warn">
          {t('research.ended')} <ServiceText text={ended} />
        </Banner>
      )}
      {status === 'waiting' && plan && approval && (
        <PlanEditor
          key={approval.id}
          workspaceId={run.workspaceId}
          runId={run.id}
          plan={plan}
          expiresAt={approval.expiresAt}
        />
      )}
      <ReportTabs research={research} />
      {tab === 'report' && <ReportText research={research} isOpen={isOpen(run)} />}
      {tab === 'evidence' && <EvidenceView research={research} />}
      {tab === 'plan' && <PlanList plan={plan} />}
      {tab === 'left-out' && <UnusedSources research={research} />}
      <FollowUp research={research} />
    </>
  );
}
