interface TypesOfTrust {
  createPolicy(
    name: string,
    rules: { createScriptURL(address: string): string },
  ): { createScriptURL(address: string): string };
}

const trusted = new Map<string, string>();

/**
 * Starts a worker from a file of the build. Each worker has a Trusted Types policy with its name, created
 * once, which returns the worker's URL for any input. The page's headers (infra/local/page-headers.ts) list
 * these names.
 */
export function startWorker(policy: string, address: string): Worker {
  const { trustedTypes } = globalThis as { trustedTypes?: TypesOfTrust };
  const known = trusted.get(policy);
  const url =
    known ??
    trustedTypes?.createPolicy(policy, { createScriptURL: () => address }).createScriptURL('') ??
    address;
  trusted.set(policy, url);
  return new Worker(url, { type: 'module' });
}
