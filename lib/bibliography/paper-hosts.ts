/**
 * Hosts of open-access papers, each with its subdomains. Hosts on which anyone can publish a page and see who
 * requests it are excluded. Hugging Face isn't needed, because its papers are read on arXiv.
 */
const HOSTS =
  'arxiv.org semanticscholar.org openalex.org doi.org europepmc.org ncbi.nlm.nih.gov biorxiv.org medrxiv.org chemrxiv.org hal.science eprint.iacr.org aclanthology.org openreview.net jmlr.org proceedings.mlr.press papers.nips.cc neurips.cc openaccess.thecvf.com ecva.net ojs.aaai.org ijcai.org isca-archive.org usenix.org dl.acm.org ieeexplore.ieee.org drops.dagstuhl.de plos.org elifesciences.org frontiersin.org mdpi.com biomedcentral.com springeropen.com link.springer.com nature.com science.org pnas.org cell.com sciencedirect.com academic.oup.com cambridge.org onlinelibrary.wiley.com journals.aps.org iopscience.iop.org pubs.acs.org pubs.rsc.org royalsocietypublishing.org'.split(
    ' ',
  );

/** Returns whether a host, or the one that it is a subdomain of, has papers. */
export function isPaperHost(hostname: string, others: string[] = []): boolean {
  return [...HOSTS, ...others].some((host) => hostname === host || hostname.endsWith(`.${host}`));
}
