import { Link, useParams } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useMay } from '../access/role.ts';
import { Badge } from '../parts/badge.tsx';
import { Button } from '../parts/button.tsx';
import { EmptyState } from '../parts/empty-state.tsx';
import { LoadedRows } from '../parts/loaded.tsx';
import { MoreButton } from '../parts/more-button.tsx';
import { Page } from '../parts/page.tsx';
import { Problem } from '../parts/problem.tsx';
import { Row } from '../parts/rows.tsx';
import { PageHead } from '../shell/page-head.tsx';
import { type BrokenCitation, useBrokenCitations, useRepair } from './queries.ts';

/** The citations of the workspace that no longer hold. */
export function BrokenView() {
  const { t } = useTranslation();
  const { workspaceId } = useParams({ from: '/w/$workspaceId' });
  const list = useBrokenCitations(workspaceId);
  return (
    <Page>
      <PageHead title={t('broken.title')} note={t('broken.note')} />
      <div className="mt-6">
        <LoadedRows
          query={list}
          rowClass="h-24"
          label={t('broken.title')}
          empty={<EmptyState icon="check" title={t('broken.none')} next={t('broken.noneNext')} />}
        >
          {(item) => <BrokenRow key={item.id} item={item} workspaceId={workspaceId} />}
        </LoadedRows>
        <MoreButton list={list} />
      </div>
    </Page>
  );
}

function BrokenRow({ item, workspaceId }: { item: BrokenCitation; workspaceId: string }) {
  const { t } = useTranslation();
  const { citation, reason, suggestion } = item;
  return (
    <Row isStill>
      <div className="min-w-0 flex-1 basis-64">
        <p className="flex flex-wrap items-baseline gap-2 text-sm">
          <DocumentLink item={item} workspaceId={workspaceId} />
          <Badge look="warn">{t(`broken.reasons.${reason}`)}</Badge>
        </p>
        <p className="truncate text-sm text-muted" data-user-content>
          [{citation.index}] {citation.path}
        </p>
        <blockquote className="mt-1 line-clamp-3 text-sm" data-user-content>
          {citation.quote}
        </blockquote>
        {suggestion !== undefined && (
          <p className="mt-1 text-sm text-muted">
            {t('broken.found')} <span data-user-content>{suggestion.path}</span>
          </p>
        )}
      </div>
      {suggestion !== undefined && <Repair id={item.id} workspaceId={workspaceId} />}
    </Row>
  );
}

function Repair({ id, workspaceId }: { id: string; workspaceId: string }) {
  const { t } = useTranslation();
  const mayRepair = useMay('member', workspaceId);
  const repair = useRepair(workspaceId, id);
  if (!mayRepair) return null;
  return (
    <>
      <Button onClick={() => repair.mutate(undefined)} disabled={repair.isPending}>
        {t('broken.repair')}
      </Button>
      <Problem error={repair.error} />
    </>
  );
}

function DocumentLink({ item, workspaceId }: { item: BrokenCitation; workspaceId: string }) {
  const { kind, id, title, noteId } = item.document;
  const look = { className: 'font-medium underline', 'data-user-content': true };
  if (kind === 'answer')
    return (
      <Link to="/w/$workspaceId/chat/$conversationId" params={{ workspaceId, conversationId: id }} {...look}>
        {title}
      </Link>
    );
  return (
    <Link to="/w/$workspaceId/notes/$noteId" params={{ workspaceId, noteId: noteId ?? id }} {...look}>
      {title}
    </Link>
  );
}
