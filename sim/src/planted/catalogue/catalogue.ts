import type { PlantedBug } from '../bug.js';
import { ANSWER_BUGS } from './answers.js';
import { CLIENT_BUGS } from './client.js';
import { COORDINATOR_BUGS } from './coordinator.js';
import { LOOK_BUGS } from './keys-and-looks.js';
import { ONE_CHECKER_BUGS } from './one-checker.js';
import { ELECTION_BUGS } from './raft-elections.js';
import { READ_BUGS } from './raft-reads.js';
import { REPLICATION_BUGS } from './raft-replication.js';
import { RECORD_BUGS } from './records.js';
import { SERVER_BUGS } from './server.js';
import { STORAGE_BUGS } from './storage.js';

/** Every bug that is planted. M… and N… are those of the literature, P… and D… our own. */
export const CATALOGUE: readonly PlantedBug[] = [
  ...ELECTION_BUGS,
  ...REPLICATION_BUGS,
  ...READ_BUGS,
  ...STORAGE_BUGS,
  ...COORDINATOR_BUGS,
  ...LOOK_BUGS,
  ...ANSWER_BUGS,
  ...RECORD_BUGS,
  ...SERVER_BUGS,
  ...CLIENT_BUGS,
  ...ONE_CHECKER_BUGS,
];
