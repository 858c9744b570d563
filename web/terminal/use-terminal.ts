import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api, take } from '../api/client.ts';
import { readHistory, type Session, withCommand, withEnded, withStarted } from './session.ts';

const sessionKey = (workspaceId: string) => ['terminal', workspaceId];

/**
 * Returns the commands that were run in a workspace. They are kept while another page is shown, as long as the tab is
 * open.
 */
export function useTerminal(workspaceId: string, rootPath: string) {
  const queries = useQueryClient();
  const queryKey = sessionKey(workspaceId);
  const fresh: Session = { ran: [], cwd: rootPath };
  const { data: session = fresh } = useQuery({
    queryKey,
    queryFn: () => fresh,
    initialData: fresh,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
  });
  const now = () => queries.getQueryData<Session>(queryKey) ?? fresh;
  const put = (next: Session) => queries.setQueryData(queryKey, next);
  const run = useMutation({
    mutationFn: async (command: string) => {
      put(withStarted(now(), command));
      const id = now().ran.at(-1)?.id ?? 0;
      keepCommand(workspaceId, command);
      const call = take(api.POST('/api/terminal/exec', { body: { command, cwd: now().cwd } }));
      await call.then(
        (result) => put(withEnded(now(), id, { result })),
        (error: Error) => put(withEnded(now(), id, { error })),
      );
    },
  });
  return { session, run, clear: () => put({ ...now(), ran: [] }) };
}

const historyKey = (workspaceId: string) => `terminal:${workspaceId}`;

/** Returns the history, stored only for the tab, like drafts, because a command may contain a secret. */
export function historyOf(workspaceId: string): string[] {
  return readHistory(sessionStorage.getItem(historyKey(workspaceId)));
}

function keepCommand(workspaceId: string, command: string): void {
  const history = withCommand(historyOf(workspaceId), command);
  sessionStorage.setItem(historyKey(workspaceId), JSON.stringify(history));
}
