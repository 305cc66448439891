import { randomUUID } from 'node:crypto'
import postgres, { type Sql } from 'postgres'
import type { DecisionEntry, QuestionEntry } from '../shared/engine/transcript/entry.ts'
import { schemaVersion } from '../shared/server/version.ts'
import type { TestDatabase } from './database.ts'

/** Whatever an RPC answers: each test looks at the members it is about. */
// biome-ignore lint/suspicious/noExplicitAny: answers of many shapes, looked into by assertions only
export type Answer = any

export type Role = 'anon' | 'authenticated' | 'service_role'

/** The database as one role sees it: what the data API makes of a request with such a token, and further claims. */
export function connectAs(url: string, role: Role, userId?: string, claims: object = {}): Sql {
  return postgres(url, {
    max: 12,
    onnotice: () => {},
    connection: {
      role,
      search_path: 'askback',
      'request.jwt.claims': JSON.stringify({ ...(userId ? { sub: userId } : {}), role, ...claims }),
    },
  })
}

/** Which argument of an RPC holds the version of the code. */
const versioned = new Map([
  ['begin_turn', 1],
  ['begin_resume', 2],
  ['begin_completion', 1],
  ['claim_invocation', 1],
])

/** Calls RPCs with the service role, as the functions do, and makes what a test begins with. */
export class DatabaseCalls {
  #service: Sql | undefined
  #superuser: Sql | undefined

  open(database: TestDatabase): void {
    this.#superuser = database.sql
    this.#service = connectAs(database.url, 'service_role')
  }

  async close(): Promise<void> {
    await this.#service?.end({ timeout: 5 })
  }

