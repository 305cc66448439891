import { deleteAccount } from './account.ts'
import { createApiToken, listApiTokens, revokeApiToken } from './api-token.ts'
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
import * as operator from './operator.ts'
import type { RefusalCode } from './refusals.ts'
import type { Route } from './route.ts'
import { followRun, getFile, listModels, stopRun, wakeRuns } from './run.ts'
import { completeSignIn, receiveSignIn, startSignIn } from './sign-in.ts'
import { postMessage } from './turn.ts'

/** Every route, in the order of the docs. Only for the docs and tests: a function imports its own. */
export const routes: readonly Route[] = [
  postMessage,
  followRun,
  stopRun,
  listModels,
  getFile,
  wakeRuns,
  listOpenItems,
  answerQuestion,
  decideApproval,
  skipItem,
  resumeRun,
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
  deleteAccount,
  operator.amOperator,
  operator.findRuns,
  operator.readRun,
  operator.stopRunOf,
  operator.listStuck,
  operator.listTools,
  operator.switchTool,
  operator.listFunctions,
  operator.offerFunction,
  operator.withdrawFunction,
]

type Refusals = { readonly [Code in RefusalCode]?: number }

const ofAll: Refusals = { internal_error: 500, database_unavailable: 503 }
const ofUsers: Refusals = { unauthorized: 401, unknown_user: 401, keys_unavailable: 503 }
const ofCallers: Readonly<Record<Route['caller'], Refusals>> = {
  user: ofUsers,
  operator: { ...ofUsers, not_an_operator: 403 },
  token: { ...ofUsers, invalid_api_key: 401 },
  clock: { unauthorized: 401 },
  link: { link_not_valid: 403, link_expired: 403 },
  anybody: {},
}
const ofBodies: Refusals = {
  bad_request: 400,
  invalid_json: 400,
  nested_too_deeply: 400,
  body_incomplete: 400,
  body_timeout: 400,
  body_too_large: 413,
  too_many_large_bodies: 429,
}

/** Every code by which a route can refuse a request, with its status. */
export function refusalsOf({ caller, body, query, refusals }: Route): Refusals {
  return {
    ...(query ? { bad_request: 400 } : {}),
    ...(body ? ofBodies : {}),
    ...ofCallers[caller],
    ...refusals,
    ...ofAll,
  }
}
