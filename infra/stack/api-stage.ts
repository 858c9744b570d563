import type { Template, TemplateResource } from './template.ts';

/** Calls per second, and concurrent ones. Numbers of a stage's file are texts. */
interface Throttle {
  rate: number | string;
  burst: number | string;
}

/** The API stage settings of serverless.yml, under `custom`. */
export interface StageSettings {
  throttles: {
    /** Limits of the whole stage. */
    all: Throttle;
    /** Limits by path, for all methods. */
    routes: Record<string, Throttle>;
  };
}

/** The stage in infra/gateway.yml. */
const API_STAGE = 'ApiStage';

/** API Gateway has settings per method or for all methods of all routes, even if a route accepts ANY. */
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'];

/**
 * Gives the stage the API deployment of this packaging, and the throttles. The Framework gives each API deployment a new name, so
 * no fragment can refer to it. The deployment itself makes no stage, and waits for everything that API Gateway copies into it.
 */
export function settleStage({ Resources }: Template, { throttles }: StageSettings): void {
  const stage = Resources[API_STAGE];
  const [id, deployment] = findApiDeployment(Resources) ?? [];
  if (stage === undefined || id === undefined || deployment === undefined)
    throw new Error(`${API_STAGE} or the API deployment is missing.`);
  const { StageName: _, ...properties } = deployment.Properties;
  const responses = Object.entries(Resources).filter(
    ([, { Type }]) => Type === 'AWS::ApiGateway::GatewayResponse',
  );
  deployment.Properties = properties;
  deployment.DependsOn = [deployment.DependsOn ?? [], responses.map(([response]) => response)].flat(2);
  Object.assign(stage.Properties, { DeploymentId: { Ref: id }, MethodSettings: methodSettings(throttles) });
}

function findApiDeployment(resources: Template['Resources']): [id: string, TemplateResource] | undefined {
  return Object.entries(resources).find(([, { Type }]) => Type === 'AWS::ApiGateway::Deployment');
}

/** `~1` is a slash in a path, except for the first. */
function methodSettings({ all, routes }: StageSettings['throttles']) {
  const single = Object.entries(routes).flatMap(([path, throttle]) =>
    METHODS.map((method) => setting(`/${path.replaceAll('/', '~1')}`, method, throttle)),
  );
  return [setting('/*', '*', all), ...single];
}

function setting(ResourcePath: string, HttpMethod: string, { rate, burst }: Throttle) {
  const limits = { ThrottlingRateLimit: Number(rate), ThrottlingBurstLimit: Number(burst) };
  return { ResourcePath, HttpMethod, ...limits };
}
