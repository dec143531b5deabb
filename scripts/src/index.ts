export type { ClusterOptions } from './cluster/local-cluster.js';
export { LocalCluster, startCluster } from './cluster/local-cluster.js';
export type { Exit, NodeOptions } from './cluster/node-process.js';
export { NodeExited, NodeProcess } from './cluster/node-process.js';
export { allocatePorts } from './cluster/ports.js';
