import type { APIGatewayProxyEvent } from 'aws-lambda';
import { NotFound, ServiceError } from '../errors.ts';
import type { Route } from './route.ts';

/**
 * The route for an event. API Gateway has matched the path already (`event.resource`); each resource is deployed with
 * the method ANY, so that a wrong method is answered here, with 405 and `allow`, as the contract wants.
 */
export function findRoute<Ports>(routes: Route<Ports>[], event: APIGatewayProxyEvent): Route<Ports> {
  const candidates = routes.filter((route) => route.path === event.resource);
  if (candidates.length === 0) throw new NotFound('no such route');
  const route = candidates.find((candidate) => candidate.method === event.httpMethod);
  if (route === undefined) throw wrongMethod(candidates.map((candidate) => candidate.method));
  return route;
}

function wrongMethod(allowed: string[]): ServiceError {
  const allow = allowed.join(', ');
  return new ServiceError(405, `this route takes ${allow}`, { headers: { allow } });
}
