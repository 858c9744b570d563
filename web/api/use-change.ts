import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query';

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
    ...(evenIfRefused && { onError: readAgain }),
    ...(holdsSecret && { gcTime: 0 }),
  });
}
