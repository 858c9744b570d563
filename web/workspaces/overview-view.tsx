import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '../../lib/api-contract/schema.ts';
import { useIsAdminOfAll } from '../access/role.ts';
import { BrokenLine } from '../broken-citations/broken-line.tsx';
import { Banner } from '../parts/banner.tsx';
import { DocsLink } from '../parts/docs-link.tsx';
import { EmptyState } from '../parts/empty-state.tsx';
import { formatBytes } from '../parts/format.ts';
import { Icon } from '../parts/icon.tsx';
import { Loaded } from '../parts/loaded.tsx';
import { Page } from '../parts/page.tsx';
import { Row, Rows, WHOLE_ROW } from '../parts/rows.tsx';
import { PageHead } from '../shell/page-head.tsx';
import { factsOf, needsRecognition } from './index-facts.ts';
import { type IndexState, LISTED_FILES, syncQuery, useListedFiles, useWorkspace } from './queries.ts';
import { SyncPanel } from './sync-panel.tsx';
import { useWhyListed } from './why-listed.ts';
import { WorkspaceJudge } from './workspace-judge.tsx';

/** The files that are in the index, and those that aren't, with the reason. */
export function OverviewView() {
  const { t } = useTranslation();
  const { workspaceId } = useParams({ from: '/w/$workspaceId' });
  const workspace = useWorkspace(workspaceId);
  const sync = useQuery(syncQuery(workspaceId));
  return (
    <Page isWide>
      <PageHead title={t('workspaces.overview')} note={workspace.data?.rootPath} />
      <BrokenLine workspaceId={workspaceId} />
      <Loaded query={sync} rows={2} rowClass="h-24">
        {(state) => (
          <>
            <SyncPanel workspaceId={workspaceId} state={state} />
            <Listed key={`failed ${versionOf(state)}`} workspaceId={workspaceId} state="failed" />
            <Listed key={`partial ${versionOf(state)}`} workspaceId={workspaceId} state="partial" />
            <Listed key={`skipped ${versionOf(state)}`} workspaceId={workspaceId} state="skipped" />
            {factsOf(state).freshness === 'checked' && (
              <AllIn key={`all ${versionOf(state)}`} workspaceId={workspaceId} />
            )}
            <Indexed key={`indexed ${versionOf(state)}`} workspaceId={workspaceId} />
          </>
        )}
      </Loaded>
      <WorkspaceJudge workspaceId={workspaceId} />
    </Page>
  );
}

/**
 * Returns a version; the lists are refetched when it changes, because files are also added and removed without a sync.
 */
function versionOf({ finishedAt, index }: IndexState): string {
  return [finishedAt, ...Object.values(index ?? {})].join(' ');
}

/** The indexed files, fetched only when the list is opened, because it may be long. */
function Indexed({ workspaceId }: { workspaceId: string }) {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  return (
    <details className="group mt-8" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary className="flex min-h-9 list-none items-center gap-1.5 text-base font-semibold">
        <span className="transition-transform group-open:rotate-90">
          <Icon name="right" size={16} />
        </span>
        {t('index.indexedFiles')}
      </summary>
      {isOpen && <Listed workspaceId={workspaceId} state="indexed" />}
    </details>
  );
}

/** Says that everything is indexed, if all other lists are empty. */
function AllIn({ workspaceId }: { workspaceId: string }) {
  const { t } = useTranslation();
  const failed = useListedFiles(workspaceId, 'failed');
  const partial = useListedFiles(workspaceId, 'partial');
  const skipped = useListedFiles(workspaceId, 'skipped');
  if (![failed, partial, skipped].every(({ data }) => data?.length === 0)) return null;
  return <EmptyState icon="check" title={t('index.allIn')} next={t('index.allInNote')} />;
}

const HEADINGS = {
  failed: 'index.failedFiles',
  partial: 'index.partialFiles',
  skipped: 'index.skippedFiles',
  indexed: 'index.indexedFiles',
} as const;

interface ListedProps {
  workspaceId: string;
  state: Schemas['ListedFile']['state'];
}

function Listed({ workspaceId, state }: ListedProps) {
  const { t } = useTranslation();
  const { data: files = [] } = useListedFiles(workspaceId, state);
  if (files.length === 0) return null;
  return (
    <section className="mt-8">
      <h2 className="mb-2 text-base font-semibold">
        {t(state === 'indexed' && files.length === LISTED_FILES ? 'index.first' : HEADINGS[state])}
        <span className="ml-2 text-sm font-normal text-muted">{files.length}</span>
      </h2>
      {files.some(needsRecognition) && <NeedsOcr />}
      <Rows>
        {files.map((file) => (
          <ListedRow key={file.path} workspaceId={workspaceId} file={file} />
        ))}
      </Rows>
    </section>
  );
}

function NeedsOcr() {
  const { t } = useTranslation();
  const isAdmin = useIsAdminOfAll();
  return (
    <div className="mb-3">
      <Banner>
        {t(isAdmin ? 'index.ocrMissing' : 'index.ocrMissingAsk')}{' '}
        <DocsLink page="guides/ocr">{t('index.ocrInstall')}</DocsLink>
      </Banner>
    </div>
  );
}

function ListedRow({ workspaceId, file }: { workspaceId: string; file: Schemas['ListedFile'] }) {
  const { i18n } = useTranslation();
  const why = useWhyListed()(file);
  return (
    <Row>
      <div className="min-w-0 flex-1 basis-40">
        <Link
          to="/w/$workspaceId/files"
          params={{ workspaceId }}
          search={{ path: file.path }}
          data-user-content
          className={WHOLE_ROW}
        >
          {file.path}
        </Link>
      </div>
      <span className="flex items-baseline gap-3 text-sm text-muted">
        {why}
        <span className="text-right tabular-nums sm:w-20">{formatBytes(file.size, i18n.language)}</span>
      </span>
    </Row>
  );
}
