import type { StormProfile } from './profile.js';

/** Some clock leaves the bound that leases rest on: then tokens alone must do. */
export function hasWildClocks({ nodeSkews, clientSkews }: StormProfile): boolean {
  return [...nodeSkews, ...clientSkews].some((skew) => Math.abs(skew) > 1);
}
