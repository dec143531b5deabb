import type { CampaignOptions } from '../../src/campaign.js';
import type { Client } from '../../src/client.js';
import type { Leadership } from '../../src/leadership.js';
import { valueOf, watchOutcome } from './outcome.js';
import type { World } from './world.js';

export const TTL = 10_000;

/** Campaigns where nobody leads, and wins. */
export async function lead(
  world: World,
  client: Client,
  options: Partial<CampaignOptions> = {},
): Promise<Leadership> {
  const campaigning = client.election('e').campaign({ candidate: 'a', ttlMs: TTL, ...options });
  const outcome = watchOutcome(campaigning);
  await world.advance(10);
  return valueOf(outcome);
}
