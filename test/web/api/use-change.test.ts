import { describe, expect, it } from '@jest/globals';
import { QueryClient, QueryClientProvider, type QueryKey } from '@tanstack/react-query';
import { createElement } from 'react';
import { renderToString } from 'react-dom/server';
import { ANSWER_LOST, ApiError } from '../../../web/api/api-error.ts';
import { useChange } from '../../../web/api/use-change.ts';

type Options = Parameters<typeof useChange<string, { id: string }>>[0];

/** Returns the change as a view gets it, with the keys that are refetched. */
function changeOf(options: Options, send: (id: string) => Promise<{ id: string }>) {
  const forever = { gcTime: Number.POSITIVE_INFINITY }; // a timer would keep the test's process alive
  const queries = new QueryClient({ defaultOptions: { queries: forever, mutations: forever } });
  const reread: (QueryKey | undefined)[] = [];
  queries.invalidateQueries = async (filters) => {
    reread.push(filters?.queryKey);
  };
  let change: ReturnType<typeof useChange<string, { id: string }>> | undefined;
  const View = () => {
    change = useChange(options, send);
    return null;
  };
  renderToString(createElement(QueryClientProvider, { client: queries }, createElement(View)));
  if (change === undefined) throw new Error('the view was not drawn');
  return { queries, reread, change };
}

const save = async (id: string) => ({ id });
const refuse = async () => {
  throw new Error('refused');
};

describe('API change', () => {
  it('stores its response, and refetches dependent data', async () => {
    const { queries, reread, change } = changeOf(
      { rereads: [['owls'], ['nests', 'w']], stores: (owl) => [['owl', owl.id], owl] },
      save,
    );
    await expect(change.mutateAsync('o')).resolves.toEqual({ id: 'o' });
    expect(reread).toEqual([['owls'], ['nests', 'w']]);
    expect(queries.getQueryData(['owl', 'o'])).toEqual({ id: 'o' });
  });

  it('stores and refetches nothing if the API rejects it', async () => {
    const { queries, reread, change } = changeOf(
      { rereads: [['owls']], stores: (owl) => [['owl', owl.id], owl] },
      refuse,
    );
    await expect(change.mutateAsync('o')).rejects.toThrow('refused');
    expect(reread).toEqual([]);
    expect(queries.getQueryCache().getAll()).toEqual([]);
  });

  it('refetches data that may have changed in the meantime, whatever the API returns', async () => {
    for (const send of [save, refuse]) {
      const { reread, change } = changeOf({ rereads: [['run', 'r']], evenIfRefused: true }, send);
      await change.mutateAsync('o').catch(() => {});
      expect(reread).toEqual([['run', 'r']]);
    }
  });

  it.each([
    ['was lost', new ApiError(0, '', { code: ANSWER_LOST })],
    ["didn't arrive in time", new ApiError(504, 'Too slow.', { code: 'request_timeout' })],
  ])('refetches data that may have changed if the result %s', async (_, error) => {
    const { reread, change } = changeOf({ rereads: [['workspaces']] }, () => Promise.reject(error));
    await expect(change.mutateAsync('o')).rejects.toBe(error);
    expect(reread).toEqual([['workspaces']]);
  });

  it('ends when everything has been refetched', async () => {
    const { queries, change } = changeOf({ rereads: [['owls']] }, save);
    let isRead = false;
    queries.invalidateQueries = async () => {
      await new Promise((done) => setTimeout(done, 20));
      isRead = true;
    };
    await change.mutateAsync('o');
    expect(isRead).toBe(true);
  });

  it('keeps a secret only as long as its view', async () => {
    const { queries, change } = changeOf({ holdsSecret: true }, save);
    await change.mutateAsync('o');
    expect(queries.getMutationCache().getAll()[0]?.gcTime).toBe(0);
  });
});
