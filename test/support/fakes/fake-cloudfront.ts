import {
  createServer,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  request,
  type ServerResponse,
} from 'node:http';
import { pipeline } from 'node:stream';
import { createContext, runInContext } from 'node:vm';
import type { TemplateResource } from '../../../infra/stack/template.ts';
import { serveUntilDone } from '../processes/serve-until-done.ts';

interface Behavior {
  PathPattern?: string;
  TargetOriginId: string;
  AllowedMethods: string[];
  ResponseHeadersPolicyId?: unknown;
  FunctionAssociations?: unknown[];
}

interface Origin {
  Id: string;
  OriginPath?: string;
  CustomOriginConfig?: { OriginReadTimeout: number };
}

/** AWS's names for headers with their own policy settings. */
const SECURITY: Record<string, (own: Record<string, string>) => [string, string]> = {
  ContentSecurityPolicy: (own) => ['content-security-policy', substituted(own.ContentSecurityPolicy)],
  ReferrerPolicy: (own) => ['referrer-policy', own.ReferrerPolicy ?? ''],
  FrameOptions: (own) => ['x-frame-options', own.FrameOption ?? ''],
  ContentTypeOptions: () => ['x-content-type-options', 'nosniff'],
  StrictTransportSecurity: (own) => ['strict-transport-security', `max-age=${own.AccessControlMaxAgeSec}`],
};

/** A value that CloudFormation inserts into a text. */
const NAMES: Record<string, string> = {
  Bucket: 'bucket',
  'AWS::Region': 'here',
  'AWS::URLSuffix': 'amazonaws.com',
};

function substituted(value: unknown): string {
  const { 'Fn::Sub': text } = value as { 'Fn::Sub': string };
  return text.replace(/\$\{([\w:]+)\}/g, (_, name: string) => NAMES[name] ?? '');
}

/** Returns the headers that a policy adds to every response of its behavior. */
export function headersOfPolicy({ Properties }: TemplateResource): Record<string, string> {
  const { SecurityHeadersConfig, CustomHeadersConfig } = Properties.ResponseHeadersPolicyConfig;
  const security = Object.entries<Record<string, string>>(SecurityHeadersConfig).map(([name, own]) => {
    const told = SECURITY[name];
    if (told === undefined) throw new Error(`CloudFront has no ${name}`);
    return told(own);
  });
  const custom = CustomHeadersConfig.Items.map(({ Header, Value }: { Header: string; Value: string }) => [
    Header,
    Value,
  ]);
  return Object.fromEntries([...security, ...custom]);
}

/** Returns the URL that a CloudFront Function changes a URL to. */
export function addressBy({ Properties }: TemplateResource, uri: string): string {
  const context = createContext({ event: { request: { uri, method: 'GET', querystring: {}, headers: {} } } });
  return runInContext(`${Properties.FunctionCode}\nhandler(event).uri`, context, { timeout: 10_000 });
}

/**
 * CloudFront as far as a distribution's template describes it: behaviors by path, methods, the function, the headers, origins,
 * for which `origins` has the URLs of paths; bytes pass through as they arrive. An origin that is silent for longer than
 * `OriginReadTimeout` gets no more time: https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/http-504-gateway-timeout.html.
 * A second lasts `secondMs`. It caches and compresses nothing, and signs nothing for the bucket.
 */
export async function startCloudfront(
  resources: Record<string, TemplateResource>,
  origins: Record<string, (path: string) => string>,
  { secondMs = 1000 } = {},
): Promise<string> {
  const { ConsoleDistribution, ConsoleHeaders, ConsoleAddresses } = resources;
  if (!ConsoleDistribution || !ConsoleHeaders || !ConsoleAddresses)
    throw new Error('the console is not there');
  const config = ConsoleDistribution.Properties.DistributionConfig;
  const behaviors: Behavior[] = [...config.CacheBehaviors, config.DefaultCacheBehavior];
  const server = createServer((incoming, response) => {
    const [path = '', query] = (incoming.url ?? '/').split('?');
    const behavior = behaviors.find(({ PathPattern }) => matches(PathPattern, path)) as Behavior;
    if (!behavior.AllowedMethods.includes(incoming.method ?? '')) return response.writeHead(403).end();
    const uri = behavior.FunctionAssociations ? addressBy(ConsoleAddresses, path) : path;
    const origin: Origin = config.Origins.find(({ Id }: Origin) => Id === behavior.TargetOriginId);
    const url = origins[origin.Id]?.(`${origin.OriginPath ?? ''}${uri}${query ? `?${query}` : ''}`) ?? '';
    const added = behavior.ResponseHeadersPolicyId ? headersOfPolicy(ConsoleHeaders) : {};
    pass(incoming, response, url, { added, silenceMs: secondsOfSilence(origin) * secondMs });
  });
  return serveUntilDone(server);
}

function secondsOfSilence({ CustomOriginConfig }: Origin): number {
  return CustomOriginConfig?.OriginReadTimeout ?? 30;
}

function matches(pattern: string | undefined, path: string): boolean {
  return pattern === undefined || (pattern.endsWith('*') && path.startsWith(pattern.slice(0, -1)));
}

/** Forwards all headers of the viewer except `host`, and every byte at once. */
function pass(
  incoming: IncomingMessage,
  response: ServerResponse,
  url: string,
  { added, silenceMs }: { added: OutgoingHttpHeaders; silenceMs: number },
): void {
  const { host: _, ...headers } = incoming.headers;
  const outgoing = request(url, { method: incoming.method, headers }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, { ...answer.headers, ...added });
    response.flushHeaders();
    pipeline(answer, response, () => {}); // a broken origin breaks the response
  });
  outgoing.setTimeout(silenceMs, () => outgoing.destroy(new Error('silent')));
  outgoing.on('error', () => {
    if (response.headersSent) response.destroy();
    else
      response
        .writeHead(504, { 'content-type': 'text/html', server: 'CloudFront' })
        .end('<H1>504 ERROR</H1>');
  });
  incoming.pipe(outgoing);
}
