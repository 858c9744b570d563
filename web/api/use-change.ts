import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query';
import { ANSWER_LOST, ApiError } from './api-error.ts';

interface Options<Result> {
  /** Queries that are fetched again before the change is over: those whose keys start with these. */
  rereads?: QueryKey[];
  /** For data that may have changed in the meantime: it's also fetched again if the API refuses. */
  evenIfRefused?: boolean;
  /** Where the response is cached: its key, and the stored part of it. */
  stores?: (result: Result) => [key: QueryKey, value: unknown];
  /** True if nothing of the request and the response may be stored longer than the view. */
  holdsSecret?: boolean;
}

/** True if the result of a slow request was lost or late. */
function mayHaveHappened(error: Error): boolean {
  return error instanceof ApiError && (error.code === ANSWER_LOST || error.status === 504);
}

/** Changes something through the API. */
export function useChange<Input, Result>(
  { rereads = [], evenIfRefused = false, stores, holdsSecret = false }: Options<Result>,
  send: (input: Input) => Promise<Result>,
) {
  const queries = useQueryClient();
  const readAgain = () => Promise.all(rereads.map((queryKey) => queries.invalidateQueries({ queryKey })));
  return useMutation({
    mutationFn: send,
    onSuccess: (result) => {
      if (stores) queries.setQueryData(...stores(result));
      return readAgain();
    },
    onError: (error: Error) => {
      if (evenIfRefused) return readAgain();
      if (mayHaveHappened(error)) void readAgain(); // shows the person whether it did
      return undefined;
    },
    ...(holdsSecret && { gcTime: 0 }),
  });
}
