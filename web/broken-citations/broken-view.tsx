import { Link, useParams } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useMay } from '../access/role.ts';
import { Place } from '../chat/citations.tsx';
import { readPlace } from '../chat/message-view.ts';
import { placeOf } from '../files/place.ts';
import { Badge } from '../parts/badge.tsx';
import { Banner } from '../parts/banner.tsx';
import { Button } from '../parts/button.tsx';
import { EmptyState } from '../parts/empty-state.tsx';
import { Loaded } from '../parts/loaded.tsx';
import { MoreButton } from '../parts/more-button.tsx';
import { Page } from '../parts/page.tsx';
import { Problem } from '../parts/problem.tsx';
import { Row, Rows } from '../parts/rows.tsx';
import { PageHead } from '../shell/page-head.tsx';
import { type BrokenCitation, type Repaired, useBrokenCitations, useRepair } from './queries.ts';

/** The broken citations of the workspace. */
export function BrokenView() {
  const { t } = useTranslation();
  const { workspaceId } = useParams({ from: '/w/$workspaceId' });
  const list = useBrokenCitations(workspaceId);
  const [repaired, setRepaired] = useState<Repaired>();
  return (
    <Page>
      <PageHead title={t('broken.title')} note={t('broken.note')} />
      {repaired && <RepairedLine repaired={repaired} workspaceId={workspaceId} />}
      <div className="mt-6">
        <Loaded
          query={list}
          rowClass="h-24"
          empty={
            list.hasNextPage ? (
              <EmptyState icon="info" title={t('broken.noneYet')} next={t('broken.noneYetNext')} />
            ) : (
              <EmptyState icon="check" title={t('broken.none')} next={t('broken.noneNext')} />
            )
          }
        >
          {(items) => <ByFile {...{ items, workspaceId }} onRepaired={setRepaired} />}
        </Loaded>
        <MoreButton list={list} />
      </div>
    </Page>
  );
}

interface ByFileProps extends Pick<RowProps, 'workspaceId' | 'onRepaired'> {
  items: BrokenCitation[];
}

/** The loaded citations by file. The file with the latest one comes first. */
function ByFile({ items, ...rest }: ByFileProps) {
  const { t } = useTranslation();
  return (
    <div className="space-y-6">
      {[...Map.groupBy(items, ({ citation }) => citation.path)].map(([path, broken]) => (
        <section key={path} aria-label={path}>
          <h2 className="mb-2 flex items-baseline gap-3 text-sm font-semibold">
            <span data-user-content className="min-w-0 wrap-anywhere">
              {path}
            </span>
            <span className="shrink-0 font-normal text-muted">
              {t('broken.ofFile', { count: broken.length })}
            </span>
          </h2>
          <Rows label={t('broken.title')}>
            {broken.map((item) => (
              <BrokenRow key={item.id} item={item} {...rest} />
            ))}
          </Rows>
        </section>
      ))}
    </div>
  );
}

/**
 * Shows the new location of a repaired citation, because its row disappears. Takes the focus from the row's
 * button.
 */
function RepairedLine({ repaired, workspaceId }: { repaired: Repaired; workspaceId: string }) {
  const { t } = useTranslation();
  const { document, citation } = repaired;
  const shown = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each repair is announced
  useEffect(() => shown.current?.focus(), [repaired]);
  return (
    <div ref={shown} tabIndex={-1} role="status" className="outline-none">
      <Banner>
        <DocumentLink document={document} workspaceId={workspaceId} /> ·{' '}
        {t('broken.repaired', { index: citation.index })}{' '}
        <PlaceLink place={citation} quote={citation.quote} workspaceId={workspaceId} />
      </Banner>
    </div>
  );
}

interface RowProps {
  item: BrokenCitation;
  workspaceId: string;
  onRepaired: (repaired: Repaired) => void;
}

function BrokenRow({ item, workspaceId, onRepaired }: RowProps) {
  const { t } = useTranslation();
  const { id, document, citation, reason, suggestion } = item;
  return (
    <Row isStill>
      <div className="min-w-0 flex-1 basis-64">
        <p className="flex flex-wrap items-baseline gap-2 text-sm">
          <Badge>{t(`broken.kinds.${document.kind}`)}</Badge>
          <DocumentLink document={document} workspaceId={workspaceId} />
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
            {t('broken.found')}{' '}
            <PlaceLink place={suggestion} quote={citation.quote} workspaceId={workspaceId} />
          </p>
        )}
      </div>
      {suggestion !== undefined && <Repair {...{ id, workspaceId, onRepaired }} />}
    </Row>
  );
}

interface PlaceProps {
  place: NonNullable<BrokenCitation['suggestion']> | Repaired['citation'];
  quote: string;
  workspaceId: string;
}

/** A link to a file, at the line of a quote. */
function PlaceLink({ place, quote, workspaceId }: PlaceProps) {
  const { path, startLine, endLine, page } = place;
  const shown = readPlace(place);
  return (
    <Link
      to="/w/$workspaceId/files"
      params={{ workspaceId }}
      search={placeOf({ path, startLine, endLine, page, text: quote.replace(/…$/, '') })}
      preload={false}
      className="text-accent underline wrap-anywhere"
    >
      <span data-user-content>{path}</span>{' '}
      <Place citation={{ path, startLine, endLine, ...(shown && { place: shown }) }} />
    </Link>
  );
}

interface RepairProps extends Pick<RowProps, 'workspaceId' | 'onRepaired'> {
  id: string;
}

function Repair({ id, workspaceId, onRepaired }: RepairProps) {
  const { t } = useTranslation();
  const mayRepair = useMay('member', workspaceId);
  const repair = useRepair(workspaceId, id);
  if (!mayRepair) return null;
  // onSuccess wouldn't be called, because the row is unmounted by then.
  const start = () => void repair.mutateAsync(undefined).then(onRepaired, () => {});
  return (
    <>
      <Button onClick={start} disabled={repair.isPending}>
        {t('broken.repair')}
      </Button>
      <Problem error={repair.error} />
    </>
  );
}

function DocumentLink({ document, ...here }: Pick<BrokenCitation, 'document'> & { workspaceId: string }) {
  const { kind, id, title, noteId, workspaceId = here.workspaceId } = document;
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
