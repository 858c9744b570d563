import type { Template, TemplateResource } from './template.ts';

/** The API's logical ID, given by the Framework. */
export const API = 'ApiGatewayRestApi';
/** The role in infra/gateway.yml. */
const AS_ROLE = { 'Fn::GetAtt': ['InvokeRole', 'Arn'] };
const METHOD = 'AWS::ApiGateway::Method';
const RESPONSE = 'AWS::ApiGateway::GatewayResponse';
const AUTHORIZER = 'AWS::ApiGateway::Authorizer';
/** Resource types that the document replaces. */
const DESCRIBED = ['AWS::ApiGateway::Resource', METHOD, AUTHORIZER, RESPONSE];
/** Maps a resource's properties to their names in the document; properties without a value are left out. */
const INTEGRATION = {
  Type: 'type',
  IntegrationHttpMethod: 'httpMethod',
  Uri: 'uri',
  TimeoutInMillis: 'timeoutInMillis',
  ResponseTransferMode: 'responseTransferMode',
  RequestTemplates: 'requestTemplates',
  ContentHandling: 'contentHandling',
  IntegrationResponses: 'responses',
};

// biome-ignore lint/suspicious/noExplicitAny: properties have the type of their resource; each is read once.
type Properties = any;

/**
 * Describes the API as one OpenAPI document instead of a resource per path and method, because API Gateway imports a
 * document in one call and allows few calls per second. Each import replaces the whole API, so the document must
 * contain everything. The API deployment then copies it.
 */
export function describeApi({ Resources }: Template): void {
  const api = Resources[API];
  if (api === undefined) throw new Error(`${API} is missing.`);
  const { Policy: _, ...properties } = api.Properties;
  api.Properties = {
    ...properties,
    Mode: 'overwrite',
    // Without this, an import would make it an edge-optimized API, which streams for 30 seconds at most.
    Parameters: { endpointConfigurationTypes: properties.EndpointConfiguration.Types.join() },
    Body: apiDocument(Resources, properties),
  };
  for (const [id, { Type }] of Object.entries(Resources)) if (DESCRIBED.includes(Type)) delete Resources[id];
  for (const resource of Object.values(Resources)) {
    if (resource.DependsOn === undefined) continue;
    resource.DependsOn = [resource.DependsOn].flat().filter((id) => id in Resources);
  }
}

/** Returns the API without routes, so that it has its ID before the functions that need it. */
export function emptyApi({ Resources }: Template): TemplateResource {
  const { Type = '', Properties } = Resources[API] ?? {};
  const { Body: _, Mode: __, Parameters: ___, ...properties } = Properties;
  return { Type, Properties: properties };
}

function apiDocument(resources: Template['Resources'], { Name, BinaryMediaTypes }: Properties) {
  const all = Object.values(resources);
  const propertiesOf = (type: string): Properties[] =>
    all.flatMap(({ Type, Properties }) => (Type === type ? [Properties] : []));
  const authorizers = propertiesOf(AUTHORIZER).map((own) => [own.Name, securityScheme(own)] as const);
  const responses = propertiesOf(RESPONSE).map((own) => [own.ResponseType, gatewayResponse(own)] as const);
  return {
    openapi: '3.0.1',
    info: { title: Name, version: '1' },
    'x-amazon-apigateway-binary-media-types': BinaryMediaTypes,
    'x-amazon-apigateway-gateway-responses': byName(RESPONSE, responses),
    components: { securitySchemes: byName(AUTHORIZER, authorizers) },
    paths: pathsOf(resources, propertiesOf(METHOD)),
  };
}

function pathsOf(resources: Template['Resources'], methods: Properties[]) {
  const paths: Record<string, Record<string, object>> = {};
  for (const method of methods) {
    const path = pathOf(resources, method.ResourceId);
    const verb =
      method.HttpMethod === 'ANY' ? 'x-amazon-apigateway-any-method' : method.HttpMethod.toLowerCase();
    if (paths[path]?.[verb] !== undefined)
      throw new Error(`${path}: the document has one place for ${verb}.`);
    paths[path] = { ...paths[path], [verb]: operationOf(resources, method, path) };
  }
  return paths;
}

/** Only the root has no reference, because it is an attribute of the API. */
function pathOf(resources: Template['Resources'], { Ref: id }: { Ref?: string }): string {
  if (id === undefined) return '';
  const { ParentId, PathPart } = resources[id]?.Properties ?? {};
  return `${pathOf(resources, ParentId)}/${PathPart}`;
}

