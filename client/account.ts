export type { DeletedAccount } from './api.ts'
