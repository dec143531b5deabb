/**
 * Resolves once every promise that can settle now has: the only turn of a real event loop that a
 * storm takes. The client library is promise-based, all else is plain callbacks.
 */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
