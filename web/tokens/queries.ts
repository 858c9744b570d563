import { useInfiniteQuery } from '@tanstack/react-query';
import type { Schemas } from '../../lib/api-contract/schema.ts';
import { api, take } from '../api/client.ts';
import { BY_CURSOR, itemsOf, takePage } from '../api/page.ts';
import { useChange } from '../api/use-change.ts';

export type Token = Schemas['Token'];

/** Returns the tokens, newest first, including revoked ones. */
export function useTokens() {
  return useInfiniteQuery({
    queryKey: ['tokens'],
    queryFn: ({ pageParam }) =>
      takePage(
        (cursor) => api.GET('/api/tokens', { params: { query: { limit: 100, ...(cursor && { cursor }) } } }),
        pageParam,
      ),
    ...BY_CURSOR,
    select: itemsOf,
  });
}

export interface NewToken {
  name: string;
  role: Token['role'];
  workspaceIds: string[] | null;
  expiresAt: string | null;
}

/**
 * Creates a token. The response has its secret, which isn't cached; it belongs to the mutation, and disappears with the
 * dialog.
 */
export function useCreateToken() {
  return useChange({ rereads: [['tokens'], ['people']], holdsSecret: true }, (body: NewToken) =>
    take(api.POST('/api/tokens', { body })),
  );
}

/**
 * Changes the given fields of a token. Fetches the tokens again even after a refusal, because another
 * administrator may have changed them. Also fetches the caller, because the token may be the caller's own.
 */
export function useUpdateToken() {
  const rereads = [['tokens'], ['people'], ['me']];
  return useChange(
    { rereads, evenIfRefused: true },
    ({ tokenId, ...body }: Partial<NewToken> & { tokenId: string }) =>
      take(api.PATCH('/api/tokens/{tokenId}', { params: { path: { tokenId } }, body })),
  );
}

interface Rotation {
  tokenId: string;
  overlapHours: number;
  /** Unchanged if missing. */
  expiresAt?: string | null;
}

/** The response has the secret, as for a new token. */
export function useRotateToken() {
  return useChange({ rereads: [['tokens']], holdsSecret: true }, ({ tokenId, ...body }: Rotation) =>
    take(api.POST('/api/tokens/{tokenId}/rotate', { params: { path: { tokenId } }, body })),
  );
}

export function useRevokeToken() {
  return useChange({ rereads: [['tokens'], ['people']] }, (tokenId: string) =>
    take(api.DELETE('/api/tokens/{tokenId}', { params: { path: { tokenId } } })),
  );
}
