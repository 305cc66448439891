import type { Connection, Provider } from '../../client/api/connection.ts'
import type { ChatMessage, ConversationSummary, Decided, Pending } from '../../client/api/message.ts'
import { english } from '../../client/labels/en.ts'

// What users, models and tools have written: all of it in Greek letters.

const at = new Date(Date.now() - 3_600_000).toISOString()
const later = new Date(Date.now() + 3_600_000).toISOString()
const messageId = 'α1'

let calls = 0

/** A call with what is known of it. */
function call(state: string, more: Record<string, unknown> = {}, data: Record<string, object> = {}) {
  const toolCallId = `κ${++calls}`
  const part = { type: 'dynamic-tool', toolName: `κλήση${calls}`, toolCallId, state, input: { όνομα: 'Άδα' } }
  return [
    { ...part, ...more },
    ...Object.entries(data).map(([type, facts]) => ({
      type: `data-${type}`,
      id: toolCallId,
      data: { toolCallId, ...facts },
    })),
  ]
}

const deep = JSON.parse(`${'{"α":'.repeat(600)}1${'}'.repeat(600)}`)
const found = Array.from({ length: 30 }, (_, index) => ({
  title: `Τίτλος ${index}`,
  url: 'https://192.0.2.1/',
  date: at,
}))
const repairs = Object.keys(english.repairs).map((rule) => ({ path: 'όνομα', rule }))

export const messages = [
  {
    id: 'χ1',
    role: 'user',
    parts: [
      { type: 'text', text: 'Γεια σου' },
      { type: 'file', mediaType: 'image/png', url: 'data:image/png;base64,iVBORw0KGgo=' },
      { type: 'file', mediaType: 'application/pdf', url: 'data:application/pdf;base64,' },
    ],
  },
  {
    id: messageId,
    role: 'assistant',
    metadata: { toolTimes: { κ1: 40, κ2: 2500, κ3: 125_000 } },
    parts: [
      { type: 'data-done-before', data: { toolCallId: 'π', toolName: 'γράμμα', summary: 'Στάλθηκε' } },
      { type: 'reasoning', text: 'Σκέψη', state: 'done' },
      ...call(
        'output-available',
        { output: { results: found } },
        { call: { intent: 1, summary: 'Βρέθηκαν' } },
      ),
      ...call('output-available', { output: { results: [] } }, { repair: { repairs: repairs.slice(0, 1) } }),
      ...call('output-available', { output: deep }, { repair: { repairs } }),
      ...call('output-available', { output: { λίστα: [{ ok: false }, { ok: true }] } }),
      ...call('output-available', { output: { λίστα: [{ ok: false }] } }),
      ...call('output-available', { output: 'Κείμενο '.repeat(2000) }),
      ...call('output-available', { output: { url: 'https://192.0.2.1/', πότε: at } }),
      ...call('output-error', { errorText: 'Δεν έγινε.' }, { 'tool-error': { errorType: 'other' } }),
      ...call('output-error', {}, { 'tool-error': { errorType: 'cancelled' } }),
      ...call('output-error', {}, { question: { answered: false } }),
      ...call('output-error', {}, { wait: { resumeAt: later } }),
      ...call('output-denied'),
      ...call('input-available'),
      ...call('input-available', {}, { wait: { waitMs: 500_000 } }),
      ...call('input-streaming', { input: 'μισό' }),
      ...call('output-error', { toolName: 'δις', errorText: 'Ποιος;' }, { call: { intent: 2 } }),
      ...call('output-available', { toolName: 'δις', input: { όνομα: 'Εύα' } }, { call: { intent: 2 } }),
      ...call('output-error', { toolName: 'τρις', errorText: 'Ποιος;' }, { call: { intent: 3 } }),
      ...call('output-available', { toolName: 'τρις', approval: { id: 'ε' } }, { call: { intent: 3 } }),
      { type: 'text', text: 'Ορίστε.' },
      ...call('output-available', { toolName: 'πολλά', output: {} }),
      ...call('output-available', { toolName: 'πολλά', output: { λίστα: [{ ok: false }, { ok: true }] } }),
      ...call('output-error', { toolName: 'πολλά', errorText: 'Δεν έγινε.' }),
      { type: 'text', text: 'Τέλος.' },
      ...Array.from({ length: 6 }, (_, index) => ({
        type: 'source-url',
        sourceId: `σ${index}`,
        title: `Πηγή ${index}`,
        url: 'https://192.0.2.1/',
      })),
    ],
  },
] as unknown as ChatMessage[]

/** A message that cannot be drawn. */
export const broken = {
  id: 'χαλασμένο',
  role: 'assistant',
  parts: [{ type: 'source-url', sourceId: 'σ', title: 7, url: 'https://192.0.2.1/' }],
} as unknown as ChatMessage

