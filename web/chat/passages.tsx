import { Link } from '@tanstack/react-router';
import { useLayoutEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '../../lib/api-contract/schema.ts';
import { Banner } from '../parts/banner.tsx';
import { EmptyState } from '../parts/empty-state.tsx';
import { Loaded } from '../parts/loaded.tsx';
import { PASSAGE_CARD, PassageText } from '../search/passage-text.tsx';
import { useSearchResults } from '../search/queries.ts';
import { ConnectLink } from '../settings/ai-banner.tsx';
import { NoFiles } from '../workspaces/no-files.tsx';
import { type Citation, readPlace } from './message-view.ts';
import type { Scope } from './scope.ts';

/** The prefix of passages in a URL, in place of a message ID. */
const SOURCE = 'passage';

/** Maximum passages shown; the search page has the others. */
const SHOWN = 8;

/** The files to search. */
type SearchedScope = Pick<Scope, 'paths' | 'filter'>;

interface Props {
  workspaceId: string;
  q: string;
  scope: SearchedScope;
  /** Called when passages are shown, so that they are read from the first one on. */
  onShown: () => void;
}

/** Replaces the answer if no model is connected: search results for the question, which aren't stored. */
export function Passages({ workspaceId, q, scope, onShown }: Props) {
  const { t } = useTranslation();
  const { paths, filter } = scope;
  const found = useSearchResults(workspaceId, q, { paths, filter });
  const section = useRef<HTMLElement>(null);
  const isShown = found.data !== undefined && !found.isPlaceholderData;
  const isNothing = found.data?.passages.length === 0;
  useLayoutEffect(() => {
    onShown();
    if (isShown) section.current?.scrollIntoView();
  }, [isShown, onShown]);
  return (
    <section
      ref={section}
      aria-labelledby="passages-title"
      aria-busy={found.isFetching}
      className="scroll-mt-4 space-y-3"
    >
      <h2 id="passages-title" data-user-content className="text-base font-semibold wrap-anywhere">
        {t('chat.passages.for', { question: q })}
      </h2>
      <Banner>
        {t(isNothing ? 'shell.noModel' : 'chat.passages.note')} <ConnectLink />
      </Banner>
      <Loaded query={found} rowClass="h-28">
        {({ mode, isNear, passages }) => {
          if (mode === 'none') return <NoFiles workspaceId={workspaceId} />;
          if (passages.length === 0)
            return (
              <EmptyState
                icon="search"
                title={t('chat.passages.none')}
                next={t(mode === 'lexical' ? 'search.nothingWords' : 'search.nothingNext')}
              />
            );
          return (
            <>
              {!isNear && <Banner look="warn">{t('search.notNear')}</Banner>}
              <Cards q={q} passages={shownOf(passages, paths)} />
              {passages.length > SHOWN && paths.length === 0 && (
                <Link
                  to="/w/$workspaceId/search"
                  params={{ workspaceId }}
                  search={{ q, filter }}
                  className="inline-flex min-h-9 items-center text-sm text-accent underline"
                >
                  {t('chat.passages.all')}
                </Link>
              )}
            </>
          );
        }}
      </Loaded>
    </section>
  );
}

/**
 * Returns the passages to show: all of them if files were chosen, because the search page can't be limited to
 * files.
 */
function shownOf<Each>(passages: Each[], paths: readonly string[]): Each[] {
  return paths.length === 0 ? passages.slice(0, SHOWN) : passages;
}

function Cards({ q, passages }: { q: string; passages: Schemas['FoundPassage'][] }) {
  return (
    <ol className="space-y-3">
      {passages.map((passage, place) => (
        <li key={`${passage.path} ${passage.startLine} ${passage.text}`}>
          <Link
            to="."
            search={{ q, source: sourceOf(place) }}
            resetScroll={false}
            preload={false}
            className={PASSAGE_CARD}
          >
            <PassageText q={q} passage={passage} />
          </Link>
        </li>
      ))}
    </ol>
  );
}

interface OpenPassage {
  citation: Citation;
  source: string;
  /** All passages in order, as named in the URL. */
  among: string[];
}

/** Returns the passage in the URL, in the form of a source. */
export function usePassage(
  workspaceId: string,
  { q, source, scope }: { q: string | undefined; source: string | undefined; scope: SearchedScope },
): OpenPassage | undefined {
  const { paths, filter } = scope;
  const { data } = useSearchResults(workspaceId, q ?? '', { paths, filter });
  const shown = q === undefined ? [] : shownOf(data?.passages ?? [], paths);
  const among = shown.map((_, place) => sourceOf(place));
  const place = source === undefined ? -1 : among.indexOf(source);
  const passage = shown[place];
  if (source === undefined || passage === undefined) return undefined;
  const { path, startLine, endLine, text } = passage;
  const citation = { index: place + 1, path, startLine, endLine, place: readPlace(passage), quote: text };
  return { citation, source, among };
}

function sourceOf(place: number): string {
  return `${SOURCE}.${place + 1}`;
}
