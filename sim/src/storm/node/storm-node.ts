import type { Coordinator } from '@raftd/coordinator';
import type { NodeId } from '@raftd/raft';
import { NodeFault, type PeerHandlers } from '@raftd/server';
import type { NodeProbe } from '../../world/cluster-probe.js';
import type { CoreView } from '../../world/core-view.js';
import { LogMirror } from '../../world/log-mirror.js';
import { ProcessClock } from '../../world/process-clock.js';
import { SimProcess } from '../../world/process.js';
import { RandomStream } from '../../world/random.js';
import type { Landed } from '../command.js';
import { StormDisk } from '../disk/storm-disk.js';
import type { NodeListener } from '../listeners.js';
import { type LifeHost, NodeLife } from './node-life.js';
import type { NodeSurroundings } from './node-surroundings.js';
import { CLOCK_RATE_BOUND } from '../../world/clock-rate-bound.js';

/** Largest offset between two machines' monotonic clocks: they count from their own boots. */
const BOOT_OFFSET_MS = 100_000;
/** How far two machines' wall clocks are apart at first. */
const WALL_OFFSET_MS = 500;

/** Why a node is down for good. */
type Doom = 'none' | 'damaged' | 'foreign';

/** One machine of the cluster: its disk and clock outlive the processes that run on it. */
export class StormNode implements NodeProbe, LifeHost {
  readonly id: NodeId;
  readonly position: number;
  readonly process: SimProcess;
  readonly disk: StormDisk;
  readonly log: LogMirror = new LogMirror();
  /** Its clocks run fast or slow. */
  readonly isSkewed: boolean;
  readonly #around: NodeSurroundings;
  readonly #draws: RandomStream;
  #life: NodeLife | undefined;
  #wasPoweredOff = false;
  #isWiped = false;
  #doom: Doom = 'none';
  #frozenAtMs = 0;

  constructor(id: NodeId, position: number, around: NodeSurroundings) {
    const { seed, agenda, profile, driverFaults } = around;
    this.id = id;
    this.position = position;
    this.#around = around;
    this.#draws = new RandomStream(seed, `machine/${id}`);
    const skew = profile.nodeSkews[position] ?? 0;
    this.isSkewed = skew !== 0;
    const clock = new ProcessClock(agenda.clock, {
      // The core is told the same bound: at skew 1 the clock is off by all of it.
      rate: 1 + CLOCK_RATE_BOUND * skew,
      bootOffsetMs: this.#bootOffsetMs(),
      wallOffsetMs: this.#draws.between(-WALL_OFFSET_MS, WALL_OFFSET_MS),
    });
    this.process = new SimProcess(id, agenda, clock);
    this.disk = new StormDisk({
      name: id,
      agenda,
      draws: new RandomStream(seed, `disk/${id}`),
      writeMs: profile.writeMs,
      faults: driverFaults,
      onFault: around.onFault,
    });
  }

  // ---- what others may know ----

  get peerHandlers(): PeerHandlers | undefined {
    return this.#life?.peerHandlers;
  }

  get view(): CoreView | undefined {
    return this.#life?.view;
  }

  get listener(): NodeListener | undefined {
    return this.#life;
  }

  get machine(): Coordinator | undefined {
    return this.#life?.observed.machine;
  }

  get elapsedMs(): number {
    return this.process.clock.elapsedMs;
  }

  get isUp(): boolean {
    return this.process.isUp;
  }

  /** It refused to start, or was refused, and nothing can change that. */
  get isDoomed(): boolean {
    return this.#doom !== 'none';
  }

  leaseHeld(): boolean {
    return this.#life?.leaseHeld() ?? false;
  }

  // ---- what is done to it; each tells whether it did anything ----

  start(): boolean {
    if (this.isUp || this.isDoomed) return false;
    if (this.disk.isFull) {
      // LevelDB makes files when it opens.
      const message = 'ENOSPC: the data directory cannot be opened';
      this.#around.onFault('disk-full');
      this.#around.observe({ type: 'node-ended', node: this.id, code: 'DISK_FULL', message });
      return false;
    }
    const { isDamaged, hasTornTail } = this.disk;
    const recovered = this.disk.open();
    if (recovered.type === 'refused') {
      this.#doom = 'damaged';
      this.#around.observe({ type: 'node-refused', node: this.id, code: recovered.code });
      if (!isDamaged) this.#around.onDefect(`${this.id} refused: ${recovered.fact}`);
      return false;
    }
    if (isDamaged) this.#around.onDamageTaken(`${this.id} started on a damaged disk`);
    if (hasTornTail) this.#around.observe({ type: 'tail-cut', node: this.id });
    if (this.#wasPoweredOff) this.process.clock.reboot(this.#bootOffsetMs());
    this.#wasPoweredOff = false;
    if (this.process.life > 0) this.#around.observe({ type: 'restarted', node: this.id });
    this.process.start(() => {
      this.#life = new NodeLife(this, recovered.content, this.#around);
      this.#life.start();
    });
    return true;
  }

  /** Power cut. */
  crash(landed: Landed): boolean {
    if (!this.isUp) return false;
    this.#wasPoweredOff = true;
    this.#end(landed);
    return true;
  }

  freeze(): boolean {
    if (!this.isUp || this.process.isFrozen) return false;
    this.#frozenAtMs = this.#around.agenda.nowMs;
    this.process.freeze();
    this.#around.observe({ type: 'frozen', node: this.id });
    return true;
  }

  thaw(options: { readonly timersFirst: boolean }): boolean {
    if (!this.process.isFrozen) return false;
    const frozenMs = this.#around.agenda.nowMs - this.#frozenAtMs;
    this.#around.observe({ type: 'thawed', node: this.id, frozenMs });
    this.process.thaw(options);
    return true;
  }

  corrupt(fraction: number): boolean {
    this.crash('nothing');
    return !this.isDoomed && this.disk.corrupt(fraction);
  }

  wipe(): void {
    this.crash('nothing');
    this.disk.wipe();
    this.#isWiped = true;
  }

  /** Called from within the server, which does nothing more afterwards. */
  onFatal(error: Error): void {
    const code = error instanceof NodeFault ? error.code : 'INTERNAL';
    this.#around.observe({ type: 'node-ended', node: this.id, code, message: error.message });
    if (code === 'WRONG_IDENTITY') {
      this.#doom = 'foreign';
      const isExplained = this.#isWiped || this.#around.nodeOptions !== undefined;
      if (!isExplained) this.#around.onDefect(`${this.id} ended: ${error.message}`);
    } else if (code !== 'STORAGE_FAILED') {
      this.#around.onDefect(`${this.id} ended with ${code}: ${error.message}`);
    }
    this.#end('nothing');
  }

  #end(landed: Landed): void {
    const life = this.#life;
    this.#life = undefined;
    this.process.kill();
    const loss = this.disk.cut(landed);
    if (loss.landed?.type === 'log') {
      const { write } = loss.landed;
      this.#around.observe({ type: 'write-done', node: this.id, write });
    }
    this.#around.observe({
      type: 'crashed',
      node: this.id,
      lostWrites: loss.lostWrites,
      landedWrites: loss.landed === undefined ? 0 : 1,
    });
    life?.end();
  }

  #bootOffsetMs(): number {
    return Math.floor(this.#draws.between(0, BOOT_OFFSET_MS));
  }
}
