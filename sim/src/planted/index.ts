export type { BugClass, Edit, Hunt, PlantedBug } from './bug.js';
export { SEED_BUDGET } from './bug.js';
export { CATALOGUE } from './catalogue/catalogue.js';
export type { HuntResult, SeedRange } from './orders.js';
export type { BugOutcome } from './outcome.js';
export { checkersOf, cpuSecondsOf, medianSeeds, othersOf } from './outcome.js';
export type { PlantedOptions, PlantedReport } from './run.js';
export { runPlanted } from './run.js';
