import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError } from './client.ts';

/** A list that the API replaces as a whole, with the version that this page read. */
export interface Versioned<Data> {
  data: Data;
  etag: string | undefined;
}

/** Someone else changed the list first. Nothing was saved, and the current state was fetched. */
export class ChangedMeanwhile extends Error {}

export async function takeVersioned<Data>(
  call: Promise<{ data?: Data; response: Response }>,
): Promise<Versioned<Data>> {
  const { data, response } = await call;
  return { data: data as Data, etag: response.headers.get('etag') ?? undefined };
}

interface Replaced<Data, Sent> {
  query: { queryKey: string[]; queryFn: () => Promise<Versioned<Data>> };
  put: (body: Sent, headers: { 'if-match'?: string }) => Promise<Versioned<Data>>;
  /** True for a dialog, which keeps its initial data while the list is refetched. */
  asOpened?: boolean;
  onChanged?: () => Promise<void>;
}

/**
 * Changes such a list in the state that the person saw, one change after another. Fails with
 * ChangedMeanwhile.
 */
export function useReplace<Data, Sent>({ query, put, asOpened = false, onChanged }: Replaced<Data, Sent>) {
  const queries = useQueryClient();
  const cached = () => queries.getQueryData<Versioned<Data>>(query.queryKey);
  const [opened, setOpened] = useState(() => (asOpened ? cached() : undefined));
  const readNow = () => queries.fetchQuery({ ...query, staleTime: 0 });
  const mutation = useMutation({
    scope: { id: JSON.stringify(query.queryKey) },
    mutationFn: async (change: (data: Data) => Sent) => {
      const { data, etag } = opened ?? cached() ?? (await readNow());
      return put(change(data), etag === undefined ? {} : { 'if-match': etag }).catch(async (error: Error) => {
        if (!(error instanceof ApiError) || error.status !== 409) throw error;
        const now = await readNow();
        if (asOpened) setOpened(now);
        throw new ChangedMeanwhile();
      });
    },
    onSuccess: async (now) => {
      queries.setQueryData(query.queryKey, now);
      await onChanged?.();
    },
  });
  return { ...mutation, opened: opened?.data };
}
