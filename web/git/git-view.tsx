import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useMay } from '../access/role.ts';
import { Banner } from '../parts/banner.tsx';
import { Button } from '../parts/button.tsx';
import { EmptyState } from '../parts/empty-state.tsx';
import { FormDialog } from '../parts/form.tsx';
import { Loaded } from '../parts/loaded.tsx';
import { Page } from '../parts/page.tsx';
import { Problem } from '../parts/problem.tsx';
import { PageHead } from '../shell/page-head.tsx';
import { BranchCard } from './branch-card.tsx';
import { ChangedFiles } from './changed-files.tsx';
import { CloneDialog } from './clone-dialog.tsx';
import { CommitForm } from './commit-form.tsx';
import { CommitLog } from './commit-log.tsx';
import { type RepositoryStatus, usePull, usePush, useRepository } from './queries.ts';

export function GitView() {
  const { t } = useTranslation();
  const { workspaceId } = useParams({ from: '/w/$workspaceId' });
  const repository = useRepository(workspaceId);
  const pull = usePull(workspaceId);
  const may = useMay('member', workspaceId);
  const mayPull = may && repository.data?.hasUpstream === true;
  return (
    <Page isWide>
      <PageHead
        title={t('git.title')}
        actions={
          <>
            <Button icon="again" disabled={repository.isFetching} onClick={() => void repository.refetch()}>
              {t('git.again')}
            </Button>
            {may && repository.data && canPush(repository.data) && (
              <PushButton workspaceId={workspaceId} status={repository.data} />
            )}
            {mayPull && (
              <Button look="main" icon="download" disabled={pull.isPending} onClick={() => pull.mutate()}>
                {t(pull.isPending ? 'git.pulling' : 'git.pull')}
              </Button>
            )}
          </>
        }
      />
      <Pulled pull={pull} />
      <Loaded query={repository} rows={3} rowClass="h-16">
        {(status) =>
          status.isGitRepo ? (
            <Repository workspaceId={workspaceId} status={status} mayChange={may} />
          ) : (
            <NoRepository mayClone={may} />
          )
        }
      </Loaded>
    </Page>
  );
}

/** Returns whether there is something to push, and a token for it. */
function canPush({ canPush, branch, hasUpstream, ahead }: RepositoryStatus): boolean {
  return canPush && branch !== null && (ahead > 0 || !hasUpstream);
}

/** Pushes after a confirmation, because others then see the commits. */
function PushButton({ workspaceId, status }: { workspaceId: string; status: RepositoryStatus }) {
  const { t } = useTranslation();
  const [isAsking, setAsking] = useState(false);
  const push = usePush(workspaceId);
  const { branch, hasUpstream, ahead } = status;
  return (
    <>
      <Button icon="upload" onClick={() => setAsking(true)}>
        {t('git.push')}
      </Button>
      {isAsking && (
        <FormDialog
          title={t('git.pushAsk', { branch })}
          action={t('git.push')}
          sending={push}
          onClose={() => setAsking(false)}
          onSend={() => push.mutate(undefined, { onSuccess: () => setAsking(false) })}
        >
          <p className="text-sm text-muted">
            {hasUpstream ? t('git.pushNote', { count: ahead }) : t('git.pushNew')}
          </p>
        </FormDialog>
      )}
    </>
  );
}

interface Props {
  workspaceId: string;
  status: RepositoryStatus;
  mayChange: boolean;
}

function Pulled({ pull }: { pull: ReturnType<typeof usePull> }) {
  const { t } = useTranslation();
  return (
    <div role="status">
      <Problem error={pull.error} />
      {pull.data && (
        <Banner>
          {pull.data.from === pull.data.to
            ? t('git.upToDate')
            : `${t('git.pulled', { count: pull.data.changedFiles })} · ${pull.data.from.slice(0, 8)} → ${pull.data.to.slice(0, 8)}`}
        </Banner>
      )}
    </div>
  );
}

function NoRepository({ mayClone }: { mayClone: boolean }) {
  const { t } = useTranslation();
  const [isCloning, setCloning] = useState(false);
  return (
    <EmptyState icon="branch" title={t('git.noRepo')}>
      <p>{t('git.noRepoNext')}</p>
      {mayClone && (
        <Button className="mt-4" onClick={() => setCloning(true)}>
          {t('workspaces.clone')}
        </Button>
      )}
      {isCloning && <CloneDialog onClose={() => setCloning(false)} />}
    </EmptyState>
  );
}

function Repository({ workspaceId, status, mayChange }: Props) {
  const { modified } = status;
  const staged = modified.filter((file) => file.staged);
  const unstaged = modified.filter((file) => file.unstaged);
  const shared = { workspaceId, mayChange };
  return (
    <>
      <BranchCard {...shared} status={status} />
      <ChangedFiles {...shared} files={staged} staged />
      {mayChange && <CommitForm workspaceId={workspaceId} staged={staged.length} />}
      <ChangedFiles {...shared} files={unstaged} staged={false} />
      <CommitLog workspaceId={workspaceId} />
    </>
  );
}
