import { useMay } from '../access/role.ts';
import { useWorkspaces } from '../workspaces/queries.ts';
import { useTokens } from './queries.ts';

/** The names of workspaces and tokens by their ids, as far as the caller sees them. */
export function useNames(): Map<string, string> {
  const workspaces = useWorkspaces().data ?? [];
  const isAdmin = useMay('admin');
  const tokens = useTokens(isAdmin).data ?? [];
  return new Map([...workspaces, ...tokens].map(({ id, name }) => [id, name]));
}
