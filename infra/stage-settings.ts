/**
 * A plugin of the Serverless Framework. It names each API deployment anew, so no file can say what the stage of one is like:
 * how many calls each route takes (custom.throttles in serverless.yml), and what has to wait for the stage.
 */
interface Throttle {
  rate: number;
  burst: number;
}

export interface Throttles {
  /** Of the whole stage. */
  all: Throttle;
  /** By path, whatever the method. */
  routes: Record<string, Throttle>;
}

interface Resource {
  Type: string;
  DependsOn?: string | string[];
  Properties?: Record<string, unknown>;
}

interface Template {
  Resources: Record<string, Resource>;
}

/** API Gateway knows settings of one method or of all of all routes, also where a route takes ANY. */
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'];

export function settleStage({ Resources }: Template, throttles: Throttles): void {
  for (const [id, { Type, Properties }] of Object.entries(Resources)) {
    if (Type !== 'AWS::ApiGateway::Deployment' || Properties === undefined) continue;
    Properties.StageDescription = { MethodSettings: methodSettings(throttles) };
    waitFor(Resources.WebAclAssociation, id);
  }
}

function waitFor(resource: Resource | undefined, id: string): void {
  if (resource !== undefined) resource.DependsOn = [...[resource.DependsOn ?? []].flat(), id];
}

/** In a path `~1` stands for a slash, but for the first. */
function methodSettings({ all, routes }: Throttles) {
  const single = Object.entries(routes).flatMap(([path, throttle]) =>
    METHODS.map((method) => setting(`/${path.replaceAll('/', '~1')}`, method, throttle)),
  );
  return [setting('/*', '*', all), ...single];
}

/** Numbers from the environment come as text. */
function setting(ResourcePath: string, HttpMethod: string, { rate, burst }: Throttle) {
  const limits = { ThrottlingRateLimit: Number(rate), ThrottlingBurstLimit: Number(burst) };
  return { ResourcePath, HttpMethod, ...limits };
}

interface Framework {
  service: { custom: { throttles: Throttles }; provider: { compiledCloudFormationTemplate: Template } };
}

// biome-ignore lint/style/noDefaultExport: the Framework loads it so, and only classes
export default class StageSettings {
  readonly hooks: Record<string, () => void>;
  constructor({ service }: Framework) {
    this.hooks = {
      'after:aws:package:finalize:mergeCustomProviderResources': () =>
        settleStage(service.provider.compiledCloudFormationTemplate, service.custom.throttles),
    };
  }
}
