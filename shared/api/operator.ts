import { z } from 'zod'
import { once } from '../engine/core/once.ts'
import { id, optional, withWords } from './field-words.ts'
import { defineRoute } from './route.ts'

// What operators see and change. These answers contain nothing that was said in a run.

/** A run without its content. */
export const operatorRun = once(() =>
  z
    .strictObject({
      runId: z.string(),
      userId: z.string(),
      status: z.string(),
      startedAt: z.string().describe('ISO 8601.'),
      finishedAt: z.string().nullable(),
      resumeAt: z.string().nullable().describe('When a waiting run continues.'),
      leaseExpiresAt: z
        .string()
        .describe('If a running run has not extended its lease by then, its process counts as dead.'),
      stoppable: z.boolean().describe('Whether there is anything to stop.'),
    })
    .meta({ id: 'OperatorRun' }),
)

const moment = once(() =>
  z
    .strictObject({
      runId: z.string(),
      at: z.string().describe('ISO 8601.'),
      type: z.string(),
      durationMs: z.number().optional(),
      facts: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.array(z.string())])),
    })
    .meta({ id: 'Moment', description: 'An event in a run: when, what kind, how long, and codes.' }),
)

const write = () =>
  z.strictObject({
    runId: z.string().nullable(),
    userId: z.string(),
    toolName: z.string(),
    attempt: z.number(),
    startedAt: z.string(),
  })

const stuck = once(() =>
  z
    .strictObject({
      runs: z.array(operatorRun()),
      writes: z.array(write()).describe('Writes whose outcome is unknown.'),
    })
    .meta({ id: 'StuckWork' }),
)

export const sharedTool = once(() =>
  z
    .strictObject({
      name: z.string(),
      title: z.string().nullable(),
      source: z.string(),
      enabled: z.boolean(),
      reason: z.string().nullable().describe('Why it is switched off.'),
    })
    .meta({ id: 'SharedTool', description: 'A tool, as far as it is the same for everybody.' }),
)

export const appFunction = once(() =>
  z
    .strictObject({
      name: z.string().describe('Qualified with its schema, such as `public.create_ticket`.'),
      arguments: z.string(),
      description: z.string().nullable(),
      effect: z.enum(['read', 'write']),
      tool: z.string().nullable().describe('The tool that it is offered as; null if it is not offered.'),
      refused: z.string().nullable().describe('Why it cannot be offered, or can no longer be called.'),
      changed: z
        .boolean()
        .describe('Whether its arguments have changed since it was offered. If so, offer it again.'),
    })
    .meta({ id: 'AppFunction', description: "A function of the app's database." }),
)

const group = 'Operators'
const shared = { group, caller: 'operator' } as const
const named = z.object({ name: z.string() })
const ofRun = z.object({
  id: withWords(id(), {
    refusal: 'run_not_found',
  }),
})
const why = withWords(z.string().trim().min(1).max(500), {
  instead: 'Say why: it is written down.',
})

export const amOperator = defineRoute({
  method: 'GET',
  path: '/chat/operator',
  group,
  summary: 'Ask whether you are an operator',
  caller: 'user',
  answer: () => z.strictObject({ isOperator: z.boolean() }),
})

export const findRuns = defineRoute({
  ...shared,
  method: 'GET',
  path: '/chat/operator/runs',
  summary: 'Find runs',
  query: z.object({
    find: withWords(z.string().trim().min(1).max(64), { expected: 'the id of a run or of a conversation' }),
  }),
  answer: () => z.strictObject({ runs: z.array(operatorRun()) }),
})

export const readRun = defineRoute({
  ...shared,
  method: 'GET',
  path: '/chat/operator/runs/:id',
  summary: 'See what happened in a run',
  params: ofRun,
  answer: () => z.strictObject({ run: operatorRun(), timeline: z.array(moment()) }),
  refusals: ['run_not_found'],
})

export const stopRunOf = defineRoute({
  ...shared,
  decides: true,
  method: 'POST',
  path: '/chat/operator/runs/:id/stop',
  summary: 'Stop a run as its user would',
  params: ofRun,
  body: z.object({ reason: why }),
  answer: () => z.strictObject({ runId: z.string(), stopped: z.literal(true) }),
  refusals: ['run_not_found', 'not_running'],
})

export const listStuck = defineRoute({
  ...shared,
  method: 'GET',
  path: '/chat/operator/stuck',
  summary: 'List runs and writes that are stuck',
  answer: () => stuck(),
})

