import type { APIGatewayProxyEvent } from 'aws-lambda';
import { NotFound, ServiceError } from '../errors.ts';
import { pathTable } from './path-table.ts';
import type { Route } from './route.ts';

/**
 * Matches the end of a resource that covers further paths of its function: everything below it (`{proxy+}`),
 * or fixed paths next to a parameter.
 */
const OPEN_END = /\{(?<name>\w+)(?<greedy>\+?)\}$/;

/**
 * Gives an event of such a resource the resource and the parameters that its path would have as a separate resource.
 */
export function placeEvents<Ports>(routes: Route<Ports>[]) {
  const match = pathTable([...new Set(routes.map(({ path }) => path))]);
  return (event: APIGatewayProxyEvent): APIGatewayProxyEvent => {
    const { name, greedy } = OPEN_END.exec(event.resource)?.groups ?? {};
    if (name === undefined) return event;
    const { [name]: end = '', ...outer } = event.pathParameters ?? {};
    // Written as %2F, so it's an ID, although a wrong one.
    if (greedy === '' && end.includes('/')) return event;
    // Parameters above it stay `{datasetId}` here, which matches like any ID; `outer` has their values.
    const found = match(event.resource.replace(OPEN_END, () => end));
    if (found === undefined) return event;
    return { ...event, resource: found.path, pathParameters: { ...found.parameters, ...outer } };
  };
}

/**
 * Returns the route for an event. API Gateway has already matched the path (`event.resource`). Each resource
 * is deployed with the method ANY, so this function returns 405 with `allow` for a wrong method, as the
 * contract requires. HEAD is a GET without a body, which monitors and download programs send.
 */
export function findRoute<Ports>(routes: Route<Ports>[], event: APIGatewayProxyEvent): Route<Ports> {
  const candidates = routes.filter((route) => route.path === event.resource);
  if (candidates.length === 0) throw new NotFound('route_not_found', 'This route does not exist.');
  const method = event.httpMethod === 'HEAD' ? 'GET' : event.httpMethod;
  const route = candidates.find((candidate) => candidate.method === method);
  if (route === undefined) throw wrongMethod(candidates.map((candidate) => candidate.method));
  return route;
}

function wrongMethod(allowed: string[]): ServiceError {
  const allow = allowed.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])).join(', ');
  const text = `This route accepts only ${allowed.join(', ')}.`;
  return new ServiceError('method_not_allowed', text, { headers: { allow } });
}