  /** Statements with the rights of the service role. */
  get service(): Sql {
    if (!this.#service) throw new Error('The database is not open yet.')
    return this.#service
  }

  /**
   * `name`: in the schema `askback`, unless it begins with another one. Objects and lists of them are sent as JSON, with
   * the version of the code where the functions send it.
   */
  async call(name: string, ...given: unknown[]): Promise<Answer> {
    const place = versioned.get(name)
    const args = given.map((arg, index) =>
      index === place ? { version: schemaVersion, ...(arg as object) } : arg,
    )
    const isJson = (arg: unknown) =>
      typeof arg === 'object' && arg !== null && !(Array.isArray(arg) && typeof arg[0] === 'string')
    const places = args.map((arg, index) => `$${index + 1}${isJson(arg) ? '::text::json' : ''}`)
    const values = args.map((arg) => (isJson(arg) ? JSON.stringify(arg) : arg)) as string[]
    const path = name.includes('.') ? name : `askback.${name}`
    const [row] = await this.service.unsafe(`select ${path}(${places.join(', ')}) as answer`, values)
    return row?.answer
  }

  /** Begins a run, and says besides where it is stored that it belongs. */
  async begin(name: 'begin_turn' | 'begin_resume', ...args: unknown[]): Promise<Answer> {
    const answer = await this.call(name, ...args)
    const [run] = await this.service`
      select r.turn_id as "turnId", r.resumed_run_id as "resumedRunId", (
        select m.id from messages m
        where m.user_id = r.user_id and m.turn_id = r.turn_id and m.role = 'user' and m.superseded_at is null
        order by m.position desc limit 1
      ) as "userMessageId"
      from runs r where r.id = ${answer?.runId ?? null}`
    return run ? { ...answer, ...run } : answer
  }

  async statusOf(runId: string): Promise<string | null> {
    const [run] = await this.service`select status from runs where id = ${runId}`
    return run?.status ?? null
  }

  /** Settles a write; answers what the ledger knows of it then. */
  async settle(userId: string, invocationId: unknown, ...args: unknown[]): Promise<Answer> {
    await this.call('settle_invocation', userId, invocationId, ...args)
    const [row] = await this
      .service`select status, result from tool_executions where id = ${String(invocationId)}`
    return row
  }

  async createUser(facts: { email?: string; name?: string } = {}): Promise<string> {
    const id = randomUUID()
    const { email = `${id}@example.com`, name = null } = facts
    if (!this.#superuser) throw new Error('The database is not open yet.')
    await this.#superuser`
      insert into auth.users (id, email, raw_user_meta_data) values (${id}, ${email}, jsonb_build_object('full_name', ${name}::text))`
    return id
  }

  /** A POST of the JSON form: one text, `messageId` as the caller's key. */
  postText(
    userId: string,
    post: {
      conversationId?: string
      messageId?: string
      text: string
      runId?: string
      agentId?: string
      leaseSeconds?: number
    },
  ) {
    const { text, messageId, runId = randomUUID(), ...rest } = post
    const message = { ...(messageId ? { id: messageId } : {}), entry: userEntry(text) }
    return this.begin('begin_turn', userId, { form: 'json', runId, messages: [message], ...rest })
  }

  /** A POST of the AI SDK: the client's messages from the last assistant message on. */
  postUi(userId: string, request: Record<string, unknown>) {
    return this.begin('begin_turn', userId, { form: 'ui', runId: randomUUID(), messages: [], ...request })
  }

  /** Ends a run with a text; `entries` come before it. Answers how the run stands then, and what is pending. */
  async finish(runId: string, { text = 'Done.', entries = [], ...result }: Record<string, unknown> = {}) {
    const status = result.status ?? 'completed'
    const end = [
      { type: 'model-text', text },
      { type: 'run-end', status },
    ]
    const { pending } = await this.call('finish_run', runId, {
      status,
      entries: [...(entries as object[]), ...numbered(end, 100)],
      invocations: [],
      ...result,
    })
    return { status: await this.statusOf(runId), pending }
  }

  /** Gives a run back in which nothing has happened. */
  release(runId: string) {
    return this.call('finish_run', runId, { status: 'interrupted', entries: [], invocations: [] })
  }

  claim(runId: string, invocation: Record<string, unknown> = {}, entries: object[] = []) {
    return this.call('claim_invocation', runId, write(invocation), entries)
  }

  /** Makes the lease of a run end now. */
  async loseLease(runId: string) {
    await this.service`update runs set lease_expires_at = now() - interval '1 second' where id = ${runId}`
  }

  /** Makes the lease of a claim end now, which no delivery has reached unless the test has made one. */
  async abandonClaim(invocationId: string) {
    await this
      .service`update tool_executions set lease_expires_at = now() - interval '1 second' where id = ${invocationId}`
  }

  /** The same for one that its function has begun to carry out. */
  async loseClaim(invocationId: string) {
    await this.service`
      update tool_executions set
        delivery_id = coalesce(delivery_id, gen_random_uuid()),
        effect_started_at = coalesce(effect_started_at, now())
      where id = ${invocationId}`
    await this.abandonClaim(invocationId)
  }
}

/** What a person wrote, as it is stored. */
export function userEntry(text: string) {
  return { type: 'user-message', content: [{ type: 'text', text }] }
}

/** A message as a POST brings it. */
export function userMessage(id: string, text: string) {
  return { id, entry: userEntry(text) }
}

/** Entries as a run stores them. */
export function numbered(entries: readonly object[], first = 0): object[] {
  return entries.map((entry, index) => ({ sequence: first + index, entry }))
}

/** The entries of one model call with one tool call, as they stand before the call is claimed. */
export function callEntries(toolCallId: string): object[] {
  return [
    { type: 'step-start' },
    { type: 'call', toolCallId, name: 'smtp_send_email', toolName: 'smtp_send_email', rawArguments: '{}' },
    {
      type: 'step-end',
      provider: 'openai',
      model: 'gpt-5',
      finishReason: 'tool_calls',
      usage: { inputTokens: 1, outputTokens: 1 },
      durationMs: 5,
    },
  ]
}

/** The entry that opens an item; its id is that of an approval of `call-1` unless said otherwise. */
export function question(facts: Partial<QuestionEntry> = {}): QuestionEntry {
  const toolCallId = facts.toolCallId ?? 'call-1'
  return {
    type: 'question',
    itemId: `${toolCallId}.asked`,
    kind: 'approval',
    intent: 0,
    askedAt: new Date().toISOString(),
    toolCallId,
    toolName: 'smtp_send_email',
    code: 'approve',
    asked: 'Send it?',
    arguments: { to: ['ada@example.com'] },
    open: [],
    ...facts,
  }
}

/** The entry that a decision on an item leaves. */
export function decisionEntry(
  item: QuestionEntry,
  decision: DecisionEntry['decision'] = 'approve',
): DecisionEntry {
  return { type: 'decision', itemId: item.itemId, toolCallId: item.toolCallId, decision }
}

/** What is said in a message: by the user, or by the model. */
export function textOf(message: Answer): string {
  return message.entries
    .map((stored: Answer) => stored.entry ?? stored)
    .flatMap((entry: Answer) => entry.content?.[0].text ?? (entry.type === 'model-text' ? entry.text : []))
    .join(' ')
}

/** A write as the loop describes it to the ledger. */
export function write(facts: Record<string, unknown> = {}): Record<string, unknown> {
  const args = facts.arguments ?? { to: ['ada@example.com'], subject: 'Meeting', body: 'At ten.' }
  return {
    id: randomUUID(),
    toolCallId: randomUUID(),
    toolName: 'smtp_send_email',
    effect: 'write',
    attempt: 1,
    intent: 1,
    repetition: 0,
    arguments: args,
    argumentHash: JSON.stringify(args),
    repairs: [],
    ...facts,
  }
}

export const sent = { ok: true, data: { messageId: '<1@example.com>' } }
export const refused = {
  ok: false,
  error: 'The server is busy.',
  errorType: 'unavailable',
  resolver: 'time',
  details: {},
}
