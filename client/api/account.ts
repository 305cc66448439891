export type { DeletedAccount } from './types.ts'
