/**
 * Every so many turns the real event loop gets one: rejections that nobody handled are told there,
 * and so is an interrupt. A turn of it costs as much as several events of a storm.
 */
const LOOP_EVERY = 512;

/**
 * Makes what lets the promises of one run come to rest: each call resolves once every promise that
 * can settle now has. Node runs the queue of ticks only when that of promises is empty. The client
 * library is promise-based, all else is plain callbacks.
 */
export function createDrain(): () => Promise<void> {
  let turns = 0;
  return () => {
    turns += 1;
    return turns % LOOP_EVERY === 0 ? loopTurn() : new Promise(inTick);
  };
}

/** A turn of the event loop: what was rejected and never handled is told before it is over. */
export function loopTurn(): Promise<void> {
  return new Promise(inLoop);
}

function inTick(resolve: () => void): void {
  process.nextTick(resolve);
}

function inLoop(resolve: () => void): void {
  setImmediate(resolve);
}
