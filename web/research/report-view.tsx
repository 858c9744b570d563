import { useQuery } from '@tanstack/react-query';
import { Link, useParams, useSearch } from '@tanstack/react-router';
import { useCallback, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { unusedSources } from '../../lib/api-contract/unused-sources.ts';
import { type Run, runPace, runQuery } from '../agent/queries.ts';
import { useRunParts } from '../agent/use-run-parts.ts';
import { BrokenLine } from '../broken-citations/broken-line.tsx';
import { nthOf } from '../chat/citations.tsx';
import type { Citation } from '../chat/message-view.ts';
import { SourcePanel } from '../chat/source-panel.tsx';
import { useCitations } from '../chat/use-lost.ts';
import { RateAnswer } from '../feedback/rate-answer.tsx';
import { Banner } from '../parts/banner.tsx';
import { changeFormDraft } from '../parts/draft.ts';
import { EmptyState } from '../parts/empty-state.tsx';
import { Loaded } from '../parts/loaded.tsx';
import { PlainTable } from '../parts/plain-table.tsx';
import { ScrollRegion } from '../parts/scroll-region.tsx';
import { ServiceText } from '../parts/service-text.tsx';
import { SettingsLink } from '../settings/ai-banner.tsx';
import { EvidenceView } from './evidence-view.tsx';
import { FollowUp } from './follow-up.tsx';
import { ReportCitations } from './footnote-link.tsx';
import { type CitedPlace, citationOf, numberFootnotes, placeOfId, sentencesOf } from './footnotes.ts';
import { PlanEditor } from './plan-editor.tsx';
import { PlanList } from './plan-list.tsx';
import { type Progress, readProgress } from './progress.ts';
import { ProgressPanel } from './progress-panel.tsx';
import { researchQuery } from './queries.ts';
import { ReportHead } from './report-head.tsx';
import { ReportText } from './report-text.tsx';
import type { Research } from './research.ts';
import { REPORT_TABS } from './tab-names.ts';

const NONE: Research['evidence'] = [];
const FROM = '/w/$workspaceId/research/$runId';

/** A report from its plan on. Findings appear as they arrive, and again after a reload. */
export function ReportView() {
  const { runId } = useParams({ from: FROM });
  return <ReportPage key={runId} runId={runId} />;
}

function ReportPage({ runId }: { runId: string }) {
  const { workspaceId } = useParams({ from: FROM });
  const { source, nth } = useSearch({ from: FROM });
  const run = useQuery({
    ...runQuery(runId),
    refetchInterval: ({ state }) => runPace(state.data),
  });
  // Also refetched when the run's status changes, because the last event of a stream may be lost.
  const research = useQuery({ ...researchQuery(runId), enabled: run.data !== undefined });
  const progress = useProgress(runId, isOpen(run.data));
  const found = research.data?.evidence.find(({ id }) => id === source);
  const footnotes = numberFootnotes(research.data ?? { sections: [], evidence: [] });
  const citations = useReportCitations(workspaceId, research.data);
  const place = citations.get(found?.id ?? '');
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
            {(data) => (
              <ReportCitations value={citations}>
                <Whole {...data} progress={progress} />
              </ReportCitations>
            )}
          </Loaded>
        </div>
      </div>
      {found && place && (
        <SourcePanel
          workspaceId={workspaceId}
          citation={place.citation}
          source={placeOfId(footnotes, found.id)}
          among={footnotes.cited.map(({ id }) => id)}
          sentences={place.sentences}
          nth={nthOf(nth)}
        />
      )}
    </div>
  );
}

/**
 * Returns a report's citations by evidence ID in their current state. The report's note follows its files,
 * and can be repaired.
 */
function useReportCitations(workspaceId: string, research: Research | undefined): Map<string, CitedPlace> {
  const { noteId = null, evidence = NONE, counts } = research ?? {};
  const isOver = research?.status === 'done';
  const footnotes = useMemo(() => numberFootnotes(research ?? { sections: [], evidence: [] }), [research]);
  const citations = useMemo(
    () => evidence.map((each) => citationOf(each, footnotes.numbers.get(each.id) ?? 0, counts)),
    [footnotes, evidence, counts],
  );
  const now = useCitations(workspaceId, citations, { noteId, isOver });
  return useMemo(() => {
    const places = evidence.map(({ id }, at): [string, CitedPlace] => {
      const citation = now[at] as Citation;
      const sentences = research ? sentencesOf(research, footnotes, { evidenceId: id, citation }) : [];
      return [id, { citation, sentences }];
    });
    return new Map(places);
  }, [research, evidence, footnotes, now]);
}

