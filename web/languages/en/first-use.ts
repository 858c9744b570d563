import models from './models.json';
import start from './start.json';

/**
 * Strings of the first page without a workspace. It's the first page of a new service, so it doesn't fetch
 * the others.
 */
export const FIRST_USE = {
  models,
  start,
};
