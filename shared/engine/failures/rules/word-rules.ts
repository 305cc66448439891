import type { WordRule } from './word-rule.ts'
import {
  askedSetUp,
  configuration,
  corruptedSecrets,
  credentials,
  grants,
  permissions,
  scopes,
  suspensions,
} from './words-of-access.ts'
import {
  absences,
  addresses,
  badValues,
  conflicts,
  history,
  missing,
  requestBody,
  tools,
  types,
  unfitValues,
  unknownNames,
} from './words-of-calls.ts'
import { counts, longLimits, quotas, rateLimits, shortLimits, tooMuchAtOnce } from './words-of-limits.ts'
import {
  brokenPromises,
  bugs,
  cancelled,
  certificates,
  garbledAnswer,
  hosts,
  outages,
  serverFaults,
  timeouts,
} from './words-of-outages.ts'

export const permissionWords = permissions.words
export const bugWords = bugs.words
/** Said after the tool has run. */
export const brokenPromiseWords = brokenPromises.words

const limits = [tooMuchAtOnce, longLimits, rateLimits, quotas, counts]
const signIn = [configuration, scopes, credentials]
const faultsOfTheCall = [requestBody, unknownNames, types, missing]

/** Words of an error about which nothing else is known. */
export const allWords: readonly WordRule[] = [
  history,
  brokenPromises,
  bugs,
  certificates,
  garbledAnswer,
  timeouts,
  cancelled,
  ...limits,
  ...signIn,
  suspensions,
  permissions,
  tools,
  ...faultsOfTheCall,
  addresses,
  hosts,
  conflicts,
  absences,
  serverFaults,
  outages,
  badValues,
]

/** A 400 can mean anything that a caller did wrong, and now and then a fault of the server. */
export const wordsOfBadRequest: readonly WordRule[] = [
  history,
  brokenPromises,
  cancelled,
  requestBody,
  ...limits,
  ...signIn,
  suspensions,
  tools,
  ...faultsOfTheCall,
  addresses,
  conflicts,
  absences,
  permissions,
  serverFaults,
]

/** Words that say more than a status does. A status that is neither here nor 400 or 422 says all there is. */
export const wordsByStatus: Readonly<Record<number, readonly WordRule[]>> = {
  401: [longLimits, quotas, configuration, scopes, grants],
  402: [longLimits, shortLimits],
  403: [...limits, ...signIn, unfitValues],
  404: [tools],
  408: [absences],
  412: [quotas, suspensions],
  429: [tooMuchAtOnce, longLimits, rateLimits, shortLimits, quotas],
  503: [rateLimits, timeouts],
}

/** Words of a question that a tool asks: what they do not know is a missing or unfit value. */
export const wordsOfQuestion: readonly WordRule[] = [
  corruptedSecrets,
  configuration,
  askedSetUp,
  scopes,
  credentials,
  suspensions,
  permissions,
  quotas,
  conflicts,
  absences,
]
