import { useNavigate } from '@tanstack/react-router';
import type { UsageSearch } from './span.ts';

/** Changes part of the URL: all of it is one `search`. */
export function useChangeSearch() {
  const navigate = useNavigate({ from: '/settings/usage' });
  return (changed: UsageSearch) => void navigate({ search: (before) => ({ ...before, ...changed }) });
}
