import { canonicalJson } from '../../core/canonical-json.ts'
import type { ToolResult } from '../../core/tool-error.ts'
import type { LiveWrite, Write } from '../../core/write.ts'
import type { TypedMessage } from '../../transcript/typed-messages.ts'
import type { Claim, EarlierWrite, Invocation, InvocationStatus, Ledger } from './ledger.ts'
import { isSameWrite, otherWordsMs, samenessMs } from './sameness.ts'

/** A row of the in-memory ledger. */
export interface LedgerRow {
  invocation: Invocation
  status: InvocationStatus
  result?: ToolResult
}

export interface MemoryLedger extends Ledger {
  /** Every invocation so far, in order. */
  readonly rows: readonly LedgerRow[]
}

/** A write that was claimed elsewhere: before this process, or in another ledger. */
export interface KnownWrite extends LedgerRow {
  /** Milliseconds since 1970. */
  claimedAt: number
}

interface ClaimedRow extends KnownWrite {
  idempotencyKey: string
  /** Nobody knows what became of an equal one before it. */
  isSecond?: boolean
}

/**
 * A ledger that lives as long as the process. One instance may serve many runs; claims are unique within a run,
 * including its resumes. Use a stored one if a crash must not double an effect. `isNamed: false`: the client does
 * not say which runs belong to one chat. `known`: writes that it would otherwise do again.
 *
 * @example
 * const ledger = createMemoryLedger()
 * const write = { id: '1', runId: 'r', toolCallId: 'c', toolName: 'send', effect: 'write', attempt: 1, intent: 1, arguments: { to: 'ada@example.com' }, repairs: [], repetition: 0 }
 * const first = await ledger.claim(write)
 * first.claimed // => true
 * const second = await ledger.claim({ ...write, id: '2' })
 * second.status // => 'running'
 */
export function createMemoryLedger(
  now: () => number = Date.now,
  { isNamed = true, known = [] }: { isNamed?: boolean; known?: readonly KnownWrite[] } = {},
): MemoryLedger {
  const rows: LedgerRow[] = []
  const claims = new Map<string, ClaimedRow[]>()
  for (const write of known) add({ ...write, idempotencyKey: crypto.randomUUID() })

  return {
    rows,
    async claim(invocation): Promise<Claim> {
      const repetitions = claims.get(writeKey(invocation)) ?? []
      const own = repetitions[invocation.repetition]
      // A call that is made again, because it may have been carried out, and meanwhile turned out to have been.
      const carriedOut = Object.values(repetitions).find(
        ({ status, invocation: { toolCallId } }) =>
          status === 'succeeded' && toolCallId === invocation.toolCallId,
      )
      const earlier = own && own.status !== 'failed' && own.status !== 'cancelled' ? own : carriedOut
      if (earlier) {
        const write = writeOf(earlier) as LiveWrite
        return { claimed: false, status: write.status, write, latest: repetitions.length - 1 }
      }
      const same = findSame(invocation)
      if (same) return { claimed: false, status: 'same', earlier: same }
      const { isSecond, key } = triedBefore(invocation)
      const idempotencyKey = key ?? own?.idempotencyKey ?? crypto.randomUUID()
      add({
        invocation,
        status: 'running',
        idempotencyKey,
        claimedAt: now(),
        ...(isSecond ? { isSecond } : {}),
      })
      return { claimed: true, idempotencyKey, ...(isSecond ? { isSecond } : {}) }
    },
    async settle(invocation, { status, result }) {
      const row = claims.get(writeKey(invocation))?.[invocation.repetition]
      if (!row || (row.status !== 'running' && row.status !== 'unknown')) return
      row.status = status
      row.result = result
    },
    findSame: async (invocation) => findSame(invocation),
    async outcomes(runId, toolCallIds) {
      return toolCallIds.flatMap((toolCallId) => {
        const row = [...claims.values()]
          .flat()
          .filter(({ invocation }) => invocation.runId === runId && invocation.toolCallId === toolCallId)
          .sort((a, b) => a.claimedAt - b.claimedAt || a.invocation.repetition - b.invocation.repetition)
          .at(-1)
        return row ? [writeOf(row)] : []
      })
    },
    record(invocation, { status, result }) {
      rows.push({ invocation, status, result })
    },
  }

  function add(row: ClaimedRow): void {
    const { invocation } = row
    const repetitions = claims.get(writeKey(invocation)) ?? []
    rows.push(row)
    repetitions[invocation.repetition] = row
    claims.set(writeKey(invocation), repetitions)
  }

  function findSame(invocation: Invocation): EarlierWrite | undefined {
    const earlier = rows.filter((row): row is ClaimedRow => isEarlierWrite(row, invocation))
    const same = earlier.findLast((row) => isSame(row, invocation))
    return same ? describe(same, invocation) : findInOtherWords(earlier, invocation)
  }

  /** Everything in one process is one conversation. */
  function isSame({ invocation: earlier, status, claimedAt }: ClaimedRow, invocation: Invocation): boolean {
    const { meaning, itemAskedAt, repetition } = invocation
    if (!meaning) return false
    return isSameWrite(
      {
        ...(earlier.meaning ?? meaning),
        arguments: argumentsOf(earlier),
        status: status as LiveWrite['status'],
        repetition: earlier.repetition,
        ageMs: now() - claimedAt,
        isOfTurn: earlier.runId === invocation.runId,
        isAfterItem: itemAskedAt !== undefined && claimedAt > Date.parse(itemAskedAt),
      },
      { ...meaning, arguments: argumentsOf(invocation), repetition, isNamed },
    )
  }

  /** The database's rule `askback_private.provider_key`: the key that a second try keeps. */
  function triedBefore(invocation: Invocation): { isSecond: boolean; key?: string } {
    if (invocation.repetition === 0 && invocation.coveredUntil === undefined) return { isSecond: false }
    const equal = rows.filter(
      (row): row is ClaimedRow =>
        'claimedAt' in row &&
        row.status in reportedStatuses &&
        row.invocation.toolName === invocation.toolName &&
        canonicalJson(row.invocation.arguments) === canonicalJson(invocation.arguments),
    )
    const before = equal.at(-1)
    if (before?.status !== 'unknown' || now() - before.claimedAt >= samenessMs) return { isSecond: false }
    const isUsedTwice = equal.some((row) => row !== before && row.idempotencyKey === before.idempotencyKey)
    return { isSecond: true, key: isUsedTwice ? undefined : before.idempotencyKey }
  }

  /** The database's rule `askback_private.write_in_other_words`. */
  function findInOtherWords(earlier: readonly ClaimedRow[], write: Invocation): EarlierWrite | undefined {
    const { people = [], answers = '', repeats = false } = write.meaning ?? {}
    const writes = earlier.filter(
      ({ invocation, claimedAt }) =>
        invocation.runId !== write.runId &&
        now() - claimedAt < otherWordsMs &&
        peopleOf(invocation).some((person) => people.includes(person)),
    )
    const newest = writes.at(-1)
    if (!newest || repeats) return undefined
    if (write.newSince !== undefined && newest.claimedAt <= Date.parse(write.newSince)) return undefined
    if (!people.every((person) => writes.some(({ invocation }) => peopleOf(invocation).includes(person)))) {
      return undefined
    }
    const isReply = ({ invocation }: ClaimedRow) => invocation.meaning?.answers === answers
    if (answers !== '' && !writes.some(isReply)) return undefined
    const led = newest.invocation.typed?.at(-1)
    return {
      ...describe(newest, write),
      otherWords: {
        led: led ?? null,
        typed: typedSince(newest.invocation.typed ?? [], write.typed ?? [], isNamed),
        writes: writes.slice(-mostWrites).map(({ invocation }) => argumentsOf(invocation)),
      },
    }
  }
}

