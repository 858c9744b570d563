import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useMay } from '../access/role.ts';
import { RunList } from '../agent/run-list.tsx';
import { useRunsOfKind } from '../agent/runs-of-kind.ts';
import { Composer } from '../chat/composer.tsx';
import { Button } from '../parts/button.tsx';
import { Card } from '../parts/card.tsx';
import { Problem } from '../parts/problem.tsx';
import { useGoOn } from './queries.ts';
import type { Research } from './research.ts';

/** A report's follow-up actions, and a link to the previous report. */
export function FollowUp({ research }: { research: Research }) {
  const { t } = useTranslation();
  const { workspaceId, runId, status, previousRunId } = research;
  const may = useMay('member', workspaceId);
  return (
    <>
      {status === 'done' && may && <Further workspaceId={workspaceId} runId={runId} />}
      {previousRunId && (
        <p className="text-sm">
          <Link
            to="/w/$workspaceId/research/$runId"
            params={{ workspaceId, runId: previousRunId }}
            className="text-accent underline"
          >
            {t('research.before')}
          </Link>
        </p>
      )}
      <Others research={research} />
    </>
  );
}

function Further({ workspaceId, runId }: { workspaceId: string; runId: string }) {
  const { t } = useTranslation();
  const goOn = useGoOn(workspaceId, runId);
  return (
    <Card title={t('research.followUp')}>
      <p className="mb-3 text-sm text-muted">{t('research.followUpNote')}</p>
      <Composer
        draftName={`further ${runId}`}
        label={t('research.followUp')}
        isBusy={goOn.isPending}
        onSend={(question) => goOn.mutate(question)}
      />
      <Problem error={goOn.error} />
      <div className="mt-4 flex flex-wrap items-center gap-3">
        <Button icon="again" disabled={goOn.isPending} onClick={() => goOn.mutate(undefined)}>
          {t('research.refresh')}
        </Button>
        <span className="text-sm text-muted">{t('research.refreshNote')}</span>
      </div>
    </Card>
  );
}

function Others({ research }: { research: Research }) {
  const { t } = useTranslation();
  const { workspaceId, conversationId, runId } = research;
  const reports = useRunsOfKind(workspaceId, 'research');
  const others = reports.data?.filter((each) => each.conversationId === conversationId && each.id !== runId);
  if (conversationId === null || !others?.length) return null;
  return (
    <section>
      <h2 className="mb-2 text-base font-semibold">{t('research.others')}</h2>
      <RunList runs={others} />
    </section>
  );
}
