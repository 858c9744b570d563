import { packagedFunctions, readStack } from '../lanes/packaged-service.ts';

export interface TemplateRoute {
  /** `/api/files/uploads/{uploadId}`. */
  resource: string;
  method: string;
  /** The function's name in serverless.yml. */
  function: string;
  authorized: boolean;
  streaming: boolean;
  timeoutMs: number;
}

interface GatewayResponse {
  statusCode?: string;
  responseParameters: Record<string, unknown>;
  responseTemplates: Record<string, string>;
}

interface Integration {
  type: string;
  uri?: { 'Fn::Join': [string, (string | { 'Fn::GetAtt': [string, string] })[]] };
  credentials?: unknown;
  responseTransferMode?: string;
  timeoutInMillis?: number;
  responses?: { default: { responseParameters: Record<string, string> } };
}

interface Operation {
  security?: Record<string, unknown>[];
  'x-amazon-apigateway-integration': Integration;
}

/** The API as API Gateway imports it (infra/stack/api-body.ts). */
interface ApiDocument {
  components: { securitySchemes: Record<string, object> };
  paths: Record<string, Record<string, Operation>>;
  'x-amazon-apigateway-gateway-responses': Record<string, GatewayResponse>;
}

/** API Gateway's own limit, if the document names none. */
const TIMEOUT_MS = 29_000;
const METHODS: Record<string, string> = { 'x-amazon-apigateway-any-method': 'ANY', options: 'OPTIONS' };

export function apiDocument(): ApiDocument {
  return readStack('functions').Resources.ApiGatewayRestApi?.Properties.Body;
}

/** Returns undefined for the API without routes, with which a stack starts. */
export function integrationsOf(document: ApiDocument | undefined): Integration[] {
  const operations = Object.values(document?.paths ?? {}).flatMap((path) => Object.values(path));
  return operations.map((operation) => operation['x-amazon-apigateway-integration']);
}

/** Returns the routes that API Gateway passes to functions. */
export function templateRoutes(): TemplateRoute[] {
  return allOperations()
    .filter(({ integration }) => integration.type === 'aws_proxy')
    .map(({ resource, method, operation, integration }) => ({
      resource,
      method,
      function: functionOf(integration),
      authorized: operation.security !== undefined,
      streaming: isStreaming(integration),
      timeoutMs: integration.timeoutInMillis ?? TIMEOUT_MS,
    }));
}

/** Returns the requests that API Gateway answers itself: the paths of preflights, with their headers. */
export function preflights(): Map<string, Record<string, string>> {
  const mocks = allOperations().filter(({ integration }) => integration.type === 'mock');
  return new Map(
    mocks.map(({ resource, integration }) => [
      resource,
      integration.responses?.default.responseParameters ?? {},
    ]),
  );
}

function allOperations() {
  return Object.entries(apiDocument().paths).flatMap(([resource, operations]) =>
    Object.entries(operations).map(([verb, operation]) => {
      const method = METHODS[verb];
      if (method === undefined) throw new Error(`${resource}: no route declares ${verb}`);
      return { resource, method, operation, integration: operation['x-amazon-apigateway-integration'] };
    }),
  );
}

function functionOf({ uri }: Integration): string {
  const reference = uri?.['Fn::Join'][1].flatMap((part) =>
    typeof part === 'object' && 'Fn::GetAtt' in part ? part['Fn::GetAtt'][0] : [],
  );
  const found = packagedFunctions().find(({ logicalId }) => logicalId === reference?.[0]);
  if (found === undefined) throw new Error(`no function for ${JSON.stringify(uri)}`);
  return found.name;
}

/** Both must agree, or API Gateway calls a streaming handler in the wrong way. */
function isStreaming({ responseTransferMode, uri }: Integration): boolean {
  const streams = responseTransferMode === 'STREAM';
  if (uri?.['Fn::Join'][1].at(-1) !== (streams ? '/response-streaming-invocations' : '/invocations'))
    throw new Error(`the transfer mode contradicts the address: ${JSON.stringify(uri)}`);
  return streams;
}
