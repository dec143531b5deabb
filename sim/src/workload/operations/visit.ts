import { oddKeyName } from '../names.js';
import type { Worker } from '../worker.js';

/** A client that comes, writes, and closes as one should: its session ends with it. */
export async function visit(worker: Worker): Promise<void> {
  const { diary } = worker;
  const connected = await diary.other('connect', () => worker.connect());
  if (!connected.ok) return;
  const visitor = connected.value;
  await diary.other('visit', async (operation) => {
    await visitor.put(oddKeyName(0), String(operation), { timeoutMs: 2_000 });
  });
  await visitor.close();
}
