import type { Command } from 'commander';

import { tokenArgument } from './kv-arguments.js';
import { type GlobalOptions, withSession } from './session.js';

export function addFenceCommand(program: Command, globals: () => GlobalOptions): void {
  program
    .command('fence')
    .description('maxima of tokens for resources that cannot keep their own')
    .command('advance <RESOURCE> <ELECTION> <TOKEN>')
    .description('raise the token of RESOURCE; exit code 4 unless TOKEN is the current grant')
    .action((resource: string, election: string, token: string) => {
      return advance(resource, election, tokenArgument(token), globals());
    });
}

function advance(
  resource: string,
  election: string,
  token: bigint,
  globals: GlobalOptions,
): Promise<void> {
  return withSession(globals, async ({ client, output }) => {
    await client.fenceAdvance(resource, election, token);
    const json = { resource, election, token: token.toString() };
    output.value(json, `${resource} refuses tokens below ${token}`);
  });
}
