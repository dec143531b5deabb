import { readFileSync } from 'node:fs';
import { register } from 'node:module';
import { PATCH_VARIABLE } from './patch-variable.js';
import type { Patch } from './patch.js';

// Preloaded with `--import`: from here on the planted modules are loaded in place of the real ones.
const file = process.env[PATCH_VARIABLE];
if (file === undefined) throw new Error(`${PATCH_VARIABLE} names no file`);
const data = JSON.parse(readFileSync(file, 'utf8')) as Patch;
register('./hooks.js', { parentURL: import.meta.url, data });
