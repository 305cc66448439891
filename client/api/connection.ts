export type { Connection, ConnectionChange, Provider, RemovedConnection } from './types.ts'