export const decided: Decided[] = (['answer', 'approve', 'deny', 'draft', 'skip'] as const).map(
  (decision, index) => ({
    itemId: `δ${index}`,
    messageId,
    toolCallId: `κ${index + 1}`,
    decision,
    at: index === 0 ? new Date().toISOString() : at,
  }),
)

function ask(type: Pending['type'], itemId: string, more: Partial<Pending> = {}): Pending {
  const asked = `Ερώτηση ${itemId};`
  const call = { toolCallId: `κλ ${itemId}`, toolName: 'γράμμα', title: 'Γράμμα', intent: 1, code: 'κωδικός' }
  return { ...call, agentId: null, messageId, type, itemId, askedAt: at, asked, question: asked, ...more }
}

const address = (index: number) => `φίλος${index}@γράμμα.ελ`

export const pending: Pending[] = [
  ask('approval', 'έγκριση', {
    expiresAt: later,
    confirm: 'Γράμμα;',
    remember: { path: 'to', pattern: 'φίλος@γράμμα.ελ', max: 20, per: 'day', sentence: 'Άδεια.' },
    values: {
      to: Array.from({ length: 9 }, (_, index) => address(index)),
      subject: 'Θέμα \u202Eκρυφό\u200Bκείμενο',
      body: 'Κείμενο',
      html: '<p>Κείμενο</p>',
      attachments: [
        { filename: 'σχέδιο', content: 'αβγ' },
        { file_id: '1' },
        { content: 'αβγ' },
        { filename: 'μόνο' },
      ],
    },
  }),
  ask('approval', 'άλλη', { expiresAt: at, values: { βάθος: deep, πότε: at } }),
  ask('approval', 'κενή', {
    values: {},
    remember: { path: 'φίλοι', pattern: '*@γράμμα.ελ', max: 1, per: 'hour', sentence: 'Άδεια.' },
  }),
  ask('input', 'πεδία', {
    values: { subject: 'Θέμα' },
    schema: {
      type: 'object',
      required: ['παραλήπτης', 'πόρτα', 'πλήθος', 'τόπος', 'όνομα', 'ναι'],
      properties: {
        παραλήπτης: { type: 'array', items: { type: 'string', format: 'email' }, examples: ['α@β.ελ'] },
        πόρτα: { type: 'integer', minimum: 1, maximum: 9 },
        πλήθος: { type: 'number' },
        τόπος: { type: 'string', format: 'uri' },
        όνομα: { type: 'string', maxLength: 2 },
        ναι: { type: 'boolean' },
        είδος: { enum: ['άλφα', 'βήτα'] },
      },
    },
  }),
  ask('input', 'επιλογή', {
    schema: { type: 'object', required: ['ναι'], properties: { ναι: { type: 'boolean' } } },
  }),
  ask('input', 'διακομιστής', {
    hint: 'Ποτέ κωδικούς.',
    server: {
      host: 'γράμμα.ελ',
      requests: [{ message: 'Ποιος ταξιδεύει;', fields: ['επιβάτης', 'φαγητά'] }],
    },
    schema: {
      type: 'object',
      required: ['επιβάτης'],
      properties: {
        επιβάτης: { type: 'string', default: 'Άδα' },
        φαγητά: { type: 'array', items: { type: 'string', enum: ['ψάρι', 'ρύζι'] } },
      },
    },
  }),
  ask('input', 'σελίδα', {
    hint: 'Ποτέ κωδικούς.',
    server: { host: 'γράμμα.ελ', requests: [{ message: '', fields: [], url: 'https://192.0.2.1/' }] },
    schema: { type: 'object', properties: {} },
  }),
  ask('connection', 'σύνδεση', { codeValues: { provider: 'Πάροχος' } }),
  ask('connection', 'σύνδεση2', { declinedIn: 'Πρόγραμμα' }),
  ask('wait', 'αναμονή', { resumeAt: later }),
  ask('wait', 'τώρα', { resumeAt: at }),
]

export const conversations: ConversationSummary[] = [0, 1, 3, 20, 200].map((days, index) => ({
  id: `σ${index}`,
  title: index === 1 ? null : `Συζήτηση ${index}`,
  status: 'completed',
  open: { count: index % 2, kinds: index === 1 ? ['wait'] : ['input'], oldest: at },
  pinned: index === 4,
  archived: index === 2,
  agentId: null,
  createdAt: at,
  updatedAt: new Date(Date.now() - days * 24 * 3_600_000).toISOString(),
  match: {
    title: [[0, 1]],
    message: { id: 'μ', role: 'user', createdAt: at, text: 'Λέξεις που βρέθηκαν', ranges: [[0, 6]] },
  },
}))

let made = 0

