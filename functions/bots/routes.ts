import { imaRoutes } from './ima-routes.ts';
import { imbRoutes } from './imb-routes.ts';

export const botRoutes = [...imaRoutes, ...imbRoutes];
