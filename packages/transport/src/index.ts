export type { ClientDial, ClientDialHandlers, ClientDialOptions } from './client-dial.js';
export { dialClient } from './client-dial.js';
export type { BoundAddress, ListenError, Listener, ListenerOptions } from './listener.js';
export { createListener } from './listener.js';
export type { PeerNetwork, PeerNetworkOptions } from './peer-network.js';
export { createPeerNetwork } from './peer-network.js';
export type {
  ClientConnection,
  ClientHandlers,
  Clock,
  Logger,
  PeerHandlers,
  Timers,
} from './ports.js';
export type { TransportSettings } from './settings.js';
export { DEFAULT_TRANSPORT_SETTINGS } from './settings.js';
