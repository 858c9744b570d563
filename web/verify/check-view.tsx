import { useQuery } from '@tanstack/react-query';
import { useParams, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { sayEnded } from '../../lib/api-contract/support-words.ts';
import { type Run, runQuery } from '../agent/queries.ts';
import { useRunParts } from '../agent/use-run-parts.ts';
import { LostLine } from '../chat/lost-line.tsx';
import { SourcePanel } from '../chat/source-panel.tsx';
import { LegendSign, SupportLegend } from '../chat/support.tsx';
import { useCitations } from '../chat/use-lost.ts';
import { BackLink } from '../parts/back-link.tsx';
import { Banner } from '../parts/banner.tsx';
import { Loaded } from '../parts/loaded.tsx';
import { ServiceText } from '../parts/service-text.tsx';
import { formatCost } from '../research/format-cost.ts';
import { Elapsed, ProgressCard, Sum } from '../research/progress-panel.tsx';
import { NoPrice } from '../settings/no-price.tsx';
import { CheckHead } from './check-head.tsx';
import {
  citationOf,
  countOmitted,
  type DraftCheck,
  isOpen,
  quotesIn,
  readSource,
  sourceOf,
} from './draft-check.ts';
import { DraftText } from './draft-text.tsx';
import { JudgeFailed } from './evidence.tsx';
import { checkQuery } from './queries.ts';
import { ReferenceList } from './reference-list.tsx';
import { StateFilter } from './state-filter.tsx';

const FROM = '/w/$workspaceId/drafts/$runId';
/** Milliseconds between two fetches of results, because verdicts arrive in batches. */
const GATHER_MS = 2_000;

/** A draft's check: its text with the verdicts so far. */
export function CheckView() {
  const { runId } = useParams({ from: FROM });
  return <CheckPage key={runId} runId={runId} />;
}

function CheckPage({ runId }: { runId: string }) {
  const { t } = useTranslation();
  const { workspaceId } = useParams({ from: FROM });
  const run = useQuery(runQuery(runId));
  const check = useQuery(checkQuery(runId));
  const isRunning = check.data !== undefined && isOpen(check.data);
  useRunParts(runId, { isOpen: isRunning, result: 'draft-check', gatherMs: GATHER_MS });
  const error = run.error ?? check.error;
  const data = run.data && check.data && { run: run.data, check: check.data };
  return (
    <div className="flex h-full">
      <div className="min-w-0 flex-1 overflow-y-auto">
        <div className="mx-auto w-full max-w-4xl space-y-5 px-5 py-8">
          <BackLink to="/w/$workspaceId/drafts" params={{ workspaceId }}>
            {t('verify.checks')}
          </BackLink>
          <Loaded
            query={{ data, error, isPending: !error && !data, refetch: check.refetch }}
            rows={6}
            rowClass="h-12"
          >
            {(whole) => <Whole {...whole} />}
          </Loaded>
        </div>
      </div>
      <OpenSource />
    </div>
  );
}

function Whole({ run, check }: { run: Run; check: DraftCheck }) {
  const { t } = useTranslation();
  const { status, error, ended, judge } = check;
  const { unchecked, unjudged } = countOmitted(check);
  return (
    <>
      <CheckHead run={run} check={check} />
      {isOpen({ status }) && <CheckProgress run={run} check={check} />}
      {error && (
        <Banner look="danger">
          <ServiceText text={error} label={t('verify.failed')} />
        </Banner>
      )}
      <JudgeFailed check={check} />
      {ended && (
        <Banner look="warn">
          {t('verify.ended')} <ServiceText text={sayEnded(ended)} />
        </Banner>
      )}
      {unchecked > 0 && <Banner look="warn">{t('verify.unchecked', { count: unchecked })}</Banner>}
      {unjudged > 0 && <Banner look="warn">{t('verify.unjudged', { count: unjudged })}</Banner>}
      {!judge && <Banner>{t('verify.byCode')}</Banner>}
      {check.counts.listed > 0 && <Banner>{t('verify.listed', { count: check.counts.listed })}</Banner>}
      <LostQuotes check={check} />
      <StateFilter check={check} />
      {check.references && <ReferenceList references={check.references} />}
      <DraftText check={check} />
      <SupportLegend of="draft">
        <LegendSign icon="minus" look="text-muted" name={t('verify.noClaim')}>
          {t('verify.noClaimNote')}
        </LegendSign>
      </SupportLegend>
    </>
  );
}

/** The current state of the check's quotes. */
function LostQuotes({ check }: { check: DraftCheck }) {
  const { workspaceId } = useParams({ from: FROM });
  const quoted = useMemo(() => quotesIn(check), [check]);
  return <LostLine citations={useCitations(workspaceId, quoted, { isOver: !isOpen(check) })} />;
}

/** The progress of a check. Part of it changes each second, as a sign that the check is running. */
function CheckProgress({ run, check }: { run: Run; check: DraftCheck }) {
  const { t, i18n } = useTranslation();
  const { counts, judge, calls, costUsd } = check;
  return (
    <ProgressCard
      label={t('verify.progress')}
      said={t(counts.sentences === 0 ? 'verify.reading' : judge ? 'verify.judging' : 'verify.comparing')}
      counts={t('verify.claimsOf', { done: counts.checked, count: counts.claims })}
      max={Math.max(1, counts.claims)}
      value={counts.checked}
    >
      <dl className="grid grid-cols-2 gap-3 sm:grid-cols-4">
        <Sum name={t('research.time')}>
          <Elapsed since={run.createdAt} />
        </Sum>
        {judge && <Sum name={t('research.callsSoFar')}>{calls.toLocaleString(i18n.language)}</Sum>}
        {judge && calls > 0 && (
          <Sum name={t('research.costSoFar')}>
            {costUsd === null ? <NoPrice /> : formatCost(costUsd, i18n.language)}
          </Sum>
        )}
      </dl>
    </ProgressCard>
  );
}

/** The source of a quote, of this check or of a later check of one sentence. */
function OpenSource() {
  const { t } = useTranslation();
  const { source } = useSearch({ from: FROM });
  const { workspaceId } = useParams({ from: FROM });
  const place = readSource(source);
  const { data } = useQuery({ ...checkQuery(place?.runId ?? ''), enabled: place !== undefined });
  const sentence = data?.sentences.find(({ n }) => n === place?.n);
  const quoted = sentence?.citations.find(({ index }) => index === place?.index);
  const cited = sentence && quoted ? [citationOf(sentence, quoted, workspaceId)] : [];
  const [citation] = useCitations(quoted?.workspaceId ?? '', cited, { isOver: true });
  if (place === undefined || source === undefined || sentence === undefined || !quoted || !citation)
    return null;
  return (
    <SourcePanel
      workspaceId={quoted.workspaceId}
      citation={citation}
      source={source}
      among={sentence.citations.map(({ index }) => sourceOf({ ...place, index }))}
      sentences={[{ text: sentence.text, citation }]}
      lostWords={{ changed: t('verify.lost.changed'), deleted: t('verify.lost.deleted') }}
    />
  );
}
