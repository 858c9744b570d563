import { Link, useSearch } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { hasLines } from '../../lib/api-contract/file-kinds.ts';
import type { Support } from '../../lib/api-contract/support.ts';
import { DocumentName } from '../parts/document-name.tsx';
import { Icon } from '../parts/icon.tsx';
import { SourceWorkspace } from './also-search.tsx';
import { asNth, asWeakest, type CitingSentence, differingSentences } from './cited-sentence.ts';
import { lacksQuote } from './lost-quote.ts';
import { type Citation, groupByFile } from './message-view.ts';
import { SummaryLine } from './summary-line.tsx';
import {
  LegendSign,
  LOOKS,
  LostState,
  StaleState,
  SupportDetails,
  SupportIcon,
  SupportLegend,
  SupportState,
  useStateWords,
} from './support.tsx';
import { aboutOf } from './support-reason.ts';

/** The style of the citation whose source is open: filled and underlined. */
const OPEN = 'border-accent bg-accent text-on-accent underline';

interface Props {
  citation: Citation;
  messageId: string;
}

export function CitationChip({ citation, messageId }: Props) {
  const isOpen = useOpenNth(sourceOf(messageId, citation)) === (citation.nth ?? 1);
  const chip = useChip(citation, { isOpen, name: citation.path });
  return <SourceLink source={sourceOf(messageId, citation)} nth={citation.nth} isOpen={isOpen} {...chip} />;
}

interface ChipProps {
  isOpen: boolean;
  /** The source as text for screen readers. */
  name: string;
}

/**
 * Returns the content of a citation chip, whatever its link opens: its number, and the icon and label of its
 * state.
 */
export function useChip(citation: Citation, { isOpen, name }: ChipProps) {
  const { t } = useTranslation();
  const { index, isStale, lost } = citation;
  const support = supportNow(citation);
  const { chip } = LOOKS[lost ? 'partial' : (support ?? 'unjudged')];
  const wordsOf = useStateWords();
  const states = [
    citation.origin && t('chat.found.state'),
    support && wordsOf({ ...citation, support }),
    lost && t(`chat.support.lostState.${lost}`),
    isStale && !lost && t('chat.support.stale'),
  ];
  const state = states.filter(Boolean).join(', ');
  const label =
    state === ''
      ? t('chat.sourceOnly', { number: index, path: name })
      : t('chat.sourceOf', { number: index, path: name, state });
  return {
    label,
    title: support ? `${label}. ${t(`chat.support.about.${aboutOf(citation)}`)}` : label,
    className: `ml-0.5 inline-flex h-5 min-w-5 -translate-y-px items-center justify-center gap-0.5 border px-1 align-baseline text-xs font-semibold tabular-nums hover:underline ${shapeOf(citation)} ${isOpen ? OPEN : `no-underline ${chip}`}`,
    children: (
      <>
        {support && <SupportIcon support={support} size={11} />}
        {(isStale || lost) && <Icon name="clock" size={11} />}
        {index}
      </>
    ),
  };
}

/**
 * Returns the shape of a citation. It is round if the service found the source, unlike those that the model
 * cited.
 */
function shapeOf({ origin }: Citation): string {
  return origin === 'service' ? 'rounded-full' : 'rounded-sm';
}

interface ListProps {
  citations: Citation[];
  messageId: string;
  /** The complete text that cites the sources. */
  text?: string | undefined;
  /** The message's metadata. */
  metadata?: unknown;
  /** The level of the text's own headings. */
  headingLevel: 2 | 3;
}

const HEADING = 'mt-4 mb-2 text-xs font-semibold tracking-wide text-muted uppercase';

