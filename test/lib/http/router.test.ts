import { describe, expect, it } from '@jest/globals';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import type { Route } from '../../../lib/http/route.ts';
import { findRoute, placeEvents } from '../../../lib/http/router.ts';

const routes = [
  { method: 'GET', path: '/api/sets/{setId}' },
  { method: 'POST', path: '/api/sets/{setId}/pause' },
  { method: 'GET', path: '/api/sets/{setId}/parts/{partId}' },
  { method: 'GET', path: '/api/sets/list' },
] as Route<unknown>[];
const place = placeEvents(routes);

function eventOf(resource: string, pathParameters: Record<string, string> | null): APIGatewayProxyEvent {
  return { resource, pathParameters, httpMethod: 'GET' } as APIGatewayProxyEvent;
}

describe('event of a greedy resource', () => {
  const below = (proxy: string, setId = '1') =>
    place(eventOf('/api/sets/{setId}/{proxy+}', { setId, proxy }));

  it('becomes an event of its route, with all its parameters', () => {
    expect(below('pause')).toMatchObject({
      resource: '/api/sets/{setId}/pause',
      pathParameters: { setId: '1' },
    });
    const { resource, pathParameters } = below('parts/2');
    expect(resource).toBe('/api/sets/{setId}/parts/{partId}');
    expect(pathParameters).toEqual({ setId: '1', partId: '2' });
  });

  it("doesn't treat any part of an ID as a pattern", () => {
    expect(below('pause', '$&/{setId}').pathParameters).toEqual({ setId: '$&/{setId}' });
    expect(below('parts/$&').pathParameters).toEqual({ setId: '1', partId: '$&' });
  });

  it.each(['nothing', 'pause/', 'parts', 'parts/2/3', '../list', ''])(
    'is rejected if no route matches: %p',
    (proxy) => {
      expect(() => findRoute(routes, below(proxy))).toThrow('This route does not exist.');
    },
  );

  it('is rejected with the allowed methods if its method is wrong', () => {
    expect(() => findRoute(routes, below('pause'))).toThrow('This route accepts only POST.');
  });
});

describe('event of a resource that ends with a parameter', () => {
  const of = (setId: string) => place(eventOf('/api/sets/{setId}', { setId }));

  it('becomes an event of the fixed path next to it', () => {
    expect(of('list')).toMatchObject({ resource: '/api/sets/list', pathParameters: {} });
  });

  it.each(['7', '$&', '{setId}', '1/pause', '1/parts/2', '', '..'])('keeps an ID: %p', (setId) => {
    expect(of(setId)).toMatchObject({ resource: '/api/sets/{setId}', pathParameters: { setId } });
  });
});

describe('event of any other resource', () => {
  it('is unchanged', () => {
    const event = eventOf('/api/sets/list', null);
    expect(place(event)).toBe(event);
  });
});
