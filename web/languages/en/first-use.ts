import models from './models.json';
import start from './start.json';

/**
 * Strings of the first page without a workspace: it's the first load of a new service, and doesn't fetch the others.
 */
export const FIRST_USE = {
  models,
  start,
};