const tokensAndCost = {
  tokens: z.number(),
  costUsd: z.number().describe('Of calls whose price is known.'),
}
const tool = z.string().nullable().describe('null stands for names that models made up.')
const averageRetries = z.number().nullable().describe('Attempts after the first one, on average per call.')
const milliseconds = (what: string) => z.number().nullable().describe(`${what} to success, in milliseconds.`)

/** How everybody's calls went, and what their models cost. */
export const projectInsights = once(() =>
  z
    .strictObject({
      users: z.number().describe('Who called a tool or a model.'),
      calls: z.number().describe('A call counts once, with all its attempts.'),
      done: z.number(),
      denied: z.number(),
      erred: z.number().describe('With at least one error.'),
      retries: averageRetries,
      medianMs: milliseconds('Median time'),
      slowestMs: milliseconds('95th percentile of the time'),
      modelCalls: z.number(),
      ...tokensAndCost,
      unpriced: z.number().describe('Model calls whose price is not known.'),
      tools: z.array(
        z.strictObject({
          tool,
          calls: z.number(),
          done: z.number(),
          erred: z.number(),
          retries: averageRetries,
          medianMs: milliseconds('Median time'),
        }),
      ),
      errors: z.array(z.strictObject({ type: z.string(), tool, count: z.number() })),
      models: z.array(
        z.strictObject({
          provider: z.string(),
          model: z.string(),
          calls: z.number(),
          ...tokensAndCost,
          reads: z
            .number()
            .nullable()
            .describe(
              'How many tokens it reads at once, as known at its newest call; null if nobody says it.',
            ),
          readsBy: z
            .enum(['learned', 'setting', 'prices', 'server'])
            .nullable()
            .describe(
              'Who says so: a refusal or a silent cut (`learned`), `ASKBACK_MODEL_WINDOWS` (`setting`), the price list, or its server.',
            ),
          cuts: z.number().describe('Calls whose request was cut to what it reads.'),
          largest: z.number().describe('Tokens of the largest request.'),
        }),
      ),
      refusedTools: z
        .array(
          z.strictObject({
            tool: z.string(),
            provider: z.string(),
            model: z.string(),
            why: z.string().describe('Why the model’s server does not accept it.'),
            refusedAt: z.string(),
          }),
        )
        .describe('Tools left out for a model, newest first.'),
      agents: z.array(
        z.strictObject({
          agentId: z.string().nullable().describe('null stands for agents that were deleted.'),
          calls: z.number(),
          ...tokensAndCost,
        }),
      ),
      days: z
        .array(
          z.strictObject({
            day: z.string(),
            calls: z.number(),
            erred: z.number(),
            modelCalls: z.number(),
            ...tokensAndCost,
          }),
        )
        .describe('Oldest first, in UTC.'),
    })
    .meta({ id: 'ProjectInsights' }),
)

export const readInsights = defineRoute({
  ...shared,
  method: 'GET',
  path: '/chat/operator/insights',
  summary: 'See figures for all users',
  query: z.object({
    days: optional(
      withWords(z.coerce.number().int().min(1).max(366), { expected: 'a number of days from 1 to 366' }),
    ),
  }),
  answer: () => projectInsights(),
})

export const exportDecisions = defineRoute({
  ...shared,
  method: 'GET',
  path: '/chat/operator/decisions',
  summary: 'Export what people have decided',
  notes: [
    'JSON Lines, oldest first, at most 1,000; the header `link` names the next page, if there is one (`rel="next"`). Unlike all other routes for operators, it tells what people were asked. Each line has:',
    '',
    '- `time`, `itemId`, `toolName`, `userId` (whose item it was), `agentId`, `decision`',
    '- `who`: `userId`, if they were signed in, and `name`, if they decided by a link or for a group; `door`: `app`, `page`, `link`, `approver` or `client`',
    '- `sentence` as it was read, and its `language`; `argumentHash`: the SHA-256 of the arguments of the call, as canonical JSON',
    '- `outcome`: `succeeded`, `failed`, `unknown` or `running`; `rejected` or `cancelled` if it was not carried out; null if nothing is known of it',
    '- `approvers` (`who`, `group`) and `approvedBy` (`part`, `userId`, `name`, `group`, `at`), if not the user alone decided',
  ].join('\n'),
  query: z.object({
    since: withWords(z.iso.datetime({ offset: true }), {
      expected: 'a time in ISO 8601, such as "2027-01-31T18:00:00Z"',
    }),
    after: optional(
      withWords(z.string().regex(/^[^~]+~[0-9a-f-]{36}~\d{1,9}$/), {
        expected: 'what the header `link` of the page before says',
      }),
    ).describe('Where the page begins, as the header `link` of the page before says.'),
  }),
  media: { 'application/x-ndjson': 'A decision in each line.' },
})

