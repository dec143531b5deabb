/** One row of the ledger. The token is a decimal string, as everywhere outside TypeScript. */
export interface Charge {
  readonly customer: string;
  readonly cents: number;
  readonly worker: string;
  readonly token: string;
  readonly holder: string;
}

export interface LedgerSummary {
  /** Rows. */
  readonly charges: number;
  /** Customers charged more than once. */
  readonly doubleCharges: number;
  readonly rejectedStaleWrites: number;
}

/** The ledger refused a token that is not the highest it has seen. */
export class StaleToken extends Error {}

export class LedgerClient {
  readonly #url: string;

  constructor(url: string) {
    this.#url = url;
  }

  charge(entry: Charge): Promise<void> {
    return this.#post('/charge', entry);
  }

  fence(entry: Pick<Charge, 'token' | 'holder'>): Promise<void> {
    return this.#post('/fence', entry);
  }

  async uncharged(): Promise<readonly string[]> {
    return (await (await fetch(`${this.#url}/uncharged`)).json()) as string[];
  }

  async summary(): Promise<LedgerSummary> {
    return (await (await fetch(`${this.#url}/summary`)).json()) as LedgerSummary;
  }

  async #post(path: string, body: unknown): Promise<void> {
    const response = await fetch(this.#url + path, { method: 'POST', body: JSON.stringify(body) });
    if (response.status === 412) {
      const { message } = (await response.json()) as { message: string };
      throw new StaleToken(message);
    }
    if (!response.ok) throw new Error(`the ledger answered ${response.status}`);
  }
}
