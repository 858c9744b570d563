import type { Template, TemplateResource } from './template.ts';

/** Calls a second, and how many at once. Numbers of a stage's file come as text. */
interface Throttle {
  rate: number | string;
  burst: number | string;
}

/** What serverless.yml says of the API's stage, under `custom`. */
export interface StageSettings {
  throttles: {
    /** Limits of the whole stage. */
    all: Throttle;
    /** Limits by path, whatever the method. */
    routes: Record<string, Throttle>;
  };
  /** The form of a line. */
  accessLog: string;
}

/** API Gateway knows settings of one method or of all of all routes, also where a route takes ANY. */
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'];

/**
 * What the stage of the API is like, and what has to wait for it. The Framework names each deployment of the API anew, so no
 * fragment can say it; its own way, calls after the deployment, is not ours.
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

/** `~1` stands for a slash in a path, except for the first. */
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
