import { readFileSync } from 'node:fs'
import { deleteAccount } from '../../shared/api/account.ts'
import { createApiToken, listApiTokens, revokeApiToken } from '../../shared/api/api-token.ts'
import * as connections from '../../shared/api/connection.ts'
import * as conversations from '../../shared/api/conversation.ts'
import { answerQuestion, decideApproval, resumeRun, skipItem } from '../../shared/api/decision.ts'
import { changeDigestSetting, readDigestSetting, unsubscribe } from '../../shared/api/digest.ts'
import * as links from '../../shared/api/item-link.ts'
import { changeMcpGrant, listMcpGrants, makeMcpGrant, revokeMcpGrant } from '../../shared/api/mcp-grant.ts'
import * as servers from '../../shared/api/mcp-server.ts'
import * as operator from '../../shared/api/operator.ts'
import type { Route } from '../../shared/api/route.ts'
import { listModels, stopRun } from '../../shared/api/run.ts'
import * as schedules from '../../shared/api/schedule.ts'
import { startSignIn } from '../../shared/api/sign-in.ts'
import { postMessage } from '../../shared/api/turn.ts'

/** What was answered before, by method and path, and what the one who asks knows: `smtp`, `email`, `model`, `mcp`. */
// biome-ignore lint/suspicious/noExplicitAny: answers of every route
export type Seen = Record<string, any>

export interface Request {
  params?: Record<string, string>
  query?: Record<string, string>
  headers?: Record<string, string>
  body?: unknown
}

/** What `tests/stack/api-examples.test.ts` was answered when it was last run with ASKBACK_RECORD=true. */
export const recordedPath = new URL('recorded-answers.json', import.meta.url)
const recorded: Seen = JSON.parse(readFileSync(recordedPath, 'utf8'))

/** A name that the docs and `Seen` know a route by. */
export const keyOf = ({ method, path }: Route): string => `${method} ${path}`

const id = 'trip-to-oslo'
const pendingOf = (seen: Seen) => seen[keyOf(postMessage)].pending[0]
const connectionOf = (seen: Seen) => ({ id: seen[keyOf(connections.createConnection)].connection.id })
const linkOf = (seen: Seen) => seen[keyOf(links.createItemLink)].link
/** What opens the page of a link sends. */
const withLink = ({ url }: { url: string }) => ({ [links.linkHeader]: url.split('#')[1] ?? '' })
const scheduleOf = (seen: Seen) => ({ id: seen[keyOf(schedules.addSchedule)].schedule.id })
const grantOf = (seen: Seen) => ({ id: seen[keyOf(makeMcpGrant)].grant.id })
const serverOf = (seen: Seen) => ({ id: seen[keyOf(servers.addMcpServer)].server.id })
const runOf = (seen: Seen) => ({ id: seen[keyOf(postMessage)].runId })

