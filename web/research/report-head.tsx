import { useTranslation } from 'react-i18next';
import { useMay } from '../access/role.ts';
import { useStopRun } from '../agent/queries.ts';
import { RunStatus } from '../agent/run-status.tsx';
import { Button } from '../parts/button.tsx';
import { Problem } from '../parts/problem.tsx';
import { fitsTitle, PageHead } from '../shell/page-head.tsx';
import { FORMATS, type Format, useExport } from './queries.ts';
import type { Research } from './research.ts';

const FORMAT_NAMES = Object.keys(FORMATS) as Format[];

export function ReportHead({ research }: { research: Research }) {
  const { t } = useTranslation();
  const { runId, workspaceId, question, depth, status } = research;
  const may = useMay('member', workspaceId);
  const stop = useStopRun(runId);
  const save = useExport(runId);
  const isOpen = status === 'running' || status === 'waiting';
  return (
    <>
      <PageHead
        title={question}
        isContent
        note={t(`research.depths.${depth}`)}
        actions={
          <>
            <RunStatus status={status} />
            {status === 'done' && (
              <SaveAs disabled={save.isPending} onChoose={(format) => save.mutate(format)} />
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
      <Problem error={stop.error} />
      <Problem error={save.error} />
    </>
  );
}

/** The choice falls back to its name: the same form may be wanted twice. */
function SaveAs({ disabled, onChoose }: { disabled: boolean; onChoose: (format: Format) => void }) {
  const { t } = useTranslation();
  return (
    <select
      aria-label={t('research.export')}
      value=""
      disabled={disabled}
      onChange={({ target }) => onChoose(target.value as Format)}
      className="min-h-9 rounded-md border border-line bg-surface px-2.5 text-sm font-medium"
    >
      <option value="" disabled hidden>
        {t('research.export')}
      </option>
      {FORMAT_NAMES.map((name) => (
        <option key={name} value={name}>
          {t(`research.formats.${name}`)}
        </option>
      ))}
    </select>
  );
}
