import { useParams } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { BackLink } from '../parts/back-link.tsx';
import { Button } from '../parts/button.tsx';
import { Problem } from '../parts/problem.tsx';
import { PageHead } from '../shell/page-head.tsx';
import { isOpen, type Run, useStopRun } from './queries.ts';
import { kindOf } from './run-kind.ts';
import { RunStatus } from './run-status.tsx';

function Note({ run }: { run: Run }) {
  const { t } = useTranslation();
  const { failedCalls: count } = run;
  return (
    <>
      {t(kindOf(run))}
      {count > 0 && <span className="text-danger"> · {t('agent.failedCalls', { count })}</span>}
    </>
  );
}

interface HeadProps {
  run: Run | undefined;
  /** The title of the conversation. If absent, the run's request is shown. */
  title?: string | undefined;
}

export function RunHead({ run, title = run?.request }: HeadProps) {
  const { t } = useTranslation();
  const { workspaceId } = useParams({ from: '/w/$workspaceId' });
  const stop = useStopRun(run?.id ?? '');
  return (
    <>
      <BackLink to="/w/$workspaceId/agent" params={{ workspaceId }}>
        {t('agent.runs')}
      </BackLink>
      <PageHead
        title={title || t('agent.untitled')}
        isContent
        note={run && <Note run={run} />}
        actions={
          run && (
            <>
              <RunStatus status={run.status} />
              {isOpen(run) && (
                <Button icon="stop" disabled={stop.isPending} onClick={() => stop.mutate()}>
                  {t('agent.stop')}
                </Button>
              )}
            </>
          )
        }
      />
      <Problem error={stop.error} />
    </>
  );
}