/** One example of each route, in an order in which they can be run. */
const walk: readonly [Route, (seen: Seen) => Request][] = [
  [connections.listProviders, () => ({})],
  [
    connections.createConnection,
    ({ smtp }) => ({
      body: { provider: 'smtp', label: 'Work', values: { ...smtp, from: 'ada@example.com' } },
    }),
  ],
  [connections.changeConnection, (seen) => ({ params: connectionOf(seen), body: { label: 'Mail' } })],
  [connections.testConnection, (seen) => ({ params: connectionOf(seen) })],
  [startSignIn, () => ({ body: { provider: 'gmail', tools: ['gmail_send_email'] } })],
  [listModels, () => ({})],
  [postMessage, () => ({ body: { id, message: 'Tell bob@example.com that we arrive at ten.' } })],
  [conversations.listOpenItems, () => ({})],
  [
    links.createItemLink,
    (seen) => ({
      params: { itemId: pendingOf(seen).itemId },
      body: { decides: true, name: 'Cleo Lind' },
    }),
  ],
  [links.listItemLinks, () => ({})],
  [links.readLinkedItem, (seen) => ({ headers: withLink(linkOf(seen)) })],
  [links.revokeItemLink, (seen) => ({ params: { id: linkOf(seen).id } })],
  [
    links.decideLinkedItem,
    ({ deciding }) => ({ headers: withLink(deciding), body: { decision: 'approve' } }),
  ],
  [links.listApprovals, () => ({})],
  [links.readApproval, ({ asked }) => ({ params: { itemId: asked.itemId } })],
  [
    links.decideForGroup,
    ({ asked }) => ({
      params: { itemId: asked.itemId },
      body: { decision: 'deny', reason: 'We arrive at eleven.' },
    }),
  ],
  [stopRun, () => ({ params: { id } })],
  [
    decideApproval,
    (seen) => {
      const { toolCallId, approvalId } = pendingOf(seen)
      return { params: { id }, body: { toolCallId, approvalId, decision: 'approve' } }
    },
  ],
  [
    answerQuestion,
    ({ question }) => ({
      params: { id: question.conversationId },
      body: { itemId: question.itemId, values: { to: ['bob@example.com'] } },
    }),
  ],
  [skipItem, ({ other }) => ({ params: { id: other.conversationId }, body: { itemId: other.itemId } })],
  [
    resumeRun,
    ({ waiting }) => ({ params: { id: waiting.conversationId }, body: { itemId: waiting.itemId } }),
  ],
  [conversations.listConversations, () => ({ query: { q: 'arrive', limit: '20' } })],
  [conversations.getConversation, () => ({ params: { id }, query: { times: 'true' } })],
  [conversations.changeConversation, () => ({ params: { id }, body: { title: 'Oslo', pinned: true } })],
  [
    conversations.rateMessage,
    (seen) => ({ params: { id }, body: { messageId: seen[keyOf(postMessage)].message.id, rating: 'good' } }),
  ],
  [
    schedules.addSchedule,
    () => ({ body: { message: 'What is new?', cron: '0 9 * * 1-5', timeZone: 'Europe/Berlin' } }),
  ],
  [schedules.listSchedules, () => ({})],
  [schedules.runSchedule, (seen) => ({ params: scheduleOf(seen) })],
  [schedules.changeSchedule, (seen) => ({ params: scheduleOf(seen), body: { paused: true } })],
  [schedules.deleteSchedule, (seen) => ({ params: scheduleOf(seen) })],
  [changeDigestSetting, () => ({ body: { minutes: 60 } })],
  [readDigestSetting, () => ({})],
  [unsubscribe, ({ unsubscribe: token }) => ({ query: { token } })],
  [operator.amOperator, () => ({})],
  [operator.findRuns, () => ({ query: { find: id } })],
  [operator.readRun, (seen) => ({ params: runOf(seen) })],
  [operator.listStuck, () => ({})],
  [operator.readInsights, () => ({ query: { days: '1' } })],
  [operator.listTools, () => ({})],
  [
    operator.switchTool,
    () => ({ params: { name: 'web_search' }, body: { enabled: true, reason: 'The quota is back.' } }),
  ],
  [operator.listFunctions, () => ({})],
  [
    operator.offerFunction,
    () => ({ params: { name: 'public.find_orders' }, body: { title: 'Find orders' } }),
  ],
  [operator.withdrawFunction, () => ({ params: { name: 'public.find_orders' } })],
  [createApiToken, () => ({ body: { name: 'Open WebUI' } })],
  [listApiTokens, () => ({})],
  [revokeApiToken, (seen) => ({ params: { id: seen[keyOf(createApiToken)].token.id } })],
  [listMcpGrants, () => ({})],
  [
    makeMcpGrant,
    (seen) => ({
      body: {
        clientId: '9f3c1a52-6f0e-4a53-8d0b-2f1f5f6f7a10',
        clientName: 'Claude Code',
        redirectHost: 'localhost',
        agentId: seen[keyOf(listMcpGrants)].agents[0].id,
        tools: ['web_search', 'smtp_send_email'],
      },
    }),
  ],
  [changeMcpGrant, (seen) => ({ params: grantOf(seen), body: { tools: ['web_search'] } })],
  [revokeMcpGrant, (seen) => ({ params: grantOf(seen) })],
  [servers.addMcpServer, ({ mcp }) => ({ body: { url: mcp, name: 'linear' } })],
  [servers.listMcpServers, () => ({})],
  [servers.changeMcpServer, (seen) => ({ params: serverOf(seen), body: { trusted: true } })],
  [servers.refreshMcpServer, (seen) => ({ params: serverOf(seen) })],
  [servers.listMcpServerChanges, (seen) => ({ params: serverOf(seen) })],
  [
    servers.acceptMcpServerChanges,
    (seen) => ({
      params: serverOf(seen),
      body: { tools: [seen[keyOf(servers.listMcpServerChanges)].changes[0].name] },
    }),
  ],
  [servers.removeMcpServer, (seen) => ({ params: serverOf(seen) })],
  [conversations.deleteConversation, () => ({ params: { id } })],
  [connections.removeConnection, (seen) => ({ params: connectionOf(seen) })],
  [deleteAccount, ({ email }) => ({ body: { email } })],
]

export const examples = walk

/** The example of a route as the docs show it. Throws where its answer was recorded of another schema. */
export function exampleOf(route: Route): Partial<Request & { answer: unknown }> {
  const request = walk.find(([one]) => one === route)?.[1](recorded)
  if (!request) return {}
  return { ...request, answer: route.answer?.().parse(recorded[keyOf(route)]) }
}
