import { isPaperHost } from '../bibliography/paper-hosts.ts';
import { InvalidInput } from '../errors.ts';
import type { TimedRecords } from '../ports/timed-records.ts';
import { wasFound } from './found-addresses.ts';

export interface HostPorts extends TimedRecords {
  /** More hosts, from PAPER_HOSTS. */
  hosts: string[];
}

/**
 * Returns the rule for each URL on the way to a paper. A URL that a model made up could exfiltrate text that
 * the model has read, so it may lead only to hosts of papers. A URL that a search returned can't carry such
 * text, so it may lead anywhere.
 */
export async function visitRule(
  ports: HostPorts,
  address: string,
): Promise<((url: URL) => void) | undefined> {
  return (await wasFound(ports, address)) ? undefined : ({ hostname }) => checkHost(ports, hostname);
}

function checkHost({ hosts }: HostPorts, hostname: string): void {
  const name = hostname.replace(/\.$/, '');
  if (isPaperHost(name, hosts)) return;
  throw new InvalidInput(
    'paper_host_not_allowed',
    `url leads to ${name}, which is not a known host of papers. Use a URL that searchArticles returned, or ask an administrator to add the host to PAPER_HOSTS.`,
    { field: 'url' },
  );
}
