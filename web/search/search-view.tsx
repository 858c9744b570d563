import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useMay } from '../access/role.ts';
import { placeOf } from '../files/place.ts';
import { Banner } from '../parts/banner.tsx';
import { DocsLink } from '../parts/docs-link.tsx';
import { EmptyState } from '../parts/empty-state.tsx';
import { INPUT } from '../parts/field.tsx';
import { Form } from '../parts/form.tsx';
import { Loaded } from '../parts/loaded.tsx';
import { Page } from '../parts/page.tsx';
import { PageHead } from '../shell/page-head.tsx';
import { NoFiles } from '../workspaces/no-files.tsx';
import { PASSAGE_CARD, PassageText } from './passage-text.tsx';
import { type Found, useSearchResults } from './queries.ts';

/** Passages of the files that answer best, by words and by meaning; each opens its source at its place. */
export function SearchView() {
  const { t } = useTranslation();
  const { workspaceId } = useParams({ from: '/w/$workspaceId' });
  const { q = '' } = useSearch({ from: '/w/$workspaceId/search' });
  const found = useSearchResults(workspaceId, q);
  return (
    <Page>
      <PageHead title={t('search.title')} />
      <SearchBox key={q} q={q} />
      <div className="pt-5" aria-busy={found.isFetching}>
        {q === '' ? (
          <EmptyState icon="search" title={t('search.begin')} next={t('search.beginNext')} />
        ) : (
          <Loaded query={found} rowClass="h-28">
            {(data) => <Results workspaceId={workspaceId} q={q} found={data} />}
          </Loaded>
        )}
      </div>
    </Page>
  );
}

function SearchBox({ q }: { q: string }) {
  const { t } = useTranslation();
  const navigate = useNavigate({ from: '/w/$workspaceId/search' });
  const [text, setText] = useState(q);
  const find = () => void navigate({ search: text.trim() === '' ? {} : { q: text.trim() } });
  return (
    <search>
      <Form onSend={find} action={t('search.go')} icon="search" className="flex gap-2">
        <input
          type="search"
          aria-label={t('search.words')}
          placeholder={t('search.words')}
          value={text}
          maxLength={2000}
          onChange={({ target }) => setText(target.value)}
          className={INPUT}
        />
      </Form>
    </search>
  );
}

function Results({ workspaceId, q, found }: { workspaceId: string; q: string; found: Found }) {
  const { t } = useTranslation();
  const { mode, fallback, isNear, passages } = found;
  if (mode === 'none') return <NoFiles workspaceId={workspaceId} />;
  if (passages.length === 0)
    return (
      <>
        <EmptyState
          icon="search"
          title={t('search.nothing')}
          next={t(mode === 'lexical' ? 'search.nothingWords' : 'search.nothingNext')}
        />
        {mode === 'lexical' && (
          <Banner>
            <WhyByWords fallback={fallback} />
          </Banner>
        )}
      </>
    );
  return (
    <>
      {!isNear && (
        <div className="pb-3">
          <Banner look="warn">{t('search.notNear')}</Banner>
        </div>
      )}
      <p role="status" className="pb-3 text-sm text-muted">
        {t('search.found', { count: passages.length })}
      </p>
      {mode === 'lexical' && (
        <div className="pb-3">
          <Banner>
            <WhyByWords fallback={fallback} />
          </Banner>
        </div>
      )}
      <ol className="space-y-3">
        {passages.map((passage) => (
          <li key={`${passage.path} ${passage.startLine} ${passage.text}`}>
            <Link
              to="/w/$workspaceId/files"
              params={{ workspaceId }}
              search={placeOf(passage)}
              preload={false}
              className={PASSAGE_CARD}
            >
              <PassageText q={q} passage={passage} />
            </Link>
          </li>
        ))}
      </ol>
    </>
  );
}

/** Only an administrator can set up semantic search, and gets the page that says how. */
function WhyByWords({ fallback }: Pick<Found, 'fallback'>) {
  const { t } = useTranslation();
  const isAdmin = useMay('admin');
  const said = t(`search.keywordOnly.${fallback}`);
  if (fallback !== 'not-configured') return said;
  if (!isAdmin) return `${said} ${t('search.askAdmin')}`;
  return (
    <>
      {said} <DocsLink page="guides/local-embeddings">{t('search.setUp')}</DocsLink>
    </>
  );
}
