import { useNavigate } from '@tanstack/react-router';
import type { UsageSearch } from './span.ts';

/** Returns a function that changes part of the URL parameters. */
export function useChangeSearch() {
  const navigate = useNavigate({ from: '/settings/usage' });
  return (changed: UsageSearch) => void navigate({ search: (before) => ({ ...before, ...changed }) });
}
