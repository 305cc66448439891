import { deleteAccount } from './account.ts'
import { createApiToken, listApiTokens, revokeApiToken, revokeApiTokens } from './api-token.ts'
import {
  changeConnection,
  createConnection,
  listProviders,
  removeConnection,
  testConnection,
} from './connection.ts'
import {
  changeConversation,
  deleteConversation,
  getConversation,
  listConversations,
  listOpenItems,
  rateMessage,
} from './conversation.ts'
import { answerQuestion, decideApproval, resumeRun, skipItem } from './decision.ts'
import { changeDigestSetting, openUnsubscribe, readDigestSetting, unsubscribe } from './digest.ts'
import {
  createItemLink,
  decideForGroup,
  decideLinkedItem,
  listApprovals,
  listItemLinks,
  readApproval,
  readLinkedItem,
  revokeItemLink,
} from './item-link.ts'
import { changeMcpGrant, listMcpGrants, makeMcpGrant, revokeMcpGrant } from './mcp-grant.ts'
import * as servers from './mcp-server.ts'
import * as operator from './operator.ts'
import { addPermission, listPermissions, revokePermission } from './permission.ts'
import type { RefusalCode } from './refusals.ts'
import type { Route } from './route.ts'
import { checkHealth, followRun, getFile, listModels, stopRun, uploadFile, wakeRuns } from './run.ts'
import { addSchedule, changeSchedule, deleteSchedule, listSchedules, runSchedule } from './schedule.ts'
import { completeSignIn, receiveSignIn, startSignIn } from './sign-in.ts'
import { listTools } from './tool.ts'
import { postMessage } from './turn.ts'
import { askFirst, listUnaskedTools } from './unasked-tool.ts'

/** Every route, in the order of the docs. Only for the docs and tests: a function imports its own. */
export const routes: readonly Route[] = [
  postMessage,
  followRun,
  stopRun,
  listModels,
  listTools,
  uploadFile,
  getFile,
  wakeRuns,
  checkHealth,
  listOpenItems,
  answerQuestion,
  decideApproval,
  skipItem,
  resumeRun,
  createItemLink,
  listItemLinks,
  revokeItemLink,
  readLinkedItem,
  decideLinkedItem,
  listApprovals,
  readApproval,
  decideForGroup,
  listPermissions,
  addPermission,
  revokePermission,
  listSchedules,
  addSchedule,
  changeSchedule,
  deleteSchedule,
  runSchedule,
  listUnaskedTools,
  askFirst,
  listConversations,
  getConversation,
  changeConversation,
  rateMessage,
  deleteConversation,
  listProviders,
  createConnection,
  changeConnection,
  testConnection,
  removeConnection,
  startSignIn,
  receiveSignIn,
  completeSignIn,
  listApiTokens,
  createApiToken,
  revokeApiToken,
  revokeApiTokens,
  listMcpGrants,
  makeMcpGrant,
  changeMcpGrant,
  revokeMcpGrant,
  servers.listMcpServers,
  servers.addMcpServer,
  servers.changeMcpServer,
  servers.removeMcpServer,
  servers.refreshMcpServer,
  servers.listMcpServerChanges,
  servers.acceptMcpServerChanges,
  readDigestSetting,
  changeDigestSetting,
  openUnsubscribe,
  unsubscribe,
  deleteAccount,
  operator.amOperator,
  operator.findRuns,
  operator.readRun,
  operator.stopRunOf,
  operator.listStuck,
  operator.readInsights,
  operator.exportDecisions,
  operator.listTools,
  operator.switchTool,
  operator.listLimits,
  operator.changeLimit,
  operator.listFunctions,
  operator.offerFunction,
  operator.withdrawFunction,
]

type Refusals = readonly RefusalCode[]

const ofAll: Refusals = ['internal_error', 'database_busy', 'database_unavailable']
const ofAccounts: Refusals = ['unknown_user', 'account_disabled', 'anonymous_refused']
const ofUsers: Refusals = [
  'unauthorized',
  'foreign_issuer',
  'foreign_client',
  ...ofAccounts,
  'keys_unavailable',
]
const ofCallers: Readonly<Record<Route['caller'], Refusals>> = {
  user: ofUsers,
  operator: [...ofUsers, 'not_an_operator'],
  token: [...ofUsers, 'invalid_api_key'],
  clock: ['unauthorized'],
  link: ['link_not_valid', 'link_expired', ...ofAccounts],
  'item-link': ['link_not_valid', 'link_expired', ...ofUsers],
  anybody: [],
}
const ofBodies: Refusals = [
  'bad_request',
  'invalid_json',
  'nested_too_deeply',
  'body_incomplete',
  'body_timeout',
  'body_too_large',
  'too_many_large_bodies',
]

/** Every code by which a route can refuse a request. */
export function refusalsOf({ caller, decides, body, query, refusals = [] }: Route): ReadonlySet<RefusalCode> {
  return new Set([
    ...(query ? (['bad_request'] as const) : []),
    ...(body ? ofBodies : []),
    ...ofCallers[caller],
    ...(decides ? (['second_factor_required'] as const) : []),
    ...refusals,
    ...ofAll,
  ])
}
