import { useTranslation } from 'react-i18next';
import { useMay } from '../access/role.ts';
import { useStopRun } from '../agent/queries.ts';
import { RunStatus } from '../agent/run-status.tsx';
import { Button } from '../parts/button.tsx';
import { formatLocalDay } from '../parts/format.ts';
import { Menu } from '../parts/menu.tsx';
import { Problem } from '../parts/problem.tsx';
import { fitsTitle, PageHead } from '../shell/page-head.tsx';
import { CopyReport } from './copy-report.tsx';
import { FORMATS, type Format, useExport } from './queries.ts';
import type { Research } from './research.ts';

const FORMAT_NAMES = Object.keys(FORMATS) as Format[];

export function ReportHead({ research }: { research: Research }) {
  const { t, i18n } = useTranslation();
  const { runId, workspaceId, workspaceIds, question, depth, status, createdAt } = research;
  const day = formatLocalDay(createdAt, i18n.language);
  const may = useMay('member', workspaceId);
  const stop = useStopRun(runId);
  const save = useExport(runId, question);
  const isOpen = status === 'running' || status === 'waiting';
  return (
    <>
      <PageHead
        title={question}
        isContent
        note={`${t('research.depthIs', { depth: t(`research.depths.${depth}`) })} · ${day}`}
        actions={
          <>
            <RunStatus status={status} />
            {status === 'done' && (
              <>
                <CopyReport runId={runId} />
                <SaveAs disabled={save.isPending} onChoose={(format) => save.mutate(format)} />
              </>
            )}
            {isOpen && may && (
              <Button icon="stop" disabled={stop.isPending} onClick={() => stop.mutate()}>
                {t('research.stop')}
              </Button>
            )}
          </>
        }
      />
      {!fitsTitle(question) && (
        <p data-user-content className="break-words whitespace-pre-wrap">
          {question}
        </p>
      )}
      {workspaceIds && (
        <p className="text-sm text-muted">{t('research.several', { count: workspaceIds.length })}</p>
      )}
      <Problem error={stop.error} />
      <Problem error={save.error} />
    </>
  );
}

function SaveAs({ disabled, onChoose }: { disabled: boolean; onChoose: (format: Format) => void }) {
  const { t } = useTranslation();
  return (
    <Menu
      icon="download"
      label={t('research.export')}
      disabled={disabled}
      items={FORMAT_NAMES.map((name) => ({
        icon: 'file',
        label: t(`research.formats.${name}`),
        onSelect: () => onChoose(name),
      }))}
    />
  );
}
