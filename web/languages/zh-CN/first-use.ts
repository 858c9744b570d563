import models from './models.json';
import start from './start.json';

export const FIRST_USE = {
  models,
  start,
};
