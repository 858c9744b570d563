import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '../../lib/api-contract/schema.ts';
import { Banner } from '../parts/banner.tsx';
import { EmptyState } from '../parts/empty-state.tsx';
import { Loaded } from '../parts/loaded.tsx';
import { PASSAGE_CARD, PassageText, placeIn } from '../search/passage-text.tsx';
import { useSearchResults } from '../search/queries.ts';
import { ConnectLink } from '../settings/ai-banner.tsx';
import { NoFiles } from '../workspaces/no-files.tsx';
import type { Citation } from './message-view.ts';

/** Names the passages in a URL, in place of a message. */
const SOURCE = 'passage';

/** Stands in for an answer where no model is connected: search results for the question. They are not kept. */
export function Passages({ workspaceId, q }: { workspaceId: string; q: string }) {
  const { t } = useTranslation();
  const found = useSearchResults(workspaceId, q);
  return (
    <section aria-labelledby="passages-title" aria-busy={found.isFetching} className="space-y-3">
      <h2 id="passages-title" data-user-content className="text-base font-semibold wrap-anywhere">
        {t('chat.passages.for', { question: q })}
      </h2>
      <Banner>
        {t('chat.passages.note')} <ConnectLink />
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
              <Cards q={q} passages={passages} />
            </>
          );
        }}
      </Loaded>
    </section>
  );
}

function Cards({ q, passages }: { q: string; passages: Schemas['FoundPassage'][] }) {
  return (
    <ol className="space-y-3">
      {passages.map((passage, place) => (
        <li key={`${passage.path} ${passage.startLine} ${passage.text}`}>
          <Link
            to="."
            search={{ q, source: `${SOURCE}.${place + 1}` }}
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

/** Returns the passage that the URL names, as its source is shown. */
export function usePassage(
  workspaceId: string,
  { q, source }: { q: string | undefined; source: string | undefined },
): Citation | undefined {
  const { data } = useSearchResults(workspaceId, q ?? '');
  const [name, number] = source?.split('.') ?? [];
  const passage = name === SOURCE && q !== undefined ? data?.passages[Number(number) - 1] : undefined;
  if (passage === undefined) return undefined;
  const { path, startLine, endLine, text } = passage;
  return {
    index: Number(number),
    path,
    startLine,
    endLine,
    place: placeIn(passage),
    quote: text,
    state: 'verified',
  };
}
