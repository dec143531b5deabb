const NAME = 'raftd.planted.loaded';

/** Ends every planted module: it says that it was loaded, for a bug that is not proves nothing. */
export function loadedMark(): string {
  return `\n(globalThis[Symbol.for('${NAME}')] ??= new Set()).add(import.meta.url);\n`;
}

/** The planted modules that this process has loaded, by URL. */
export function loadedModules(): ReadonlySet<string> {
  const global = globalThis as unknown as Readonly<Record<symbol, unknown>>;
  const loaded = global[Symbol.for(NAME)];
  return loaded instanceof Set ? (loaded as ReadonlySet<string>) : new Set();
}
