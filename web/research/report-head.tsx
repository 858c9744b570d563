import { useTranslation } from 'react-i18next';
import { useMay } from '../access/role.ts';
import { useStopRun } from '../agent/queries.ts';
import { RunStatus } from '../agent/run-status.tsx';
import { Button } from '../parts/button.tsx';
import { CopyButton } from '../parts/copy-button.tsx';
import { formatLocalDay } from '../parts/format.ts';
import { Menu } from '../parts/menu.tsx';
import { Problem } from '../parts/problem.tsx';
import { fitsTitle, PageHead } from '../shell/page-head.tsx';
import { CopyReport } from './copy-report.tsx';
import { newestProof } from './newest-proof.ts';
import { FORMATS, type Format, useExport } from './queries.ts';
import type { Research } from './research.ts';

const FORMAT_NAMES = Object.keys(FORMATS) as Format[];

export function ReportHead({ research }: { research: Research }) {
  const { t, i18n } = useTranslation();
  const { runId, workspaceId, question, depth, status, createdAt } = research;
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
      <Problem error={stop.error} />
      <Problem error={save.error} />
      <RootHash research={research} />
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

/** After the export of a proof: what its receiver needs from someone else than the file. */
function RootHash({ research }: { research: Research }) {
  const { t } = useTranslation();
  const proof = newestProof(research);
  if (proof === undefined) return null;
  const { rootHash } = proof;
  return (
    <section aria-labelledby="root-hash" className="rounded-lg border border-line bg-surface p-4 text-sm">
      <h2 id="root-hash" className="font-medium">
        {t('research.rootHash')}
      </h2>
      <div className="flex items-center gap-2">
        <code className="min-w-0 break-all">{rootHash}</code>
        <CopyButton text={rootHash} isBare />
      </div>
      <p className="text-muted">{t('research.rootHashNote')}</p>
      <code className="mt-1 block break-all">{`wrs verify-report FILE.zip --root-hash ${rootHash}`}</code>
    </section>
  );
}
