export type { FaultCode } from './faults.js';
export { NodeFault } from './faults.js';
export type { ServerLimits, ServerOptions } from './options.js';
export { DEFAULT_SERVER_LIMITS } from './options.js';
export type {
  ClientConnection,
  ClientHandlers,
  Clock,
  Logger,
  PeerHandlers,
  PeerTransport,
  Ports,
  StateMachine,
  Storage,
  Timers,
} from './ports.js';
export { createServer, Server } from './server.js';
