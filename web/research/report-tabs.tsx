import { Link, useSearch } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { Research } from './research.ts';
import { REPORT_TABS } from './tab-names.ts';

/** The parts of a report: each has an address. */
export function ReportTabs({ research }: { research: Research }) {
  const { t } = useTranslation();
  const { tab: current = 'report' } = useSearch({ from: '/w/$workspaceId/research/$runId' });
  const { workspaceId, runId, evidence, looked, plan } = research;
  const counts = {
    report: undefined,
    evidence: evidence.length,
    plan: plan?.questions.length,
    'left-out': looked.filter(({ used }) => !used).length,
  };
  return (
    <nav aria-label={t('research.reports')} className="flex gap-1 overflow-x-auto border-b border-line">
      {REPORT_TABS.map((tab) => (
        <Link
          key={tab}
          to="/w/$workspaceId/research/$runId"
          params={{ workspaceId, runId }}
          search={tab === 'report' ? {} : { tab }}
          activeOptions={{ exact: true, explicitUndefined: false }}
          resetScroll={false}
          aria-current={tab === current ? 'page' : undefined}
          className="-mb-px flex min-h-10 shrink-0 items-center gap-1.5 border-b-2 border-transparent px-3 text-sm text-muted hover:text-ink aria-[current=page]:border-accent aria-[current=page]:font-medium aria-[current=page]:text-accent"
        >
          {t(`research.tabs.${tab}`)}
          {counts[tab] !== undefined && counts[tab] > 0 && (
            <span className="text-xs tabular-nums">{counts[tab]}</span>
          )}
        </Link>
      ))}
    </nav>
  );
}
