import { useQuery } from '@tanstack/react-query';
import { Link, useParams, useSearch } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { wordFindings } from '../../lib/api-contract/finding-words.ts';
import { JUDGE_WORDS } from '../../lib/api-contract/support-words.ts';
import { SourceWorkspace } from '../chat/also-search.tsx';
import { Place } from '../chat/citations.tsx';
import { LostState, StaleState, SupportState } from '../chat/support.tsx';
import { useCitations } from '../chat/use-lost.ts';
import { Banner } from '../parts/banner.tsx';
import { ErrorText, Problem } from '../parts/problem.tsx';
import { ServiceText } from '../parts/service-text.tsx';
import {
  type CheckedSentence,
  citationOf,
  type DraftCheck,
  type DraftCitation,
  isOpen,
  ownWordsOf,
  sourceOf,
  supportedOf,
} from './draft-check.ts';
import { checkQuery } from './queries.ts';

const FROM = '/w/$workspaceId/drafts/$runId';

/** Returns the language for the word tables that the console shares with exports. */
export function useTableLanguage(): 'en' | 'zh' {
  return useTranslation().i18n.language === 'zh-CN' ? 'zh' : 'en';
}

/** The findings of code in the reader's language, or a model's text unchanged. */
export function ReasonText({ sentence }: { sentence: CheckedSentence }) {
  const { t } = useTranslation();
  const language = useTableLanguage();
  const { by = 'code' } = sentence;
  const said = ownWordsOf(sentence);
  return (
    <p className="break-words">
      <span data-user-content>
        {wordFindings(sentence.findings, sentence.support ?? 'unjudged', language).join(' ')}
      </span>{' '}
      {by !== 'code' && <span className="text-muted">{JUDGE_WORDS[language][by]} </span>}
      {said !== '' && (
        <span data-user-content>
          <ServiceText text={said} label={t('verify.why')} />
        </span>
      )}
    </p>
  );
}

export function Quotes({ runId, sentence }: { runId: string; sentence: CheckedSentence }) {
  const { t } = useTranslation();
  const { citations } = sentence;
  if (citations.length === 0) return null;
  return (
    <ol aria-label={t('verify.quotes')} className="space-y-2">
      {citations.map((quoted) => (
        <li key={quoted.index}>
          <QuoteLink
            source={sourceOf({ runId, n: sentence.n, index: quoted.index })}
            sentence={sentence}
            quoted={quoted}
          />
        </li>
      ))}
    </ol>
  );
}

interface QuoteProps {
  source: string;
  sentence: CheckedSentence;
  quoted: DraftCitation;
}

/** A link that opens the source next to the draft. */
function QuoteLink({ source, sentence, quoted }: QuoteProps) {
  const { source: opened } = useSearch({ from: FROM });
  const { workspaceId } = useParams({ from: FROM });
  const isOpened = opened === source;
  const asCited = citationOf(sentence, quoted, workspaceId);
  const [citation = asCited] = useCitations(quoted.workspaceId, [asCited], { isOver: true });
  return (
    <Link
      to="."
      search={(before) => ({ ...before, source })}
      resetScroll={false}
      preload={false}
      activeProps={{}}
      data-source={source}
      aria-current={isOpened ? 'true' : undefined}
      className={`block rounded-md border bg-surface px-3 py-2 hover:bg-canvas ${isOpened ? 'border-accent' : 'border-line'}`}
    >
      <span className="flex flex-wrap items-baseline gap-x-2 text-xs text-muted">
        <span data-user-content className="font-medium text-accent wrap-anywhere">
          {quoted.path}
        </span>
        <Place citation={citation} />
        {citation.workspaceId && <SourceWorkspace id={citation.workspaceId} />}
        {citation.lost ? <LostState lost={citation.lost} /> : citation.isStale && <StaleState />}
      </span>
      <span data-user-content className={`mt-1 break-words ${clampOf(quoted.quote)}`}>
        {quoted.quote}
      </span>
    </Link>
  );
}

/** Why the requested judge model failed, and what can be done about it. */
export function JudgeFailed({ check: { judgeError } }: { check: DraftCheck }) {
  const { t } = useTranslation();
  if (!judgeError) return null;
  return (
    <Banner look="warn">
      {t('verify.judgeFailed', { count: judgeError.sentences })} <ErrorText {...judgeError} />
    </Banner>
  );
}

/** The evidence from a later check of the sentence. */
export function FoundEvidence({ runId }: { runId: string }) {
  const { t } = useTranslation();
  const check = useQuery(checkQuery(runId));
  const sentences = check.data?.sentences.filter(({ verdict }) => verdict !== 'no_claim') ?? [];
  const isSearching = check.data === undefined || isOpen(check.data);
  return (
    <div className="space-y-2 rounded-md border border-line bg-surface p-3">
      <h2 className="font-medium">{t('verify.foundNow')}</h2>
      <p role="status" className="text-muted empty:hidden">
        {isSearching && check.error === null && t('verify.searching')}
      </p>
      <Problem error={check.error} onRetry={() => check.refetch()} />
      {check.data && <JudgeFailed check={check.data} />}
      {sentences.map((sentence) => {
        const supported = supportedOf(sentence);
        return (
          <div key={sentence.n} className="space-y-2">
            {supported && <SupportState citation={supported} />}
            <ReasonText sentence={sentence} />
            <Quotes runId={runId} sentence={sentence} />
          </div>
        );
      })}
      {!isSearching && sentences.length === 0 && <p className="text-muted">{t('verify.notAClaim')}</p>}
    </div>
  );
}

/**
 * Returns the style that limits a quote. The rows of a table are lines, and the last one may matter; other line breaks
 * are those of the page.
 */
function clampOf(quote: string): string {
  return /\|[^\n]*\n[^\n]*\|/.test(quote) ? 'line-clamp-12 whitespace-pre-line' : 'line-clamp-4';
}
