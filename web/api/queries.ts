import { QueryClient } from '@tanstack/react-query';
import { ApiError } from './client.ts';

const RETRIES = 4;

/** The query client. Retries transient failures (no connection, 429, 5xx) with backoff; refusals are final. */
export const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      retry: (count, error) => count < RETRIES && isPassing(error),
      retryDelay: (count, error) =>
        (error instanceof ApiError ? error.retryAfterMs : undefined) ?? Math.min(10_000, 500 * 2 ** count),
      networkMode: 'always', // the service may be on this host
    },
    mutations: { networkMode: 'always' },
  },
});

function isPassing(error: Error): boolean {
  return (
    error instanceof ApiError &&
    (error.status === 0 || error.status === 429 || error.status >= 500) &&
    error.status !== 503
  );
}