/** The sources of a text: first those that the model cited, then those that the service found. */
export function CitationList({ citations, messageId, text, metadata, headingLevel }: ListProps) {
  const { t } = useTranslation();
  const Heading = `h${headingLevel}` as const;
  if (citations.length === 0) return null;
  const [cited = [], found = []] = [undefined, 'service'].map((origin) =>
    citations.filter((each) => each.origin === origin),
  );
  return (
    <div className="mt-5">
      {text !== undefined && <SummaryLine {...{ text, citations, messageId, metadata }} />}
      {cited.length > 0 && <Heading className={HEADING}>{t('chat.sources')}</Heading>}
      <FileCards citations={cited} messageId={messageId} />
      {found.length > 0 && (
        <>
          <Heading className={HEADING}>{t('chat.found.title')}</Heading>
          <p className="mb-2 text-xs text-muted">{t('chat.found.about')}</p>
          <FileCards citations={found} messageId={messageId} />
        </>
      )}
      {citations.some(({ support }) => support !== undefined) && (
        <SupportLegend of="citation">
          <LegendSign icon="info" look="text-warn" name={t('parts.uncited')}>
            {t('chat.support.uncited')}
          </LegendSign>
        </SupportLegend>
      )}
    </div>
  );
}

/** A card per file, with its passages. */
function FileCards({ citations, messageId }: Pick<ListProps, 'citations' | 'messageId'>) {
  return (
    <ol className="grid grid-cols-1 items-start gap-2 sm:grid-cols-2 empty:hidden">
      {groupByFile(citations).map(({ workspaceId, path, passages }) => (
        <li key={`${workspaceId}/${path}`} className="min-w-0 rounded-md border border-line bg-surface p-1.5">
          <p className="flex items-center gap-1.5 px-1.5 pt-1 pb-0.5 text-sm font-medium" title={path}>
            <Icon name="file" size={14} />
            <DocumentName path={path} title={passages[0]?.title} />
            {workspaceId && <SourceWorkspace id={workspaceId} />}
          </p>
          <ol>
            {passages.map((citation) => (
              <li key={citation.index}>
                <Passage citation={citation} messageId={messageId} />
                <Claims citation={citation} messageId={messageId} />
              </li>
            ))}
          </ol>
        </li>
      ))}
    </ol>
  );
}

/**
 * One quote, with the state of its own sentence. If several sentences cite the passage, it's the open one,
 * otherwise the weakest.
 */
function Passage({ citation: cited, messageId }: Props) {
  const { t } = useTranslation();
  const openNth = useOpenNth(sourceOf(messageId, cited));
  const isOpen = openNth !== undefined;
  const citation = isOpen ? asNth(cited, openNth) : asWeakest(cited);
  const { isStale, lost } = citation;
  const support = supportNow(citation);
  const { chip } = LOOKS[lost ? 'partial' : (support ?? 'unjudged')];
  return (
    <div
      className={`rounded-sm border-l-4 transition-colors hover:bg-sunken ${isOpen ? 'border-accent bg-accent-soft' : 'border-transparent'}`}
    >
      <SourceLink
        source={sourceOf(messageId, citation)}
        nth={citation.nth}
        isOpen={isOpen}
        title={support && t(`chat.support.about.${aboutOf(citation)}`)}
        className="block px-2 py-1.5"
      >
        <span className="flex flex-wrap items-baseline gap-x-2 text-xs">
          <span
            className={`min-w-5 shrink-0 border px-1 text-center font-semibold tabular-nums ${shapeOf(citation)} ${isOpen ? OPEN : chip}`}
          >
            {citation.index}
          </span>
          <span className="max-w-full truncate">
            <Place citation={citation} />
          </span>
          <span className="ml-auto flex flex-wrap gap-x-2">
            <SupportState citation={{ ...citation, support }} />
            {lost ? <LostState lost={lost} /> : isStale && <StaleState />}
          </span>
        </span>
        {citation.quote !== '' && (
          <span data-user-content className="mt-1 line-clamp-2 text-xs text-muted">
            {citation.quote}
          </span>
        )}
      </SourceLink>
      <SupportDetails citation={{ ...citation, support }} className="px-2 pb-1.5" />
    </div>
  );
}

/** The sentences that cite a passage, if their states differ. */
function Claims({ citation, messageId }: Props) {
  const source = sourceOf(messageId, citation);
  const openNth = useOpenNth(source);
  const sentences = differingSentences(citation);
  if (sentences.length === 0) return null;
  return (
    <ol className="ml-6 pb-1 text-xs">
      {sentences.map((sentence, at) => (
        <li key={sentence.citation.nth}>
          <SentenceLink source={source} sentence={sentence} number={at + 1} isOpen={at + 1 === openNth} />
        </li>
      ))}
    </ol>
  );
}

