import { Link, useNavigate } from '@tanstack/react-router';
import {
  type CSSProperties,
  type KeyboardEvent,
  type ReactNode,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { useTranslation } from 'react-i18next';
import { useBrokenCitations } from '../broken-citations/queries.ts';
import { DocumentDetails } from '../documents/document-details.tsx';
import { FilePreview } from '../files/file-preview.tsx';
import { placeOf } from '../files/place.ts';
import { Banner } from '../parts/banner.tsx';
import { IconButton } from '../parts/button.tsx';
import { formatDay } from '../parts/format.ts';
import { OutwardLink } from '../parts/outward-link.tsx';
import { pressedKey } from '../parts/pressed-key.ts';
import { SourceWorkspace } from './also-search.tsx';
import { Place, SentenceLink } from './citations.tsx';
import type { CitingSentence } from './cited-sentence.ts';
import { type Lost, lacksQuote } from './lost-quote.ts';
import type { Citation } from './message-view.ts';
import { PaneHandle, usePaneWidth } from './pane-width.tsx';
import { SelectionMenu } from './selection-menu.tsx';
import { LostState, StaleState, SupportDetails, SupportState } from './support.tsx';
import { useLost } from './use-lost.ts';

interface Props {
  workspaceId: string;
  citation: Citation;
  /** The open source, and all sources of the same text in order, by their names in the URL. */
  source: string;
  among: readonly string[];
  /** The sentences that cite the source, and the position of the open one, from 1. */
  sentences: readonly Pick<CitingSentence, 'text' | 'citation'>[];
  nth?: number | undefined;
  /** The conversation that gets quotations; a new one if absent. */
  conversationId?: string | undefined;
  /** The page's own words for the state of a file, if they are clearer than the default. */
  lostWords?: Partial<Record<Lost, string>>;
}

/**
 * The file of a citation, at its lines, with the quote marked. It is next to the answer, or over it in a narrow window.
 */
export function SourcePanel(props: Props) {
  const { source, among, sentences, nth = 1, conversationId, lostWords = {} } = props;
  const { workspaceId = props.workspaceId } = props.citation;
  const cited = sentences[nth - 1]?.citation ?? props.citation;
  const { citation, pieces } = usePieces(cited, source);
  const { t } = useTranslation();
  const width = usePaneWidth();
  const { heading, close, closeByKey } = useOpenSource(source, nth);
  const { lost, now } = useLost(workspaceId, citation);
  const isThere = !lacksQuote(lost);
  const { shown, mark } = useShown(citation, { lost, now });
  return (
    <section
      aria-label={t('chat.source')}
      onKeyDown={closeByKey}
      style={{ '--pane': `${width.width}%` } as CSSProperties}
      className="fixed inset-0 z-30 flex flex-col bg-surface lg:relative lg:z-auto lg:w-(--pane) lg:shrink-0 lg:border-l lg:border-line"
    >
      <PaneHandle {...width} label={t('chat.paneWidth')} />
      <header className="border-b border-line px-4 py-2.5">
        <div className="flex items-start gap-2">
          <div className="min-w-0 flex-1">
            <h2 ref={heading} tabIndex={-1} className="truncate text-sm font-semibold outline-none">
              {citation.title ?? citation.path}
            </h2>
            {citation.title !== undefined && <p className="truncate text-xs text-muted">{citation.path}</p>}
            {props.citation.workspaceId && <SourceWorkspace id={workspaceId} />}
            <SourceFacts {...{ workspaceId, citation, lost, shown }} />
          </div>
          <Steps source={source} among={among} />
          <IconButton icon="close" label={t('chat.closeSource')} onClick={close} />
        </div>
        <Sentences source={source} sentences={sentences} nth={nth} />
        {isThere && <SupportDetails citation={citation} className="mt-1.5" />}
        {isThere && pieces}
      </header>
      <QuoteNotice workspaceId={workspaceId} citation={{ ...citation, lost, now }} lostWords={lostWords} />
      <SelectionMenu
        workspaceId={workspaceId}
        citation={citation}
        conversationId={conversationId}
        className="min-h-0 flex-1"
      >
        {shown && (
          <FilePreview
            key={`${mark !== undefined} ${shown.startLine} ${shown.quote}`}
            workspaceId={workspaceId}
            path={shown.path}
            {...(mark && { mark })}
          />
        )}
      </SelectionMenu>
    </section>
  );
}

/**
 * Returns the citation at the chosen part, and a way to choose it, because the facts of a sentence may be in
 * up to three parts of a file.
 */
function usePieces(citation: Citation, source: string) {
  const { t } = useTranslation();
  const key = `${source} ${citation.nth} ${citation.quote}`;
  const [chosen, setChosen] = useState({ key, at: 0 });
  const at = chosen.key === key ? chosen.at : 0;
  const { further = [] } = citation;
  const all = [citation, ...further];
  const pieces = further.length > 0 && (
    <fieldset className="mt-1.5 flex flex-wrap items-center gap-1.5 text-xs">
      <legend className="sr-only">{t('chat.pieces')}</legend>
      <span aria-hidden="true" className="text-muted">
        {t('chat.pieces')}
      </span>
      {all.map(({ quote, startLine, endLine, place }, n) => (
        <button
          key={quote}
          type="button"
          aria-pressed={n === at}
          title={quote}
          onClick={() => setChosen({ key, at: n })}
          className={`min-h-6 rounded-sm border px-1.5 hover:bg-sunken ${n === at ? 'border-accent bg-accent-soft' : 'border-line'}`}
        >
          {n + 1} <Place citation={{ path: citation.path, startLine, endLine, place }} />
        </button>
      ))}
    </fieldset>
  );
  // The first part stays the same object, so that nothing is rendered again.
  return { citation: at === 0 ? citation : { ...citation, ...all[at] }, pieces };
}

interface FactsProps {
  workspaceId: string;
  citation: Citation;
  lost: Lost | undefined;
  shown: Shown | undefined;
}

/** The source's location, facts about its support, and a link to the file. */
function SourceFacts({ workspaceId, citation, lost, shown }: FactsProps) {
  const { t, i18n } = useTranslation();
  return (
    <p className="flex flex-wrap gap-x-3 text-xs text-muted">
      <Place citation={citation} />
      {!lacksQuote(lost) && <SupportState citation={citation} />}
      {lost ? <LostState lost={lost} /> : citation.isStale && <StaleState />}
      {shown && (
        <FileLink workspaceId={workspaceId} place={shown} className="text-accent underline">
          {t('chat.openFile')}
        </FileLink>
      )}
      {shown && <DocumentDetails key={shown.path} workspaceId={workspaceId} path={shown.path} isLink />}
      {citation.page && (
        <span>
          <OutwardLink href={citation.page.url} text={t('chat.web.page')} />{' '}
          {t('chat.web.savedOn', { day: formatDay(citation.page.fetchedAt, i18n.language) })}
        </span>
      )}
    </p>
  );
}

type Shown = Pick<Citation, 'path' | 'startLine' | 'endLine' | 'quote'> & { page?: number | undefined };

/** Returns the location to show for a citation; none for a deleted file. */
function useShown(citation: Citation, { lost, now }: Pick<Citation, 'lost' | 'now'>) {
  const { path, startLine, endLine, quote, place } = citation;
  const page = place?.kind === 'page' ? Number(place.at) : undefined;
  const isElsewhere = lost === 'moved' || lost === 'updated';
  return useMemo(() => {
    if (isElsewhere && now === undefined) return { shown: undefined, mark: undefined };
    if (lost === 'deleted') return { shown: undefined, mark: undefined };
    const shown: Shown = isElsewhere && now ? { ...now, quote } : { path, startLine, endLine, quote, page };
    return { shown, mark: isElsewhere || !lacksQuote(lost) ? markOf(shown) : undefined };
  }, [path, startLine, endLine, quote, page, lost, now, isElsewhere]);
}

function markOf({ startLine, endLine, quote, page }: Shown) {
  return { from: startLine, to: endLine, quote, ...(page !== undefined && { page }) };
}

interface FileLinkProps {
  workspaceId: string;
  place: Shown;
  className: string;
  children: ReactNode;
}

function FileLink({ workspaceId, place, className, children }: FileLinkProps) {
  return (
    <Link
      to="/w/$workspaceId/files"
      params={{ workspaceId }}
      search={placeOf({ ...place, text: place.quote })}
      className={className}
    >
      {children}
    </Link>
  );
}

interface NoticeProps {
  workspaceId: string;
  citation: Citation;
  lostWords: Partial<Record<Lost, string>>;
}

function QuoteNotice(props: NoticeProps) {
  const { citation } = props;
  const { t } = useTranslation();
  const { isMissing, isStale, lost } = citation;
  if (lost === undefined && !isMissing && !isStale) return null;
  return (
    <div className="px-4 pt-3">
      {lost ? (
        <LostBanner {...props} lost={lost} />
      ) : (
        <Banner look={isMissing ? 'danger' : 'warn'}>
          {t(`chat.support.about.${isMissing ? 'missing' : 'stale'}`)}
        </Banner>
      )}
    </div>
  );
}

/** Explains what happened to the quote, and shows its current location. */
function LostBanner({ workspaceId, citation, lost, lostWords }: NoticeProps & { lost: Lost }) {
  const { t } = useTranslation();
  const { path, quote, now } = citation;
  const broken = useBrokenCitations(workspaceId);
  const isListed = broken.data?.some(({ citation }) => citation.path === path) === true;
  const link = (
    <Link to="/w/$workspaceId/broken" params={{ workspaceId }} className="shrink-0 underline">
      {t('chat.support.seeBroken')}
    </Link>
  );
  return (
    <Banner look="warn" action={isListed && link}>
      {lostWords[lost] ?? t(`chat.support.lost.${lost}`)}
      {now && (
        <>
          {' '}
          {t(lost === 'moved' || lost === 'updated' ? 'chat.support.isNow' : 'broken.found')}{' '}
          <FileLink workspaceId={workspaceId} place={{ ...now, quote }} className="font-medium underline">
            <span data-user-content className="wrap-anywhere">
              {now.path}
            </span>
          </FileLink>
        </>
      )}
      {quote !== '' && lacksQuote(lost) && (
        <blockquote data-user-content className="mt-1 line-clamp-4 text-sm">
          {quote}
        </blockquote>
      )}
    </Banner>
  );
}

/**
 * Takes the focus when a source is opened from elsewhere. When the source closes, returns the focus to the
 * link that opened it, or to the current citation.
 */
function useOpenSource(source: string, nth: number) {
  const navigate = useNavigate();
  const heading = useRef<HTMLHeadingElement>(null);
  const opener = useRef<Element>(undefined);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another sentence opens it again
  useEffect(() => {
    const panel = heading.current?.closest('section');
    if (panel?.contains(document.activeElement)) {
      citationsOf(source)[0]?.scrollIntoView({ block: 'nearest' });
      return;
    }
    opener.current = document.activeElement ?? undefined;
    heading.current?.focus();
  }, [source, nth]);
  const close = () => {
    const links = citationsOf(source);
    const target = links.find((link) => link === opener.current) ?? links[0];
    void navigate({ to: '.', search: withoutSource, resetScroll: false }).then(() => target?.focus());
  };
  const closeByKey = (event: KeyboardEvent) => {
    if (pressedKey(event) === 'Escape' && !event.defaultPrevented) close();
  };
  return { heading, close, closeByKey };
}

/** The citing sentences. If there are several, each has its support, and the open one is marked. */
function Sentences({
  source,
  sentences,
  nth,
}: Required<Pick<Props, 'source' | 'sentences'>> & { nth: number }) {
  const { t } = useTranslation();
  const [first, second] = sentences;
  if (first === undefined) return null;
  if (second === undefined)
    return (
      <p className="mt-1.5 line-clamp-3 text-sm">
        <span className="text-muted">{t('chat.citedFor')}</span>{' '}
        <span data-user-content title={first.text}>
          {first.text}
        </span>
      </p>
    );
  return (
    <div className="mt-1.5 max-h-40 overflow-y-auto text-sm">
      <p className="text-muted">{t('chat.citedForEach')}</p>
      <ol>
        {sentences.map((sentence, at) => (
          <li key={sentence.citation.nth ?? at}>
            <SentenceLink
              source={source}
              sentence={sentence}
              number={at + 1}
              isOpen={at + 1 === nth}
              replace
            />
          </li>
        ))}
      </ol>
    </div>
  );
}

/** Returns the links to a source: first those in the text, then the one in its card. */
function citationsOf(source: string): HTMLElement[] {
  return [...document.querySelectorAll<HTMLElement>('[data-source]')].filter(
    ({ dataset }) => dataset.source === source,
  );
}

/** ‹ 2 of 5 ›. At either end, the button stays, so that it keeps the focus. */
function Steps({ source, among }: Pick<Props, 'source' | 'among'>) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const at = among.indexOf(source);
  if (at < 0 || among.length < 2) return null;
  const step = (to: number) => {
    const next = among[to];
    if (next === undefined) return;
    void navigate({
      ...{ to: '.', resetScroll: false, replace: true },
      search: (before: object) => ({ ...before, source: next, nth: undefined }),
    });
  };
  return (
    <div className="flex shrink-0 items-center">
      <IconButton
        icon="back"
        label={t('chat.previousSource')}
        aria-disabled={at === 0}
        onClick={() => step(at - 1)}
        className="aria-disabled:opacity-40"
      />
      <span role="status" className="text-xs whitespace-nowrap text-muted tabular-nums">
        {t('chat.sourceAt', { at: at + 1, total: among.length })}
      </span>
      <IconButton
        icon="right"
        label={t('chat.nextSource')}
        aria-disabled={at === among.length - 1}
        onClick={() => step(at + 1)}
        className="aria-disabled:opacity-40"
      />
    </div>
  );
}

/** Returns the URL parameters without the source. */
function withoutSource(before: object): object {
  return { ...before, source: undefined, nth: undefined };
}
