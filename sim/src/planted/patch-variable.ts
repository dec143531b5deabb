/** Environment variable that names the file with the modules to plant (a `Patch` as JSON). */
export const PATCH_VARIABLE = 'RAFTD_PLANTED_PATCH';
