import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query';
import { ANSWER_LOST, ApiError } from './api-error.ts';

interface Options<Result> {
  /** Queries that are read again before the change is over: those whose keys begin with these. */
  rereads?: QueryKey[];
  /** For what may have changed in the meantime: it is also read again if the API refuses. */
  evenIfRefused?: boolean;
  /** Where the response is put into the cache: its key, and what is kept of it. */
  stores?: (result: Result) => [key: QueryKey, value: unknown];
  /** Nothing of the request and the response is kept longer than the view. */
  holdsSecret?: boolean;
}

/** The result of a slow request was lost, or did not come in time. */
function mayHaveHappened(error: Error): boolean {
  return error instanceof ApiError && (error.code === ANSWER_LOST || error.status === 504);
}

/** Changes something by the API. */
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
      if (mayHaveHappened(error)) void readAgain(); // the person sees whether it did
      return undefined;
    },
    ...(holdsSecret && { gcTime: 0 }),
  });
}
