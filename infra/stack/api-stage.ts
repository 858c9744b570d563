import { pathTable } from '../../lib/http/path-table.ts';
import { API } from './api-body.ts';
import type { Template, TemplateResource } from './template.ts';

/** Limits of calls per second and of concurrent calls. Numbers in a stage's file are strings. */
interface Throttle {
  rate: number | string;
  burst: number | string;
}

/** The API stage settings of serverless.yml, under `custom`. */
export interface StageSettings {
  throttles: {
    /** The limits for every method of every route. */
    all: Throttle;
    /** Other limits for single routes, by path. */
    routes: Record<string, Throttle>;
  };
}

/** A route of the service, as its function group declares it. */
export interface DeclaredRoute {
  method: string;
  path: string;
}

/** The stage in infra/gateway.yml. */
const API_STAGE = 'ApiStage';

/**
 * Gives the stage this package's API deployment and the throttles. No fragment can refer to the API
 * deployment, because the Framework gives each one a new name. The deployment itself creates no stage.
 * Expects the API as a document (api-body.ts).
 */
export function settleStage(
  { Resources }: Template,
  { throttles }: StageSettings,
  routes: DeclaredRoute[],
): void {
  const stage = Resources[API_STAGE];
  const [id, deployment] = findApiDeployment(Resources) ?? [];
  if (stage === undefined || id === undefined || deployment === undefined)
    throw new Error(`${API_STAGE} or the API deployment is missing.`);
  const { StageName: _, ...properties } = deployment.Properties;
  deployment.Properties = properties;
  const served = pathTable(Object.keys(Resources[API]?.Properties.Body.paths));
  const declared = routes.map(({ method, path }) => ({ method, path: served(path)?.path }));
  stage.Properties = {
    ...stage.Properties,
    DeploymentId: { Ref: id },
    MethodSettings: methodSettings(throttles, declared),
  };
}

function findApiDeployment(resources: Template['Resources']): [id: string, TemplateResource] | undefined {
  return Object.entries(resources).find(([, { Type }]) => Type === 'AWS::ApiGateway::Deployment');
}

/**
 * API Gateway has settings per method, even if a route accepts ANY, and refuses many of them in one update. So only the
 * methods that a route declares get settings, with HEAD, which runs as GET; the router answers the others with 405. `~1`
 * is a slash in a path, except for the first slash.
 */
function methodSettings(
  { all, routes }: StageSettings['throttles'],
  declared: { method: string; path: string | undefined }[],
) {
  const single = Object.entries(routes).flatMap(([path, throttle]) => {
    const methods = new Set(declared.filter((route) => route.path === path).map(({ method }) => method));
    if (methods.size === 0) throw new Error(`No route is declared for the throttle of ${path}.`);
    if (methods.has('GET')) methods.add('HEAD');
    return [...methods].map((method) => setting(`/${path.replaceAll('/', '~1')}`, method, throttle));
  });
  return [setting('/*', '*', all), ...single];
}

function setting(ResourcePath: string, HttpMethod: string, { rate, burst }: Throttle) {
  const limits = { ThrottlingRateLimit: Number(rate), ThrottlingBurstLimit: Number(burst) };
  return { ResourcePath, HttpMethod, ...limits };
}
