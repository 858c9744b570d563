import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query';
import { ANSWER_LOST, ApiError } from './api-error.ts';

interface Options<Result> {
  /**
   * Keys of queries to refetch before the change is over, including all queries whose keys start with these.
   */
  rereads?: QueryKey[];
  /** For data that may have changed in the meantime: refetches it even if the API refuses the change. */
  evenIfRefused?: boolean;
  /** Returns where the response is cached: the query's key, and the part of the response to store. */
  stores?: (result: Result) => [key: QueryKey, value: unknown];
  /** True if neither the request nor the response may be stored for longer than the view exists. */
  holdsSecret?: boolean;
}

/** Returns whether the result of a slow request was lost or is late, so that the change may have happened. */
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
      if (mayHaveHappened(error)) void readAgain(); // shows the person whether the change happened
      return undefined;
    },
    ...(holdsSecret && { gcTime: 0 }),
  });
}
