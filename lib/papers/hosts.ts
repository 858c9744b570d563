import { InvalidInput } from '../errors.ts';
import type { TimedRecords } from '../ports/timed-records.ts';
import { wasFound } from './found-addresses.ts';

/**
 * Hosts of open-access papers, each with its subdomains. Hosts on which anyone can publish a page and see who
 * requests it are excluded. Hugging Face isn't needed, because its papers are read on arXiv.
 */
const HOSTS =
  'arxiv.org semanticscholar.org openalex.org doi.org europepmc.org ncbi.nlm.nih.gov biorxiv.org medrxiv.org chemrxiv.org hal.science eprint.iacr.org aclanthology.org openreview.net jmlr.org proceedings.mlr.press papers.nips.cc neurips.cc openaccess.thecvf.com ecva.net ojs.aaai.org ijcai.org isca-archive.org usenix.org dl.acm.org ieeexplore.ieee.org drops.dagstuhl.de plos.org elifesciences.org frontiersin.org mdpi.com biomedcentral.com springeropen.com link.springer.com nature.com science.org pnas.org cell.com sciencedirect.com academic.oup.com cambridge.org onlinelibrary.wiley.com journals.aps.org iopscience.iop.org pubs.acs.org pubs.rsc.org royalsocietypublishing.org'.split(
    ' ',
  );

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

/** Returns whether a host, or the one that it is a subdomain of, has papers. */
export function isPaperHost(hostname: string, others: string[] = []): boolean {
  return [...HOSTS, ...others].some((host) => hostname === host || hostname.endsWith(`.${host}`));
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