/** Writes that happened or may have. */
const reportedStatuses = { running: true, succeeded: true, unknown: true }

/** Earlier writes whose words are read, at most. */
const mostWrites = 100

function describe(row: ClaimedRow, write: Invocation): EarlierWrite {
  const { invocation } = row
  const isEqual = writeKey(invocation) === writeKey(write)
  return { write: writeOf(row) as LiveWrite, nextRepetition: isEqual ? invocation.repetition + 1 : null }
}

function writeOf({
  invocation,
  status,
  claimedAt,
  result,
  idempotencyKey,
  isSecond = false,
}: ClaimedRow): Write {
  const { id, toolCallId, toolName, intent, repetition } = invocation
  return {
    ...{ id, toolCallId, toolName, arguments: argumentsOf(invocation), intent, repetition },
    status: status as Write['status'],
    at: new Date(claimedAt).toISOString(),
    idempotencyKey,
    result: result ?? null,
    durationMs: null,
    isSecond,
  }
}

function peopleOf({ meaning }: Invocation): readonly string[] {
  return meaning?.people ?? []
}

/**
 * What was typed after the message that led to a write. Where an edit has cut that message off, the first one after it
 * takes its place. Without the chat's name only the newest message is new.
 */
function typedSince(
  before: readonly TypedMessage[],
  now: readonly TypedMessage[],
  isNamed: boolean,
): TypedMessage[] {
  if (!isNamed) return now.slice(-1)
  const isSame = ({ content }: TypedMessage, index: number) =>
    canonicalJson(content) === canonicalJson(now[index]?.content ?? null)
  const parting = before.findIndex((message, index) => !isSame(message, index))
  return now.slice(parting === -1 ? before.length : parting + 1)
}

/** A write that was, or may have been, carried out, of the same tool, and that nobody was told about with this one. */
function isEarlierWrite(row: LedgerRow, write: Invocation): boolean {
  if (!('claimedAt' in row) || !(row.status in reportedStatuses)) return false
  const { invocation, claimedAt } = row as ClaimedRow
  const { toolName, toolCallId, siblings = [], coveredUntil } = write
  if (invocation.toolName !== toolName || invocation.toolCallId === toolCallId) return false
  if (siblings.includes(invocation.toolCallId)) return false
  if (isBeside(invocation, write) && canonicalJson(invocation.arguments) !== canonicalJson(write.arguments))
    return false
  return coveredUntil === undefined || claimedAt > Date.parse(coveredUntil)
}

/** Whether a person has seen the cards of both side by side, and approved each. */
function isBeside(a: Invocation, b: Invocation): boolean {
  return a.beside?.includes(b.toolCallId) === true || b.beside?.includes(a.toolCallId) === true
}

function argumentsOf({ arguments: args }: Invocation): Record<string, unknown> {
  return typeof args === 'string' ? {} : args
}

function writeKey({ runId, toolName, arguments: args }: Invocation): string {
  return `${runId} ${toolName} ${canonicalJson(args)}`
}

const maxWaitingRuns = 1000
const waiting = new Map<string, Ledger>()

/** Keeps the ledger of a waiting run that was given none, so that approving twice in this process executes once. */
export function keepLedger(runId: string, ledger: Ledger): void {
  waiting.delete(runId)
  waiting.set(runId, ledger)
  const oldest = waiting.keys().next().value
  if (waiting.size > maxWaitingRuns && oldest !== undefined) waiting.delete(oldest)
}

export function keptLedger(runId: string): Ledger | undefined {
  return waiting.get(runId)
}
