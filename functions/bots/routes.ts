import { feishuRoutes } from './feishu-routes.ts';
import { wecomRoutes } from './wecom-routes.ts';

export const botRoutes = [...feishuRoutes, ...wecomRoutes];
