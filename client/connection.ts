export type { Connection, ConnectionChange, Provider, RemovedConnection } from './api.ts'
