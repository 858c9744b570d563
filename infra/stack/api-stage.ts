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
  /** The format of a line. */
  accessLog: string;
}

/** API Gateway has settings per method or for all methods of all routes, even if a route accepts ANY. */
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'];

/**
 * Settles the properties of the API stage, and what has to wait for it. The Framework gives each API deployment a new name, so
 * no fragment can refer to it; its own way, calls after the deployment, isn't ours.
 */
export function settleStage({ Resources }: Template, { throttles, accessLog }: StageSettings): void {
  for (const [id, resource] of Object.entries(Resources)) {
    if (resource.Type !== 'AWS::ApiGateway::Deployment') continue;
    resource.Properties.StageDescription = {
      TracingEnabled: true,
      AccessLogSetting: { DestinationArn: { 'Fn::GetAtt': ['AccessLogGroup', 'Arn'] }, Format: accessLog },
      MethodSettings: methodSettings(throttles),
    };
    waitFor(resource, 'GatewayAccount'); // without its role there are no logs
    waitFor(Resources.WebAclAssociation, id);
  }
}

function waitFor(resource: TemplateResource | undefined, id: string): void {
  if (resource !== undefined) resource.DependsOn = [...[resource.DependsOn ?? []].flat(), id];
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
