import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '../../lib/api-contract/schema.ts';
import { useMay } from '../access/role.ts';
import { Place } from '../chat/citations.tsx';
import { placeOf } from '../files/place.ts';
import { Banner } from '../parts/banner.tsx';
import { DocsLink } from '../parts/docs-link.tsx';
import { EmptyState } from '../parts/empty-state.tsx';
import { INPUT } from '../parts/field.tsx';
import { Form } from '../parts/form.tsx';
import { Icon } from '../parts/icon.tsx';
import { Loaded } from '../parts/loaded.tsx';
import { Page } from '../parts/page.tsx';
import { PageHead } from '../shell/page-head.tsx';
import { NoFiles } from '../workspaces/no-files.tsx';
import { foundWords } from './found-words.ts';
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
  const { mode, fallback, passages } = found;
  if (mode === 'none') return <NoFiles workspaceId={workspaceId} />;
  if (passages.length === 0)
    return <EmptyState icon="search" title={t('search.nothing')} next={t('search.nothingNext')} />;
  return (
    <>
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
            <Passage workspaceId={workspaceId} q={q} passage={passage} />
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

interface PassageProps {
  workspaceId: string;
  q: string;
  passage: Schemas['FoundPassage'];
}

function Passage({ workspaceId, q, passage }: PassageProps) {
  const { path, startLine, endLine, page, slide, sheet, cell, context, text } = passage;
  return (
    <Link
      to="/w/$workspaceId/files"
      params={{ workspaceId }}
      search={placeOf(passage)}
      preload={false}
      className="block rounded-lg border border-line bg-surface px-4 py-3 transition-colors hover:border-accent"
    >
      <span className="flex items-center gap-2 text-sm">
        <Icon name="file" size={16} />
        <span className="truncate font-medium">{path}</span>
        <span className="shrink-0 text-xs text-muted">
          <Place citation={{ startLine, endLine, place: placeIn({ page, slide, sheet, cell }) }} />
        </span>
      </span>
      {context !== '' && (
        <span data-user-content className="mt-1 block truncate text-xs text-muted">
          {context}
        </span>
      )}
      <span data-user-content className="mt-1.5 line-clamp-4 text-sm whitespace-pre-line">
        {foundWords(text, q).map((piece, place) =>
          piece.isFound ? (
            // biome-ignore lint/suspicious/noArrayIndexKey: a text is drawn whole
            <mark key={place} className="rounded-sm bg-mark text-ink">
              {piece.text}
            </mark>
          ) : (
            piece.text
          ),
        )}
      </span>
    </Link>
  );
}

function placeIn(parts: Record<'page' | 'slide' | 'sheet' | 'cell', string | number | undefined>) {
  const kind = (['page', 'slide', 'sheet', 'cell'] as const).find((each) => parts[each] !== undefined);
  return kind && { kind, at: String(parts[kind]) };
}
