import { imaRoutes } from './ima-routes.ts';

export const botRoutes = [...imaRoutes];
