export type { ExitCodes } from './exit-codes.js';
export { EXIT } from './exit-codes.js';