/** Returns an open run's progress. Refetches the run's results when it reports more. */
function useProgress(runId: string, isOpen: boolean): Progress | undefined {
  const [progress, setProgress] = useState<Progress>();
  const onProgress = useCallback(
    (data: unknown) => setProgress((before) => readProgress(data) ?? before),
    [],
  );
  useRunParts(runId, { isOpen, result: 'research', onProgress });
  return progress;
}

function isOpen(run: Pick<Run, 'status'> | undefined): boolean {
  return run?.status === 'running' || run?.status === 'waiting';
}

/** Why a report failed, and what to do: open the settings, or open the form with the same question. */
function FailedReport({ research }: { research: Research }) {
  const { t } = useTranslation();
  const { workspaceId, question, depth, error } = research;
  if (!error) return null;
  const keepQuestion = () =>
    changeFormDraft(`new report ${workspaceId}`, { question, depth, isFromAnswer: false });
  return (
    <Banner look="danger">
      <ServiceText text={error} label={t('research.failed')} /> <SettingsLink />{' '}
      <Link
        to="/w/$workspaceId/research"
        params={{ workspaceId }}
        onClick={keepQuestion}
        className="underline"
      >
        {t('parts.tryAgain')}
      </Link>
    </Banner>
  );
}

interface WholeProps {
  research: Research;
  run: Run;
  progress: Progress | undefined;
}

function Whole({ research, run, progress }: WholeProps) {
  const { t } = useTranslation();
  const { tab = 'report' } = useSearch({ from: FROM });
  const { plan, status, ended } = research;
  const approval = run.approvals?.[0];
  return (
    <>
      <ReportHead research={research} />
      <BrokenLine
        workspaceId={research.workspaceId}
        isDocument={({ kind, id }) => kind === 'report' && id === research.runId}
      />
      {isOpen(run) && <ProgressPanel run={run} research={research} progress={progress} />}
      <FailedReport research={research} />
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
      {status === 'done' && run.conversationId !== null && (
        <RateAnswer conversationId={run.conversationId} messageId={run.id} />
      )}
      <FollowUp research={research} />
    </>
  );
}

/** The parts of a report, each with a URL. */
function ReportTabs({ research }: { research: Research }) {
  const { t } = useTranslation();
  const { tab: current = 'report' } = useSearch({ from: '/w/$workspaceId/research/$runId' });
  const { workspaceId, runId, evidence, plan } = research;
  const counts = {
    report: undefined,
    evidence: evidence.length,
    plan: plan?.questions.length,
    'left-out': unusedOf(research).length,
  };
  return (
    <nav aria-label={t('research.reports')} className="flex gap-1 fades overflow-x-auto border-b border-line">
      {REPORT_TABS.map((tab) => (
        <Link
          key={tab}
          to="/w/$workspaceId/research/$runId"
          params={{ workspaceId, runId }}
          search={tab === 'report' ? {} : { tab }}
          activeOptions={{ exact: true, explicitUndefined: false }}
          resetScroll={false}
          aria-current={tab === current ? 'page' : undefined}
          className="-mb-px flex min-h-10 shrink-0 items-center gap-1.5 border-b-2 border-transparent px-3 text-sm text-muted hover:text-ink aria-[current=page]:border-accent aria-[current=page]:font-medium aria-[current=page]:text-accent"
        >
          {t(`research.tabs.${tab}`)}
          {counts[tab] !== undefined && counts[tab] > 0 && (
            <span className="text-xs tabular-nums">{counts[tab]}</span>
          )}
        </Link>
      ))}
    </nav>
  );
}

/**
 * Returns unused sources. Empty while a report is being written, because a later sentence may still cite
 * them.
 */
function unusedOf(research: Research) {
  return unusedSources({ ...research, sections: isOpen(research) ? undefined : research.sections });
}

/** Sources that the report read but doesn't cite, each with the reason. */
function UnusedSources({ research }: { research: Research }) {
  const { t } = useTranslation();
  const left = unusedOf(research);
  const questions = new Map(research.plan?.questions.map(({ id, question }) => [id, question]));
  if (left.length === 0)
    return <EmptyState icon="check" title={t('research.noneUnused')} next={t('research.noneUnusedNext')} />;
  return (
    <ScrollRegion label={t('research.unused')} className="fades overflow-x-auto">
      <PlainTable
        header={[t('research.what'), t('research.reason'), t('research.forQuestion')]}
        rows={left.map(({ name, reason, hasQuote, questionIds: [first = '', ...others] }) => [
          <span key="source" data-user-content>
            {name}
          </span>,
          hasQuote ? t('research.uncited') : reason && <ServiceText key="reason" text={reason} />,
          <span key="question" data-user-content>
            {others.length > 0
              ? t('research.forQuestions', { count: 1 + others.length })
              : questions.get(first)}
          </span>,
        ])}
        cellClass="max-w-80 break-words"
      />
    </ScrollRegion>
  );
}
