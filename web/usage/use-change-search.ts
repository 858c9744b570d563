import { useNavigate } from '@tanstack/react-router';
import type { UsageSearch } from './span.ts';

/** Changes a part of the address: all of it is one `search`. */
export function useChangeSearch() {
  const navigate = useNavigate({ from: '/settings/usage' });
  return (changed: UsageSearch) => void navigate({ search: (before) => ({ ...before, ...changed }) });
}
