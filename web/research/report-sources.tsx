import { useTranslation } from 'react-i18next';
import {
  describeSource,
  publicationUrl,
  type ReportSource,
  sourcesOf,
} from '../../lib/api-contract/report-places.ts';
import { SourceWorkspace } from '../chat/also-search.tsx';
import { SupportLegend } from '../chat/support.tsx';
import { OutwardLink } from '../parts/outward-link.tsx';
import { FootnoteLink, SourceLink } from './footnote-link.tsx';
import type { Footnotes } from './footnotes.ts';
import type { Evidence, Research } from './research.ts';

interface Props {
  research: Research;
  footnotes: Footnotes;
}

/** Each source once, with the numbers of its quotes. */
export function ReportSources({ research, footnotes: { cited } }: Props) {
  const { t } = useTranslation();
  if (cited.length === 0) return null;
  return (
    <section aria-labelledby="report-sources" className="border-t border-line pt-5">
      <h2 id="report-sources" className="text-lg font-semibold">
        {t('research.sourceList')}
      </h2>
      <ol className="mt-2 space-y-3 text-sm">
        {sourcesOf(cited).map((one) => (
          <SourceItem key={one.first.id} one={one} research={research} cited={cited} />
        ))}
      </ol>
      <div className="mt-3">
        <SupportLegend of="citation" />
      </div>
    </section>
  );
}

function SourceItem({
  one,
  research,
  cited,
}: Pick<Props, 'research'> & { one: ReportSource<Evidence>; cited: Evidence[] }) {
  const { path, source, numbers, first } = one;
  return (
    <li className="break-words">
      <span data-user-content>
        <SourceLink
          research={research}
          evidenceId={first.id}
          className="font-medium text-accent hover:underline"
        >
          {describeSource(source, path)}
        </SourceLink>
      </span>{' '}
      {numbers.map((number) => (
        <FootnoteLink key={number} research={research} evidenceId={cited[number - 1]?.id ?? ''} />
      ))}
      <Details one={one} />
      {first.workspaceId && <SourceWorkspace id={first.workspaceId} />}
    </li>
  );
}

function Details({ one: { path, source, pages } }: { one: ReportSource<Evidence> }) {
  const { t } = useTranslation();
  const { kind, doi, arxivId, url } = source;
  const isOwn = kind === 'file' || kind === 'dataset';
  const hasPath = isOwn && describeSource(source, path) !== path; // the path may already be the name
  const address = publicationUrl(source) ?? url;
  return (
    <span className="block text-muted">
      {hasPath && <span data-user-content>{path}</span>}
      {pages.length > 0 &&
        `${hasPath ? ' · ' : ''}${t('research.pages', { count: pages.length, pages: pages.join(', ') })}`}
      {address !== undefined && (
        <>
          {(hasPath || pages.length > 0) && ' · '}
          <OutwardLink href={address} text={doi ?? (arxivId && `arXiv:${arxivId}`) ?? url ?? ''} />
        </>
      )}
    </span>
  );
}
