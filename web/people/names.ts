import { useTranslation } from 'react-i18next';
import { useIsAdminOfAll, useMay } from '../access/role.ts';
import { useWorkspaces } from '../workspaces/queries.ts';
import { usePeople } from './queries.ts';

/** Returns the names of workspaces, tokens, and people by ID, as far as the caller can see them. */
export function useNames(): Map<string, string> {
  const { t } = useTranslation();
  const workspaces = useWorkspaces().data ?? [];
  const people = usePeople(undefined, useMay('admin'))?.people ?? [];
  const named = people.flatMap(({ id, name, email }) =>
    (name ?? email) === null ? [] : [[id, name ?? email ?? id] as const],
  );
  return new Map([
    ['local', t('people.local')],
    ['operator', t('people.operator')],
    ...workspaces.map(({ id, name }) => [id, name] as const),
    ...named,
  ]);
}

/** Returns whether the service doesn't know an ID. Only global administrators can tell. */
export function useIsNeverSeen(workspaceId?: string): (id: string) => boolean {
  const isAdmin = useIsAdminOfAll();
  const known = usePeople(workspaceId, isAdmin);
  const ids = new Set(known?.people.map(({ id }) => id));
  return (id) => isAdmin && known?.isWhole === true && !ids.has(id);
}
