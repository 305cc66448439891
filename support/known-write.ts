import type { Write } from '../shared/engine/core/write.ts'

/** A write as a ledger tells of it: one that was carried out, unless said otherwise. */
export function knownWrite(facts: Partial<Write> = {}): Write {
  return {
    id: 'write-1',
    toolCallId: 'call-1',
    toolName: 'send_email',
    arguments: {},
    intent: 1,
    repetition: 0,
    status: 'succeeded',
    at: '2026-11-21T10:00:00.000Z',
    idempotencyKey: 'key',
    result: null,
    durationMs: null,
    isSecond: false,
    ...facts,
  }
}
