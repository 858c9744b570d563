import type { Config } from '../../lib/config.ts';
import { ask, type Finding, note, ok, wrong } from './finding.ts';
import { hubAddresses } from './upstreams.ts';

/** OIDC tokens tolerate 30 s of clock skew, AWS signatures and bot events a few minutes. */
const MAX_OFF_SECONDS = 60;

interface Measured {
  host: string;
  /** How far this host's clock is ahead; negative if it's behind. */
  seconds: number;
}

/** Compares this host's clock with the `Date` header of the configured services. */
export async function checkClock(config: Config): Promise<Finding> {
  const measured = await Promise.all(
    datedAddresses(config).map((url) => measure(url).catch(() => undefined)),
  );
  const typical = middleOf(measured.filter((one) => one !== undefined));
  if (typical === undefined) return note('not compared, because no service with a clock answered');
  const { host, seconds } = typical;
  const off = Math.abs(seconds);
  if (off <= MAX_OFF_SECONDS) return ok(`agrees with ${host}`);
  return wrong(
    `${off} s ${seconds > 0 ? 'ahead of' : 'behind'} ${host}, so tokens and signatures fail. Synchronize the clock (NTP).`,
  );
}

/**
 * Returns the URLs to ask. A server on this host has the same clock, so it's only asked if nothing else is configured.
 */
function datedAddresses(config: Config): string[] {
  const { auth, providers, bots } = config;
  const set = [auth.issuer, ...Object.values(bots).map(({ baseUrl }) => baseUrl)];
  const urls = [...set, ...Object.values(providers).map(({ baseUrl }) => baseUrl), ...hubAddresses(config)];
  const origins = [...new Set(urls.flatMap((url) => (url === undefined ? [] : [new URL(url).origin])))];
  const remote = origins.filter((origin) => !/^https?:\/\/(127\.|localhost\b|\[::1\])/.test(origin));
  return remote.length > 0 ? remote : origins;
}

/** A cache sends the origin's `Date`, with the `Age` of its copy. */
async function measure(url: string): Promise<Measured | undefined> {
  const { headers } = await ask(url, { method: 'HEAD', headers: { 'cache-control': 'no-cache' } });
  const sent = Date.parse(headers.get('date') ?? '') + Number(headers.get('age') ?? 0) * 1000;
  if (Number.isNaN(sent)) return undefined;
  return { host: new URL(url).host, seconds: Math.round((Date.now() - sent) / 1000) };
}

/** Returns the median, because one server with a wrong clock among several says nothing about this host. */
function middleOf(measured: Measured[]): Measured | undefined {
  const sorted = measured.toSorted((one, other) => Math.abs(one.seconds) - Math.abs(other.seconds));
  return sorted[Math.floor((sorted.length - 1) / 2)];
}