function connect(status: Connection['status'], index: number): Connection {
  const account = `φίλος${index}@γράμμα.ελ`
  const shown = {
    account,
    status,
    position: index,
    values: { όνομα: 'Άδα' },
    lastUsedAt: index === 1 ? at : null,
  }
  return {
    id: `σύνδεση${++made}`,
    provider: 'πάροχος',
    label: 'Εργασία',
    lastError: null,
    expiresAt: later,
    ...shown,
  }
}

const key: Provider['connection'] = {
  type: 'object',
  required: ['κλειδί'],
  properties: {
    όνομα: { type: 'string', title: 'όνομα' },
    κλειδί: { type: 'string', title: 'κλειδί', secret: true },
  },
  keysAt: 'https://192.0.2.1/',
}

export const providers: Provider[] = [
  { oauth: true, tools: ['γράμμα'], connections: [], available: false },
  { oauth: false, tools: ['αναζήτηση'], connections: ['connected', 'disabled', 'failed'] },
  { oauth: true, tools: ['αναζήτηση'], connections: ['expiring', 'expired'] },
  { oauth: false, tools: [], connections: ['connected'] },
  { oauth: false, tools: [], connections: ['connected'] },
].map(({ connections, ...rest }, index) => ({
  id: `πάροχος${index}`,
  name: `Πάροχος ${index}`,
  description: 'Περιγραφή',
  service: 'υπηρεσία',
  connection: key,
  builtIn: false,
  available: true,
  ...rest,
  connections: connections.map((status, place) => ({
    ...connect(status as Connection['status'], place),
    ...(rest.oauth ? { allowed: ['Διαβάζει'], unavailable: [{ tool: 'γράμμα', reason: 'Λόγος' }] } : {}),
  })),
}))

const outcomes = [
  ...[
    'completed',
    'waiting',
    'needs_input',
    'needs_approval',
    'needs_connection',
    'failed',
    'stopped',
    'interrupted',
    null,
  ].map((status) => ['begun', status]),
  ...['open', 'missed', 'refused'].map((outcome) => [outcome, null]),
].map(([outcome, status], place) => ({
  dueAt: new Date(Date.parse(at) - place * 1000).toISOString(),
  outcome,
  status,
  code: null,
  runId: null,
}))

const schedule = (facts: object) => ({
  agentId: 'α',
  conversationId: 'σ0',
  message: 'Διάβασε τα νέα',
  cron: '0 9 * * *',
  timeZone: 'Ζώνη',
  until: null,
  missed: 'run',
  nextAt: null,
  pausedAt: null,
  pausedAs: null,
  createdAt: at,
  history: [],
  next: [],
  ...facts,
})

/** What happens without asking, of each kind used and not. */
export const unasked = {
  agents: [
    { id: 'α', name: 'Άλφα' },
    { id: 'β', name: 'Βήτα' },
  ],
  permissions: [
    {
      id: 'α',
      agentId: 'α',
      toolName: 'γράμμα',
      path: 'to',
      pattern: 'α@β.γρ',
      max: 20,
      per: 'day',
      used: 1,
      total: 7,
      lastUsedAt: at,
      createdAt: at,
    },
  ],
  tools: [
    { agentId: 'α', toolName: 'γράμμα', since: at, used: 1, lastUsedAt: at },
    { agentId: 'β', toolName: 'γράμμα', since: null, used: 0, lastUsedAt: null },
  ],
  tokens: [
    {
      id: 'α',
      name: 'Πελάτης',
      prefix: 'α',
      agents: null,
      expiresAt: later,
      lastUsedAt: null,
      used: 0,
      createdAt: at,
    },
    {
      id: 'β',
      name: 'Άλλος',
      prefix: 'β',
      agents: ['α', 'γ'],
      expiresAt: at,
      lastUsedAt: at,
      used: 2,
      createdAt: at,
    },
  ],
  apps: [
    {
      id: 'α',
      clientId: 'https://α.γρ/α',
      clientName: 'Πελάτης',
      redirectHost: 'α.γρ',
      agentId: 'α',
      tools: ['γράμμα'],
      forms: true,
      createdAt: at,
      lastUsedAt: at,
      used: 3,
    },
  ],
  schedules: [
    schedule({ id: 'α', runs: 0, next: [{ at: later, text: 'Δευτέρα' }], nextAt: later }),
    schedule({ id: 'β', runs: 2, pausedAt: at, pausedAs: 'failures', history: outcomes }),
    schedule({ id: 'γ', runs: 1, pausedAt: at, pausedAs: 'connection' }),
    schedule({ id: 'δ', runs: 1 }),
  ],
  links: [
    {
      id: 'α',
      itemId: 'α',
      conversationId: 'σ0',
      sentence: 'Να σταλεί;',
      decides: true,
      name: 'Βένος',
      createdAt: at,
      expiresAt: later,
    },
  ],
}
