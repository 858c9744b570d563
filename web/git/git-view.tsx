import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useMay } from '../access/role.ts';
import { Badge } from '../parts/badge.tsx';
import { Banner } from '../parts/banner.tsx';
import { Button } from '../parts/button.tsx';
import { Card } from '../parts/card.tsx';
import { DataTable } from '../parts/data-table.tsx';
import { EmptyState } from '../parts/empty-state.tsx';
import { Loaded } from '../parts/loaded.tsx';
import { Page } from '../parts/page.tsx';
import { Problem } from '../parts/problem.tsx';
import { PageHead } from '../shell/page-head.tsx';
import { CloneDialog } from './clone-dialog.tsx';
import { type RepositoryStatus, usePull, useRepository } from './queries.ts';

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
        {(status) => (status.isGitRepo ? <Repository status={status} /> : <NoRepository mayClone={may} />)}
      </Loaded>
    </Page>
  );
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
          {t('git.clone')}
        </Button>
      )}
      {isCloning && <CloneDialog onClose={() => setCloning(false)} />}
    </EmptyState>
  );
}

function Repository({ status }: { status: RepositoryStatus }) {
  const { t } = useTranslation();
  const { branch, hasUpstream, ahead, behind, clean, modified } = status;
  const apart = [
    ahead > 0 ? t('git.ahead', { count: ahead }) : [],
    behind > 0 ? t('git.behind', { count: behind }) : [],
  ].flat();
  return (
    <>
      <Card title={branch === null ? t('git.none') : t('git.branch', { name: branch })}>
        <p className="text-sm">
          {apart.length > 0 ? apart.join(' · ') : t(hasUpstream ? 'git.level' : 'git.noUpstream')}
        </p>
        {clean && <p className="mt-3 text-sm text-good">{t('git.clean')}</p>}
      </Card>
      {!clean && <Changed files={modified} />}
    </>
  );
}

const LOOKS = {
  added: 'good',
  modified: 'accent',
  deleted: 'danger',
  untracked: 'calm',
  conflicted: 'warn',
} as const;

/** Maximum rows; more would only slow the page down, and no one would read them. */
const MOST_SHOWN = 500;

function Changed({ files }: { files: RepositoryStatus['modified'] }) {
  const { t } = useTranslation();
  const shown = files.slice(0, MOST_SHOWN);
  return (
    <section className="mt-5">
      <h2 className="mb-2 text-base font-semibold">
        {t('git.changed')}
        <span className="ml-2 text-sm font-normal text-muted">{files.length}</span>
      </h2>
      <DataTable
        label={t('git.changed')}
        rows={shown}
        keyOf={({ path }) => path}
        columns={[
          { name: t('git.file'), cell: ({ path }) => path, isLong: true },
          {
            name: t('git.state'),
            cell: ({ status }) => <Badge look={LOOKS[status]}>{t(`git.states.${status}`)}</Badge>,
          },
        ]}
      />
      {files.length > MOST_SHOWN && (
        <p className="mt-2 text-sm text-muted">
          {t('git.shown', { count: MOST_SHOWN, total: files.length })}
        </p>
      )}
    </section>
  );
}
