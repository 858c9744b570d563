import models from './models.json';
import start from './start.json';

/** Strings of the first page while there is no workspace: it is the first load of a new service, and doesn't fetch the others. */
export const FIRST_USE = {
  models,
  start,
};
