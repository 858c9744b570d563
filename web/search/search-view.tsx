import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { SEARCH_KINDS } from '../../lib/api-contract/file-kinds.ts';
import { useMay } from '../access/role.ts';
import { placeOf } from '../files/place.ts';
import { folderQuery } from '../files/queries.ts';
import { Banner } from '../parts/banner.tsx';
import { Details } from '../parts/details.tsx';
import { DocsLink } from '../parts/docs-link.tsx';
import { EmptyState } from '../parts/empty-state.tsx';
import { INPUT, SelectField } from '../parts/field.tsx';
import { Form } from '../parts/form.tsx';
import { Loaded } from '../parts/loaded.tsx';
import { MoreButton } from '../parts/more-button.tsx';
import { Page } from '../parts/page.tsx';
import { PageHead } from '../shell/page-head.tsx';
import { NoFiles } from '../workspaces/no-files.tsx';
import { type Filter, readFilter } from './filter.ts';
import { FilterChoice, FilterList, kindOptions } from './filter-choice.tsx';
import { PASSAGE_CARD, PassageText } from './passage-text.tsx';
import { type Found, groupByFile, useSearchResults } from './queries.ts';

/** The best passages of the files, found by hybrid search. Each passage opens its source at its location. */
export function SearchView() {
  const { t } = useTranslation();
  const { workspaceId } = useParams({ from: '/w/$workspaceId' });
  const { q = '', in: folder, kind, filter } = useSearch({ from: '/w/$workspaceId/search' });
  const own = searchKind(kind);
  const limits = {
    paths: folder ? [folder] : [],
    filter: readFilter({ ...filter, ...(own && { kind: own }) }),
  };
  const found = useSearchResults(workspaceId, q, limits);
  return (
    <Page>
      <PageHead title={t('search.title')} />
      <SearchBox key={q} q={q} />
      {q !== '' && <Filters workspaceId={workspaceId} />}
      <div className="pt-5" aria-busy={found.isFetching}>
        {q === '' ? (
          <EmptyState icon="search" title={t('search.begin')} next={t('search.beginNext')} />
        ) : (
          <Loaded query={found} rowClass="h-28">
            {(data) => (
              <>
                <Results
                  workspaceId={workspaceId}
                  q={q}
                  found={data}
                  isFiltered={limits.filter !== undefined}
                />
                {data.isNear && <MoreButton list={found} />}
              </>
            )}
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
  const find = () => void navigate({ search: (before) => ({ ...before, q: text.trim() || undefined }) });
  return (
    <search>
      <Form onSend={find} action={t('search.go')} icon="search" className="flex gap-2">
        <input
          type="search"
          // biome-ignore lint/a11y/noAutofocus: the page is for typing into it
          autoFocus={q === ''}
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

interface ResultsProps {
  workspaceId: string;
  q: string;
  found: Found;
  isFiltered: boolean;
}

function Results({ workspaceId, q, found, isFiltered }: ResultsProps) {
  const { t } = useTranslation();
  const { mode, fallback, isNear, passages } = found;
  if (mode === 'none') return <NoFiles workspaceId={workspaceId} />;
  if (passages.length === 0 && isFiltered)
    return (
      <EmptyState icon="search" title={t('search.filter.nothing')} next={t('search.filter.nothingNext')} />
    );
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
  const count = (
    <p role="status" className="pb-3 text-sm text-muted">
      {t('search.found', { count: passages.length })}
    </p>
  );
  const list = <Files workspaceId={workspaceId} q={q} passages={passages} />;
  return (
    <>
      {mode === 'lexical' && (
        <div className="pb-3">
          <Banner>
            <WhyByWords fallback={fallback} />
          </Banner>
        </div>
      )}
      {isNear ? (
        count
      ) : (
        <EmptyState icon="search" title={t('search.nothing')} next={t('search.nothingNext')} />
      )}
      {isNear ? list : <Details name={t('search.nearest', { count: passages.length })}>{list}</Details>}
    </>
  );
}

/** Limits the search to a folder of the workspace, to a type of file, and by the facts of documents. */
function Filters({ workspaceId }: { workspaceId: string }) {
  const { t } = useTranslation();
  const navigate = useNavigate({ from: '/w/$workspaceId/search' });
  const { in: folder = '', kind, filter } = useSearch({ from: '/w/$workspaceId/search' });
  const { data = [] } = useQuery(folderQuery(workspaceId, ''));
  const folders = data.filter(({ type }) => type === 'directory').map(({ path }) => path);
  const known = folder === '' || folders.includes(folder) ? folders : [folder, ...folders];
  const limit = (change: {
    in?: string | undefined;
    kind?: string | undefined;
    filter?: Filter | undefined;
  }) => void navigate({ search: (before) => ({ ...before, ...change }) });
  const filtering = { filter, onChange: (next: Filter | undefined) => limit({ filter: next }) };
  return (
    <>
      <div className="grid grid-cols-2 gap-3 pt-3 sm:max-w-xl sm:grid-cols-[1fr_1fr_auto]">
        <SelectField
          label={t('search.folder')}
          isBare
          value={folder}
          options={[['', t('search.allFolders')], ...known.map((path) => [path, path] as const)]}
          onChange={(value) => limit({ in: value || undefined })}
        />
        <SelectField
          label={t('search.kind')}
          isBare
          value={searchKind(kind) ?? ''}
          options={[['', t('search.allKinds')], ...kindOptions(t)]}
          onChange={(value) => limit({ kind: value || undefined })}
        />
        <div className="justify-self-start">
          <FilterChoice {...filtering} hasKind />
        </div>
      </div>
      <div className="pt-2">
        <FilterList {...filtering} />
      </div>
    </>
  );
}

function searchKind(name: string | undefined): Filter['kind'] {
  return [...SEARCH_KINDS, 'other' as const].find((kind) => kind === name);
}

/** The passages grouped by file; the best file comes first. */
function Files({
  workspaceId,
  q,
  passages,
}: {
  workspaceId: string;
  q: string;
  passages: Found['passages'];
}) {
  return (
    <ol className="space-y-3">
      {groupByFile(passages).map((ofFile) => (
        <li key={ofFile[0]?.path} className="space-y-1.5">
          {ofFile.map((passage, place) => (
            <Link
              key={`${passage.startLine} ${passage.text}`}
              to="/w/$workspaceId/files"
              params={{ workspaceId }}
              search={placeOf(passage)}
              preload={false}
              className={`${PASSAGE_CARD} ${place === 0 ? '' : 'ml-5'}`}
            >
              <PassageText q={q} passage={passage} isFurther={place > 0} />
            </Link>
          ))}
        </li>
      ))}
    </ol>
  );
}

/**
 * Why only keywords were used. Administrators also get a link to the instructions, because only they can set
 * up semantic search.
 */
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
