import { isIP } from 'node:net';
import * as z from 'zod';
import { isPathHere, NO_PATH_HERE, pastedBaseUrl, pastedKey } from '../api-contract/pasted.ts';

/** An HTTP URL. Without a scheme, `localhost:8080` would also be a valid URL, with the scheme `localhost`. */
export function httpUrl(example = 'https://example.org') {
  return z.url({ protocol: /^https?$/, error: `must be an http or https URL such as ${example}` });
}

/** The base URL of an API, as people paste it. */
export function baseUrl() {
  return z
    .string()
    .overwrite(pastedBaseUrl)
    .check(
      z.url({ protocol: /^https?$/, error: 'must be an http or https URL such as https://example.org' }),
    );
}

/** The URL of a proxy. Without a scheme, as in the common `proxy.example:3128`, it means http. */
export function proxyUrl() {
  const error = 'must be an http or https URL such as http://proxy.example:3128';
  return z
    .string()
    .overwrite((text) => (/^[\w.-]+:\d+\/?$/.test(text) ? `http://${text}` : text))
    .check(z.url({ protocol: /^https?$/, error }));
}

export function key() {
  return z.string().overwrite(pastedKey);
}

/** A path. Only a shell expands `~`; in a file of variables, it would be a folder of that name. */
export function path() {
  return z.string().refine(isPathHere, NO_PATH_HERE);
}

/** An origin as browsers send it: a page's scheme, host, and port. A trailing slash is removed. */
export function origin() {
  const error = 'must be origins such as https://app.example.org, without a path; * is not one';
  return z
    .string()
    .refine((text) => /^https?:\/\/[^/?#]+\/?$/i.test(text) && URL.canParse(text), error)
    .transform((url) => new URL(url).origin);
}

/** An integer of digits only, because Number() also reads `0x50` and `1e3`. */
export function wholeNumber(min: number, max: number) {
  const error = `must be a whole number from ${min} to ${max}`;
  return z
    .string()
    .regex(/^\d+$/, error)
    .transform(Number)
    .pipe(z.number(error).min(min, error).max(max, error));
}

export function share() {
  const error = 'must be a number from 0 to 1';
  return z.coerce.number(error).min(0, error).max(1, error);
}

/** One of a few words. The error message lists them. */
export function choice<const Values extends readonly [string, ...string[]]>(values: Values) {
  return z.enum(values, {
    error: `must be ${new Intl.ListFormat('en', { type: 'disjunction' }).format(values)}`,
  });
}

/** Returns whether a name is in the IANA list of time zones. */
export function isTimezone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

export function commaList() {
  return z.string().transform(commaSeparated);
}

export function commaSeparated(text: string): string[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

/** IP addresses and networks. Refuses a network of all addresses, because it would trust everyone. */
export function networkList() {
  const error = 'must be IP addresses or networks such as 10.0.0.0/8';
  return commaList().pipe(z.array(z.string().refine(isNetwork, error)));
}

function isNetwork(text: string): boolean {
  const [address = '', prefix, ...rest] = text.split('/');
  const longest = { 0: 0, 4: 32, 6: 128 }[isIP(address)] ?? 0;
  if (prefix === undefined) return longest > 0;
  return rest.length === 0 && /^[1-9]\d{0,2}$/.test(prefix) && Number(prefix) <= longest;
}

export function hostList() {
  const error = 'must be host names such as papers.example.org, without a scheme or path';
  const host = z.string().regex(/^[\w-]+(\.[\w-]+)+$/, error);
  return commaList().pipe(z.array(host.toLowerCase()));
}

/** Hosts with optional ports, as they appear in URLs. */
export function placeList() {
  const error = 'must be hosts such as nas.example.org or 10.0.0.5:8080, without a scheme or path';
  const place = z.string().regex(/^(?:[\w.-]+|\[[0-9a-f:]+\])(?::\d{1,5})?$/i, error);
  return commaList().pipe(z.array(place.toLowerCase()));
}
