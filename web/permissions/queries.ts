import { useQuery } from '@tanstack/react-query';
import type { Schemas } from '../../lib/api-contract/schema.ts';
import { api } from '../api/client.ts';
import { takeVersioned, useReplace } from '../api/versioned.ts';
import type { KeptRule, Rule } from './rule-list.ts';

const PATH = '/api/workspaces/{workspaceId}/permissions';

const rulesQuery = (workspaceId: string) => ({
  queryKey: ['permissions', workspaceId],
  queryFn: () => takeVersioned(api.GET(PATH, { params: { path: { workspaceId } } })),
});

export function useRules(workspaceId: string) {
  return useQuery(rulesQuery(workspaceId));
}

/**
 * Changes the rules as a whole. Of concurrent changes, the first succeeds, and the others get a conflict. New
 * rules have no author yet.
 */
export function useChangeRules(workspaceId: string) {
  const params = { path: { workspaceId } };
  const { mutate, ...change } = useReplace({
    query: rulesQuery(workspaceId),
    put: (body: Schemas['PutPermissions'], headers) =>
      takeVersioned(api.PUT(PATH, { params, headers, body })),
  });
  type Options = Parameters<typeof mutate>[1];
  return {
    ...change,
    mutate: (
      to: (rules: KeptRule[], defaults: Rule[]) => Rule[],
      options?: Options & Pick<Schemas['PutPermissions'], 'sandboxed' | 'network'>,
    ) => {
      const { sandboxed, network } = options ?? {};
      const put = (rules: Rule[]) => ({
        rules,
        ...(sandboxed !== undefined && { sandboxed }),
        ...(network !== undefined && { network }),
      });
      return mutate(({ rules, defaults }) => put(to(rules, defaults)), options);
    },
  };
}
