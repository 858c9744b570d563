import { useTranslation } from 'react-i18next';
import { useMay } from '../access/role.ts';
import { type Run, useStopRun } from '../agent/queries.ts';
import { RunStatus } from '../agent/run-status.tsx';
import { Button } from '../parts/button.tsx';
import { formatTime } from '../parts/format.ts';
import { Menu } from '../parts/menu.tsx';
import { Problem } from '../parts/problem.tsx';
import { PageHead } from '../shell/page-head.tsx';
import { type DraftCheck, isOpen, titleOf } from './draft-check.ts';
import { CHECK_FORMATS, type CheckFormat, useExportCheck } from './queries.ts';

export function CheckHead({ run, check }: { run: Run; check: DraftCheck }) {
  const { t, i18n } = useTranslation();
  const may = useMay('member', run.workspaceId);
  const stop = useStopRun(run.id);
  const save = useExportCheck(check);
  const { status, counts, finishedAt } = check;
  const isWhole = counts.checked === counts.claims;
  return (
    <>
      <PageHead
        title={titleOf(check) || t('agent.untitled')}
        isContent
        note={
          <>
            {t(isWhole ? 'verify.supportedOf' : 'verify.supportedSoFar', {
              ...{ supported: counts.supported, checked: counts.checked, count: counts.claims },
            })}
            {counts.unjudged > 0 && ` ${t('verify.notJudged', { count: counts.unjudged })}`}
            {finishedAt && ` ${t('verify.checkedAt', { time: formatTime(finishedAt, i18n.language) })}`}
          </>
        }
        actions={
          <>
            <RunStatus status={status} />
            {!isOpen(check) && <SaveAs check={check} disabled={save.isPending} onChoose={save.mutate} />}
            {isOpen(check) && may && (
              <Button icon="stop" disabled={stop.isPending} onClick={() => stop.mutate()}>
                {t('verify.stop')}
              </Button>
            )}
          </>
        }
      />
      <Problem error={stop.error} />
      <Problem error={save.error} />
    </>
  );
}

interface SaveProps {
  check: DraftCheck;
  disabled: boolean;
  onChoose: (format: CheckFormat) => void;
}

/** Saves the results. Comments are written into the author's own file, so only a DOCX gets them. */
function SaveAs({ check, disabled, onChoose }: SaveProps) {
  const { t } = useTranslation();
  const formats = CHECK_FORMATS.filter((format) => format !== 'docx' || check.format === 'docx');
  return (
    <Menu
      icon="download"
      label={t('verify.export')}
      disabled={disabled}
      items={formats.map((format) => ({
        icon: 'file',
        label: t(`verify.formats.${format}`),
        onSelect: () => onChoose(format),
      }))}
    />
  );
}
