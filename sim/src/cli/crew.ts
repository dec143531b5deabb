import { Worker } from 'node:worker_threads';

/** What a worker is sent, and what it sends back. */
export interface CrewJob<Job> {
  readonly index: number;
  readonly job: Job;
}

export interface CrewResult<Result> {
  readonly index: number;
  readonly result: Result;
}

export interface CrewOptions<Job, Result> {
  /** A module whose thread answers each `CrewJob` with one `CrewResult`. */
  readonly worker: URL;
  readonly workerData?: unknown;
  readonly cores: number;
  /** The job of each index from 0 on; undefined ends the run. */
  readonly jobAt: (index: number) => Job | undefined;
  /** Called in order of the index, whatever the scheduling. False: nothing after it counts. */
  readonly onResult: (result: Result, index: number) => boolean;
  /** The thread died over a job, or did not answer within the limit. */
  readonly onLost: (job: Job, loss: Loss) => Result;
  readonly limitMs: number;
}

export interface Loss {
  readonly type: 'died' | 'silent';
  readonly reason: string;
}

interface Member<Job> {
  readonly thread: Worker;
  current: CrewJob<Job> | undefined;
  watchdog: NodeJS.Timeout | undefined;
}

/**
 * Spreads jobs over threads, one a core, and hands results on in the order of the jobs: what a run
 * reports is a function of its jobs, not of which thread was faster.
 */
export function runCrew<Job, Result>(options: CrewOptions<Job, Result>): Promise<void> {
  return new Crew(options).run();
}

/** Most of what a run makes dies young: with room for it the collector hardly moves anything. */
const ROOM = { maxYoungGenerationSizeMb: 64 };

class Crew<Job, Result> {
  readonly #options: CrewOptions<Job, Result>;
  readonly #members = new Set<Member<Job>>();
  /** Results that came before those of earlier jobs. */
  readonly #early = new Map<number, Result>();
  #nextJob = 0;
  #nextResult = 0;
  #isOver = false;
  #settle: { resolve: () => void; reject: (error: unknown) => void } | undefined;

  constructor(options: CrewOptions<Job, Result>) {
    this.#options = options;
  }

  run(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#settle = { resolve, reject };
      for (let core = 0; core < this.#options.cores; core += 1) this.#recruit();
    });
  }

  #recruit(): void {
    const { worker, workerData } = this.#options;
    const thread = new Worker(worker, { workerData, resourceLimits: ROOM });
    const member: Member<Job> = { thread, current: undefined, watchdog: undefined };
    this.#members.add(member);
    thread.on('message', ({ index, result }: CrewResult<Result>) => {
      if (member.current?.index !== index) return;
      this.#accept(index, result);
      this.#assign(member);
    });
    thread.on('error', (error: unknown) => {
      const reason = error instanceof Error ? (error.stack ?? error.message) : String(error);
      this.#lose(member, { type: 'died', reason });
    });
    thread.on('exit', (code) => {
      this.#lose(member, { type: 'died', reason: `the thread ended with code ${code}` });
    });
    this.#assign(member);
  }

  #assign(member: Member<Job>): void {
    clearTimeout(member.watchdog);
    member.current = this.#takeJob();
    if (member.current === undefined) {
      this.#dismiss(member);
      return;
    }
    const { limitMs } = this.#options;
    member.watchdog = setTimeout(() => {
      this.#lose(member, { type: 'silent', reason: `no answer within ${limitMs} ms` });
    }, limitMs);
    member.thread.postMessage(member.current);
  }

  #takeJob(): CrewJob<Job> | undefined {
    if (this.#isOver) return undefined;
    const index = this.#nextJob;
    const job = this.#options.jobAt(index);
    if (job === undefined) return undefined;
    this.#nextJob += 1;
    return { index, job };
  }

  /** A thread that failed once is not trusted with another job: a new one takes its place. */
  #lose(member: Member<Job>, loss: Loss): void {
    if (!this.#members.has(member)) return;
    const { current } = member;
    const isOver = this.#isOver;
    this.#members.delete(member);
    clearTimeout(member.watchdog);
    void member.thread.terminate();
    if (current !== undefined) {
      this.#accept(current.index, this.#options.onLost(current.job, loss));
    }
    if (!isOver && !this.#isOver) this.#recruit();
    this.#finishWhenIdle();
  }

  #dismiss(member: Member<Job>): void {
    this.#members.delete(member);
    void member.thread.terminate();
    this.#finishWhenIdle();
  }

  #accept(index: number, result: Result): void {
    this.#early.set(index, result);
    try {
      for (;;) {
        const next = this.#early.get(this.#nextResult);
        if (next === undefined || this.#isOver) return;
        this.#early.delete(this.#nextResult);
        const goesOn = this.#options.onResult(next, this.#nextResult);
        this.#nextResult += 1;
        if (!goesOn) this.#stop();
      }
    } catch (error) {
      this.#settle?.reject(error);
      this.#stop();
    }
  }

  /** Later jobs under way are of no interest any more. */
  #stop(): void {
    this.#isOver = true;
    for (const member of [...this.#members]) {
      clearTimeout(member.watchdog);
      this.#dismiss(member);
    }
  }

  #finishWhenIdle(): void {
    if (this.#members.size === 0) this.#settle?.resolve();
  }
}