interface SentenceProps {
  source: string;
  sentence: Pick<CitingSentence, 'text' | 'citation'>;
  /** The sentence's position among those with this source, from 1. */
  number: number;
  isOpen: boolean;
  /** True if the link replaces the open sentence. */
  replace?: boolean;
}

/** A link that opens a source for one of the sentences that cite it, showing that sentence's state. */
export function SentenceLink({
  source,
  sentence: { text, citation },
  number,
  isOpen,
  replace = false,
}: SentenceProps) {
  const wordsOf = useStateWords();
  const { support } = citation;
  return (
    <Link
      to="."
      search={(before: object) => ({ ...before, nth: undefined, ...searchFor(source, number) })}
      resetScroll={false}
      preload={false}
      replace={replace}
      activeProps={{}}
      data-source={source}
      aria-current={isOpen ? 'true' : undefined}
      className={`flex items-start gap-1.5 rounded-sm border-l-4 px-1.5 py-0.5 hover:bg-sunken ${isOpen ? 'border-accent bg-accent-soft' : 'border-transparent'}`}
    >
      {support && (
        <span className={`mt-0.5 ${LOOKS[support].text}`}>
          <SupportIcon support={support} size={14} />
        </span>
      )}
      <span data-user-content title={text} className="line-clamp-2">
        {text}
      </span>
      {support && <span className="sr-only">{wordsOf(citation)}</span>}
    </Link>
  );
}

/**
 * Returns the support. Undefined for a quote that the file no longer has, because the state applied to an
 * earlier version.
 */
function supportNow({ support, lost }: Citation): Support | undefined {
  return lacksQuote(lost) ? undefined : support;
}

/** The location, in terms of the file's kind. */
export function Place({
  citation,
}: {
  citation: Pick<Citation, 'path' | 'startLine' | 'endLine' | 'place'>;
}) {
  const { t } = useTranslation();
  const { path, place, startLine, endLine } = citation;
  if (place !== undefined) return t(`chat.place.${place.kind}`, { at: place.at });
  if (!hasLines(path)) return null; // Word doesn't show line numbers
  if (startLine === endLine) return t('chat.line', { line: startLine });
  return t('chat.lines', { from: startLine, to: endLine });
}

/** Returns a source's name in the URL. */
export function sourceOf(messageId: string, { index }: Pick<Citation, 'index'>): string {
  return `${messageId}.${index}`;
}

/** Returns the position of the sentence for which a source is open, among the sentences that cite it. */
export function useOpenNth(source: string): number | undefined {
  return useSearch({
    strict: false,
    select: (search: { source?: string | undefined; nth?: string | undefined }) =>
      search.source === source ? nthOf(search.nth) : undefined,
  });
}

/** Returns the position of the sentence in the URL, from 1. */
export function nthOf(named: string | undefined): number {
  return /^[1-9]\d{0,2}$/.test(named ?? '') ? Number(named) : 1;
}

/** Returns the URL parameters of a source, opened for one of the sentences that cite it. */
export function searchFor(source: string, nth = 1): { source: string; nth?: string } {
  return nth === 1 ? { source } : { source, nth: String(nth) };
}

interface SourceLinkProps {
  source: string;
  /** The position of the sentence for which the source is opened, from 1. */
  nth?: number | undefined;
  isOpen: boolean;
  label?: string;
  title: string | undefined;
  className: string;
  children: React.ReactNode;
}

/** A link to the view of the source. `data-source` marks where the focus returns when the source closes. */
export function SourceLink({ source, nth, isOpen, label, title, className, children }: SourceLinkProps) {
  return (
    <Link
      to="."
      search={searchFor(source, nth)}
      resetScroll={false}
      preload={false}
      activeProps={{}}
      data-source={source}
      aria-current={isOpen ? 'true' : undefined}
      aria-label={label}
      title={title}
      className={className}
    >
      {children}
    </Link>
  );
}
