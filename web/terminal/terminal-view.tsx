import { useParams } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useMay } from '../access/role.ts';
import { fetchPart } from '../api/fetch-part.ts';
import { Button } from '../parts/button.tsx';
import { Skeletons } from '../parts/empty-state.tsx';
import { Problem } from '../parts/problem.tsx';
import { useWorkspace } from '../workspaces/queries.ts';
import { SingleCommands } from './single-commands.tsx';

const LiveTerminal = lazy(async () => ({
  default: (await fetchPart(() => import('./live-terminal.tsx'))).LiveTerminal,
}));

export function TerminalView() {
  const { workspaceId } = useParams({ from: '/w/$workspaceId' });
  const root = useWorkspace(workspaceId).data?.rootPath;
  if (root === undefined) return <Waiting />;
  return <TerminalOrCommands key={workspaceId} workspaceId={workspaceId} root={root} />;
}

/**
 * A terminal. Single commands replace it if the reader prefers them, may not run a terminal, or uses a
 * service that can't hold one.
 */
function TerminalOrCommands({ workspaceId, root }: { workspaceId: string; root: string }) {
  const { t } = useTranslation();
  const [isSingle, setSingle] = useState(false);
  const [reason, setReason] = useState<Error>();
  const may = useMay('member', workspaceId);
  const canChoose = may && reason === undefined;
  if (!canChoose || isSingle)
    return (
      <SingleCommands
        workspaceId={workspaceId}
        root={root}
        above={reason && <div className="pb-3">{<Problem error={reason} />}</div>}
        other={canChoose && <Button onClick={() => setSingle(false)}>{t('terminal.useTerminal')}</Button>}
      />
    );
  return (
    <Suspense fallback={<Waiting />}>
      <LiveTerminal workspaceId={workspaceId} onSingle={() => setSingle(true)} onImpossible={setReason} />
    </Suspense>
  );
}

function Waiting() {
  return (
    <div className="p-6">
      <Skeletons rows={3} />
    </div>
  );
}
