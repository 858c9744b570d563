import { useNavigate, useSearch } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { conflictingPairs } from '../../lib/api-contract/report-places.ts';
import { SourceWorkspace } from '../chat/also-search.tsx';
import { Place } from '../chat/citations.tsx';
import { SupportState } from '../chat/support.tsx';
import { EmptyState } from '../parts/empty-state.tsx';
import { INPUT } from '../parts/field.tsx';
import { Icon } from '../parts/icon.tsx';
import { webAddress } from '../parts/markdown/inline-text.ts';
import { ScrollRegion } from '../parts/scroll-region.tsx';
import { SourceLink } from './footnote-link.tsx';
import { citationOf, dateOf, supportOf } from './footnotes.ts';
import type { Evidence, Research } from './research.ts';

export function EvidenceView({ research }: { research: Research }) {
  const { t } = useTranslation();
  const { question } = useSearch({ from: '/w/$workspaceId/research/$runId' });
  const { evidence } = research;
  const shown = question === undefined ? evidence : evidence.filter((each) => each.questionId === question);
  if (evidence.length === 0)
    return <EmptyState icon="search" title={t('research.noEvidence')} next={t('research.noEvidenceNext')} />;
  return (
    <div className="space-y-6">
      <QuestionFilter research={research} chosen={question} />
      <Contradictions pairs={conflictingPairs(shown)} research={research} />
      <EvidenceTable evidence={shown} research={research} />
    </div>
  );
}

function QuestionFilter({ research, chosen }: { research: Research; chosen: string | undefined }) {
  const { t } = useTranslation();
  const navigate = useNavigate({ from: '/w/$workspaceId/research/$runId' });
  const choose = (question: string) =>
    void navigate({
      search: (before) => ({ ...before, question: question || undefined }),
      resetScroll: false,
    });
  return (
    <label className="block space-y-1.5">
      <span className="text-sm font-medium">{t('research.forQuestion')}</span>
      <select value={chosen ?? ''} onChange={({ target }) => choose(target.value)} className={INPUT}>
        <option value="">{t('research.all')}</option>
        {research.plan?.questions.map(({ id, question }) => (
          <option key={id} value={id} data-user-content>
            {question}
          </option>
        ))}
      </select>
    </label>
  );
}

function Contradictions({ pairs, research }: { pairs: [Evidence, Evidence][]; research: Research }) {
  const { t } = useTranslation();
  if (pairs.length === 0) return null;
  return (
    <section className="rounded-lg border border-warn p-4">
      <h2 className="mb-3 flex items-center gap-2 font-semibold text-warn">
        <Icon name="warn" size={16} />
        {t('research.contradictions')}
      </h2>
      <ul className="space-y-4">
        {pairs.map(([one, other]) => (
          <li key={`${one.id} ${other.id}`} className="grid grid-cols-1 gap-2 sm:grid-cols-[1fr_auto_1fr]">
            <Side evidence={one} research={research} />
            <span className="self-center text-center text-xs text-muted">{t('research.against')}</span>
            <Side evidence={other} research={research} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function Side({ evidence, research }: { evidence: Evidence; research: Research }) {
  return (
    <div data-user-content className="min-w-0 rounded-md bg-sunken p-3 text-sm">
      <p className="font-medium break-words">{evidence.claim}</p>
      <blockquote className="mt-1 break-words text-muted">“{evidence.quote}”</blockquote>
      <SourceCell evidence={evidence} research={research} />
    </div>
  );
}

const COLUMNS = ['claim', 'quote', 'from', 'date', 'forQuestion', 'supports'] as const;

function EvidenceTable({ evidence, research }: { evidence: Evidence[]; research: Research }) {
  const { t } = useTranslation();
  return (
    <ScrollRegion
      label={t('research.evidence')}
      className="fades overflow-x-auto rounded-lg border border-line"
    >
      <table className="w-full min-w-[48rem] border-collapse bg-surface text-left text-sm">
        <caption className="sr-only">{t('research.evidence')}</caption>
        <thead>
          <tr className="border-b border-line bg-sunken">
            {COLUMNS.map((name) => (
              <th key={name} scope="col" className="px-3 py-2 font-semibold whitespace-nowrap">
                {t(`research.${name}`)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {evidence.map((each) => (
            <EvidenceRow key={each.id} evidence={each} research={research} />
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  );
}

function EvidenceRow({ evidence, research }: { evidence: Evidence; research: Research }) {
  return (
    <tr className="align-top">
      <th data-user-content scope="row" className="w-[28%] px-3 py-2.5 font-medium break-words">
        {evidence.claim}
      </th>
      <td data-user-content className="w-[32%] px-3 py-2.5 break-words text-muted">
        “{evidence.quote}”
      </td>
      <td data-user-content className="max-w-52 px-3 py-2.5">
        <SourceCell evidence={evidence} research={research} />
      </td>
      <td className="px-3 py-2.5 whitespace-nowrap tabular-nums">{dateOf(evidence) ?? '–'}</td>
      <td data-user-content className="min-w-28 px-3 py-2.5 text-xs break-words text-muted">
        {research.plan?.questions.find(({ id }) => id === evidence.questionId)?.question}
      </td>
      <td className="px-3 py-2.5 whitespace-nowrap">
        <Support evidence={evidence} counts={research.counts} />
      </td>
    </tr>
  );
}

function SourceCell({ evidence, research }: { evidence: Evidence; research: Research }) {
  const { source, id, workspaceId, path } = evidence;
  const host = webAddress(source.url ?? '')?.host;
  const isOwn = source.kind === 'file' || source.kind === 'dataset';
  const hasPath = isOwn && !path.endsWith(source.title);
  return (
    <div className="mt-1 min-w-0 text-xs break-words first:mt-0">
      <SourceLink research={research} evidenceId={id} className="font-medium text-accent underline">
        {source.title || path}
      </SourceLink>
      {hasPath && <span className="block text-muted wrap-anywhere">{path}</span>}
      <span className="block text-muted">
        <Place citation={citationOf(evidence, 0)} />
        {host && ` · ${host}`}
      </span>
      {workspaceId && <SourceWorkspace id={workspaceId} />}
    </div>
  );
}

function Support({ evidence, counts }: { evidence: Evidence } & Pick<Research, 'counts'>) {
  const { t } = useTranslation();
  const supported = supportOf(evidence, counts);
  return (
    <>
      <SupportState citation={supported} />
      {supported.isMissing && <span className="block text-xs text-muted">{t('research.unverified')}</span>}
    </>
  );
}
