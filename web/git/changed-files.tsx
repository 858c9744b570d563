import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Badge } from '../parts/badge.tsx';
import { Button } from '../parts/button.tsx';
import { Icon } from '../parts/icon.tsx';
import { Problem } from '../parts/problem.tsx';
import { Row, Rows } from '../parts/rows.tsx';
import { DiscardDialog } from './discard-dialog.tsx';
import { FileDiff } from './file-diff.tsx';
import { type ChangedFile, useStage } from './queries.ts';

const LOOKS = {
  added: 'good',
  modified: 'accent',
  deleted: 'danger',
  untracked: 'calm',
  conflicted: 'warn',
} as const;

/** Maximum rows. More would only slow the page down, and no one would read them. */
const MOST_SHOWN = 500;

interface Props {
  workspaceId: string;
  files: ChangedFile[];
  /** True for the changes in the index, false for those that aren't staged yet. */
  staged: boolean;
  mayChange: boolean;
}

/** The files that are staged, or those that aren't. A file with both kinds of changes is in both lists. */
export function ChangedFiles({ workspaceId, files, staged, mayChange }: Props) {
  const { t } = useTranslation();
  const stage = useStage(workspaceId, !staged);
  const [discarding, setDiscarding] = useState<ChangedFile[]>();
  if (files.length === 0) return null;
  const title = t(staged ? 'git.staged' : 'git.changed');
  const all = { disabled: stage.isPending, onClick: () => stage.mutate(['']) };
  return (
    <section className="mt-5">
      <div className="mb-2 flex flex-wrap items-center gap-2">
        <h2 className="mr-auto text-base font-semibold">
          {title}
          <span className="ml-2 text-sm font-normal text-muted">{files.length}</span>
        </h2>
        {mayChange && !staged && (
          <Button look="quiet" onClick={() => setDiscarding(files)}>
            {t('git.discardAll')}
          </Button>
        )}
        {mayChange && <Button {...all}>{t(staged ? 'git.unstageAll' : 'git.stageAll')}</Button>}
      </div>
      <Problem error={stage.error} />
      <Rows label={title}>
        {files.slice(0, MOST_SHOWN).map((file) => (
          <FileRow
            key={file.path}
            {...{ workspaceId, file, staged, mayChange, stage }}
            onDiscard={() => setDiscarding([file])}
          />
        ))}
      </Rows>
      {files.length > MOST_SHOWN && (
        <p className="mt-2 text-sm text-muted">
          {t('git.shown', { count: MOST_SHOWN, total: files.length })}
        </p>
      )}
      {discarding && (
        <DiscardDialog
          workspaceId={workspaceId}
          files={discarding}
          onClose={() => setDiscarding(undefined)}
        />
      )}
    </section>
  );
}

interface RowProps extends Omit<Props, 'files'> {
  file: ChangedFile;
  stage: ReturnType<typeof useStage>;
  onDiscard: () => void;
}

function FileRow({ workspaceId, file, staged, mayChange, stage, onDiscard }: RowProps) {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  const { path, status } = file;
  const isFile = !path.endsWith('/'); // a nested repository isn't a file
  return (
    <Row isStill>
      <button
        type="button"
        aria-expanded={isOpen}
        disabled={!isFile}
        onClick={() => setOpen(!isOpen)}
        className="flex min-h-9 min-w-0 flex-1 basis-full items-center gap-2 text-left text-sm sm:basis-0"
      >
        <Icon name={isOpen ? 'down' : 'right'} size={16} />
        <span data-user-content className="min-w-0 wrap-anywhere">
          {path}
        </span>
      </button>
      <Badge look={LOOKS[status]}>{t(`git.states.${status}`)}</Badge>
      {mayChange && isFile && (
        <span className="flex gap-1">
          {!staged && status !== 'conflicted' && (
            <Button look="quiet" aria-label={t('git.discardOf', { path })} onClick={onDiscard}>
              {t('git.discard')}
            </Button>
          )}
          <Button
            look="quiet"
            aria-label={t(staged ? 'git.unstageOf' : 'git.stageOf', { path })}
            disabled={stage.isPending}
            onClick={() => stage.mutate([path])}
          >
            {t(staged ? 'git.unstage' : 'git.stage')}
          </Button>
        </span>
      )}
      {isOpen && <FileDiff workspaceId={workspaceId} path={path} staged={staged} />}
    </Row>
  );
}