export const listTools = defineRoute({
  ...shared,
  method: 'GET',
  path: '/chat/operator/tools',
  summary: 'List the tools that are available to all users',
  answer: () => z.strictObject({ tools: z.array(sharedTool()) }),
})

export const switchTool = defineRoute({
  ...shared,
  decides: true,
  method: 'PATCH',
  path: '/chat/operator/tools/:name',
  summary: 'Switch a tool off for everybody, or on again',
  params: named,
  body: z.object({ enabled: z.boolean(), reason: why }),
  answer: () => z.strictObject({ name: z.string(), enabled: z.boolean() }),
  refusals: ['tool_not_found'],
})

const limitFacts = {
  scope: z.enum(['user', 'agent', 'project']),
  measure: z
    .enum([
      'runs_at_once',
      'runs',
      'mcp_calls',
      'model_calls',
      'tokens',
      'cost_usd',
      'writes',
      'streams',
      'conversations',
      'connections',
      'files',
      'api_tokens',
      'agents',
      'permissions',
      'tools_per_agent',
    ])
    .describe('What is counted: see [Limits](limits.md#budgets-and-rates).'),
}

export const usageLimit = once(() =>
  z
    .strictObject({
      ...limitFacts,
      subject: z.string().nullable().describe('The user or agent that it is for; null: the default.'),
      per: z.enum(['minute', 'hour', 'day']).nullable().describe('null: at any one time.'),
      tool: z.string().nullable().describe('Of writes: the only tool that it is about.'),
      value: z.number(),
    })
    .meta({ id: 'UsageLimit', description: 'How much may be used.' }),
)

export const listLimits = defineRoute({
  ...shared,
  method: 'GET',
  path: '/chat/operator/limits',
  summary: 'List the limits of users, agents and the project',
  answer: () => z.strictObject({ limits: z.array(usageLimit()) }),
})

export const changeLimit = defineRoute({
  ...shared,
  decides: true,
  method: 'PUT',
  path: '/chat/operator/limits',
  summary: 'Set a limit, for everybody or for one user or agent',
  notes: 'It takes effect within a second, and whatever was waiting for it continues.',
  body: z.object({
    ...limitFacts,
    subject: optional(z.uuid()).describe(
      'A user or an agent; without it, everybody without a limit of their own.',
    ),
    per: optional(z.enum(['minute', 'hour', 'day'])),
    tool: optional(z.string().max(64)),
    value: withWords(z.number().min(0).max(1_000_000_000_000).nullable(), {
      expected: 'a number from 0 to 1,000,000,000,000, or null to remove the limit',
    }),
    reason: why,
  }),
  answer: () => z.strictObject({ limits: z.array(usageLimit()) }),
})

export const listFunctions = defineRoute({
  ...shared,
  method: 'GET',
  path: '/chat/operator/functions',
  summary: 'List the functions of the app that could be tools',
  answer: () => z.strictObject({ functions: z.array(appFunction()) }),
})

const said = () =>
  optional(withWords(z.string().max(2000).regex(/\S/), { expected: 'a text of 1 to 2000 characters' }))

export const offer = z
  .object({
    title: said(),
    description: said(),
    effect: said(),
    confirm: said(),
    approval: said(),
    summary: said(),
    button: said(),
    past: said(),
  })
  .describe('Overrides. Whatever is left out is taken from the function itself.')
export type Offer = z.output<typeof offer>

export const offerFunction = defineRoute({
  ...shared,
  decides: true,
  method: 'PUT',
  path: '/chat/operator/functions/:name',
  summary: 'Offer a function of the app as a tool',
  notes: 'Send `{}` to offer it without overrides.',
  params: named,
  body: offer,
  answer: () => z.strictObject({ tool: z.string() }),
  refusals: ['offer_refused'],
})

export const withdrawFunction = defineRoute({
  ...shared,
  decides: true,
  method: 'DELETE',
  path: '/chat/operator/functions/:name',
  summary: 'Stop offering a function as a tool',
  params: named,
  answer: () => z.strictObject({ withdrawn: z.string() }),
  refusals: ['not_offered'],
})
