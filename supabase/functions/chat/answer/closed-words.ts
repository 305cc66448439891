import type { Said } from '../../../../shared/engine/core/asked.ts'

/** What a closed card says, by how it was closed. */
const codes = {
  replaced: 'asked_again',
  yielded: 'yielded',
  expired: 'expired',
  stop: 'not_carried_out',
  message: 'new_message',
  gone: 'no_longer_connected',
  skip: 'skipped',
  deny: 'denied',
  beside: 'waits_for_other',
} as const

export function closedWords(as: string): Said {
  return { code: codes[as as keyof typeof codes] ?? 'decided' }
}