function operationOf(resources: Template['Resources'], method: Properties, path: string) {
  const { AuthorizationType, AuthorizerId, Integration, MethodResponses = [] } = method;
  refuseUnknown(path, method, METHOD_PROPERTIES);
  const name = resources[AuthorizerId?.Ref]?.Properties.Name;
  if ((AuthorizationType === 'CUSTOM') !== (name !== undefined))
    throw new Error(`${path} has no authorizer that the document can name.`);
  const parameters = [...path.matchAll(/\{(\w+)\+?\}/g)].map(([, parameter]) => ({
    name: parameter,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }));
  const responses = MethodResponses.map((own: Properties) => [own.StatusCode, methodResponse(path, own)]);
  return {
    ...(name !== undefined && { security: [{ [name]: [] }] }),
    parameters,
    responses: byName(path, responses),
    'x-amazon-apigateway-integration': integrationOf(path, Integration),
  };
}

const METHOD_PROPERTIES = [
  ...['HttpMethod', 'ResourceId', 'RestApiId', 'AuthorizationType', 'AuthorizerId'],
  ...['Integration', 'MethodResponses'],
];
const RESPONSE_PROPERTIES = ['StatusCode', 'ResponseParameters', 'ResponseTemplates'];

/** Throws for a property that has no place in the document. Empty properties are ignored. */
function refuseUnknown(place: string, properties: Properties, known: string[]): void {
  for (const [name, value] of Object.entries(properties))
    if (!known.includes(name) && !['false', '{}', '[]'].includes(JSON.stringify(value)))
      throw new Error(`${place}: the document has no place for ${name}.`);
}

/** Returns the values by name. Throws for a second one with the same name, which would replace the first. */
function byName<Value>(place: string, entries: (readonly [string, Value])[]): Record<string, Value> {
  const names = entries.map(([name]) => name);
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice !== undefined) throw new Error(`${place}: the document has one place for ${twice}.`);
  return Object.fromEntries(entries);
}

function integrationOf(path: string, integration: Properties) {
  refuseUnknown(path, integration, Object.keys(INTEGRATION));
  const known = Object.entries(INTEGRATION).flatMap(([name, own]) =>
    name in integration ? [[own, integration[name]]] : [],
  );
  const { type, responses = [], ...others } = Object.fromEntries(known);
  const credentials = type === 'AWS_PROXY' ? { credentials: AS_ROLE } : {};
  const byPattern = responses.map((own: Properties) => ['default', integrationResponse(path, own)]);
  return {
    type: type.toLowerCase(),
    ...others,
    ...credentials,
    ...(responses.length > 0 && { responses: byName(path, byPattern) }),
  };
}

function integrationResponse(path: string, own: Properties) {
  refuseUnknown(path, own, RESPONSE_PROPERTIES);
  const { StatusCode, ResponseParameters, ResponseTemplates } = own;
  return {
    statusCode: StatusCode,
    responseParameters: ResponseParameters,
    responseTemplates: ResponseTemplates,
  };
}

function methodResponse(path: string, own: Properties) {
  refuseUnknown(path, own, ['StatusCode', 'ResponseParameters']);
  const names = Object.keys(own.ResponseParameters ?? {}).map((name) =>
    name.replace('method.response.header.', ''),
  );
  const headers = Object.fromEntries(names.map((name) => [name, { schema: { type: 'string' } }]));
  return { description: '', headers };
}

function gatewayResponse(own: Properties) {
  refuseUnknown(own.ResponseType, own, [...RESPONSE_PROPERTIES, 'RestApiId', 'ResponseType']);
  const { StatusCode, ResponseParameters, ResponseTemplates } = own;
  return {
    ...(StatusCode !== undefined && { statusCode: StatusCode }),
    responseParameters: ResponseParameters,
    responseTemplates: ResponseTemplates,
  };
}

const AUTHORIZER_PROPERTIES = [
  ...['Name', 'RestApiId', 'Type', 'IdentitySource'],
  ...['AuthorizerUri', 'AuthorizerResultTtlInSeconds'],
];

/** `method.request.header.Authorization`: without this header, API Gateway rejects the request itself. */
function securityScheme(own: Properties) {
  refuseUnknown(own.Name, own, AUTHORIZER_PROPERTIES);
  const { Type, IdentitySource, AuthorizerUri, AuthorizerResultTtlInSeconds } = own;
  return {
    type: 'apiKey',
    name: IdentitySource.split('.').at(-1),
    in: 'header',
    'x-amazon-apigateway-authtype': 'custom',
    'x-amazon-apigateway-authorizer': {
      type: Type.toLowerCase(),
      identitySource: IdentitySource,
      authorizerUri: AuthorizerUri,
      authorizerCredentials: AS_ROLE,
      authorizerResultTtlInSeconds: AuthorizerResultTtlInSeconds,
    },
  };
}
