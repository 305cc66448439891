// biome-ignore-all format: a table, one error a line
import type { Resolver, ToolErrorType } from '../../../shared/engine/core/tool-error.ts'

/** Errors as providers document them. `type` and `resolver` may be one of several acceptable ones. */
export interface ProviderError {
  what: string
  status?: number
  headers?: Record<string, string>
  body?: unknown
  thrown?: unknown
  type: ToolErrorType | ToolErrorType[]
  resolver: Resolver | Resolver[]
  waitMs?: number
  parameter?: string
}

const google = (code: number, reason: string, message: string) => ({
  error: { code, message, errors: [{ domain: 'global', reason, message }] },
})
const rpc = (code: number, status: string, message: string, details?: unknown[]) => ({
  error: { code, status, message, ...(details ? { details } : {}) },
})
const openai = (message: string, type: string, code: string | null = null, param: string | null = null) => ({
  error: { message, type, code, param },
})
const anthropic = (type: string, message: string) => ({ type: 'error', error: { type, message } })
const notion = (status: number, code: string, message: string) => ({ object: 'error', status, code, message })
const slack = (error: string, more = {}) => ({ ok: false, error, ...more })
const graph = (code: string, message: string, innerError?: unknown) => ({
  error: { code, message, ...(innerError ? { innerError } : {}) },
})
const stripe = (type: string, code: string | undefined, message: string, param?: string) => ({
  error: { type, ...(code ? { code } : {}), message, ...(param ? { param } : {}) },
})
const postgrest = (code: string, message: string, details: string | null = null) => ({
  code,
  message,
  details,
  hint: null,
})

function thrown(
  message: string,
  facts: Record<string, unknown> = {},
  kind: new (message: string) => Error = Error,
): Error {
  return Object.assign(new kind(message), facts)
}

export const googleErrors: ProviderError[] = [
  { what: 'Gmail: no such message', status: 404, body: google(404, 'notFound', 'Requested entity was not found.'), type: 'not_found', resolver: 'model' },
  { what: 'Gmail: bad recipient', status: 400, body: google(400, 'invalidArgument', 'Invalid To header'), type: 'invalid_value', resolver: 'model' },
  { what: 'Gmail: no recipient', status: 400, body: google(400, 'invalidArgument', 'Recipient address required'), type: ['missing_parameter', 'invalid_value'], resolver: 'model' },
  { what: 'Gmail: user rate limit as 403', status: 403, body: google(403, 'userRateLimitExceeded', 'User Rate Limit Exceeded'), type: 'rate_limit_exceeded', resolver: 'time' },
  { what: 'Gmail: daily limit', status: 403, body: google(403, 'dailyLimitExceeded', 'Daily Limit Exceeded'), type: 'quota_exceeded', resolver: 'user' },
  { what: 'Gmail: user limit with a date', status: 429, body: google(429, 'rateLimitExceeded', 'User-rate limit exceeded.  Retry after 2026-11-21T10:00:20.000Z'), type: 'rate_limit_exceeded', resolver: 'time' },
  { what: 'Gmail: mail service not enabled', status: 400, body: google(400, 'failedPrecondition', 'Mail service not enabled'), type: ['not_configured', 'permission_denied'], resolver: 'user' },
  { what: 'Google: API disabled', status: 403, body: google(403, 'accessNotConfigured', 'Gmail API has not been used in project 123 before or it is disabled.'), type: ['not_configured'], resolver: ['user', 'nobody'] },
  { what: 'Google: scopes', status: 403, body: rpc(403, 'PERMISSION_DENIED', 'Request had insufficient authentication scopes.', [{ '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: 'ACCESS_TOKEN_SCOPE_INSUFFICIENT', domain: 'googleapis.com' }]), type: ['permission_denied', 'authentication_error'], resolver: 'user' },
  { what: 'Google: bad API key as 400', status: 400, body: rpc(400, 'INVALID_ARGUMENT', 'API key not valid. Please pass a valid API key.', [{ '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: 'API_KEY_INVALID' }]), type: 'authentication_error', resolver: 'user' },
  { what: 'Google: token expired', status: 401, body: rpc(401, 'UNAUTHENTICATED', 'Request had invalid authentication credentials. Expected OAuth 2 access token, login cookie or other valid authentication credential.'), type: 'authentication_error', resolver: 'user' },
  { what: 'Google OAuth: refresh token revoked', status: 400, body: { error: 'invalid_grant', error_description: 'Token has been expired or revoked.' }, type: 'authentication_error', resolver: 'user' },
  { what: 'Google OAuth: client unknown', status: 401, body: { error: 'invalid_client', error_description: 'The OAuth client was not found.' }, type: ['authentication_error', 'not_configured'], resolver: ['user', 'nobody'] },
  { what: 'Docs: bad index', status: 400, body: rpc(400, 'INVALID_ARGUMENT', 'Invalid requests[0].insertText: Index 42 must be less than the end index of the referenced segment, 2.'), type: 'invalid_value', resolver: 'model' },
  { what: 'Docs: unknown field', status: 400, body: rpc(400, 'INVALID_ARGUMENT', 'Invalid JSON payload received. Unknown name "titel" at \'document\': Cannot find field.'), type: 'unknown_parameter', resolver: 'model' },
  { what: 'Docs: wrong type', status: 400, body: rpc(400, 'INVALID_ARGUMENT', 'Invalid value at \'requests[0].insert_text.location.index\' (TYPE_INT32), "abc"'), type: ['invalid_type', 'invalid_value'], resolver: 'model' },
  { what: 'Drive: file not found', status: 404, body: google(404, 'notFound', 'File not found: 1AbC.'), type: 'not_found', resolver: 'model' },
  { what: 'Drive: no write access', status: 403, body: google(403, 'insufficientFilePermissions', 'The user does not have sufficient permissions for file 1AbC.'), type: 'permission_denied', resolver: 'user' },
  { what: 'Drive: storage full', status: 403, body: google(403, 'storageQuotaExceeded', "The user's Drive storage quota has been exceeded."), type: 'quota_exceeded', resolver: 'user' },
  { what: 'Drive: sharing limit', status: 403, body: google(403, 'sharingRateLimitExceeded', 'Rate limit exceeded. User message: "Sorry, you cannot share at this time."'), type: 'rate_limit_exceeded', resolver: 'time' },
  { what: 'Drive: bad share address', status: 400, body: google(400, 'invalidSharingRequest', 'Bad Request. User message: "You are trying to invite x@y. Since there is no Google account associated…"'), type: 'invalid_value', resolver: 'model' },
  { what: 'Calendar: event gone', status: 410, body: google(410, 'deleted', 'Resource has been deleted'), type: 'not_found', resolver: 'model' },
  { what: 'Calendar: empty range', status: 400, body: google(400, 'timeRangeEmpty', 'The specified time range is empty.'), type: 'invalid_value', resolver: 'model' },
  { what: 'Calendar: id taken', status: 409, body: google(409, 'duplicate', 'The requested identifier already exists.'), type: 'conflict', resolver: 'model' },
  { what: 'Calendar: changed meanwhile', status: 412, body: google(412, 'conditionNotMet', 'Precondition Failed'), type: ['conflict', 'invalid_value'], resolver: 'model' },
  { what: 'Google: required parameter', status: 400, body: { error: { code: 400, message: 'Required parameter: q', errors: [{ reason: 'required', message: 'Required parameter: q', locationType: 'parameter', location: 'q' }] } }, type: 'missing_parameter', resolver: 'model', parameter: 'q' },
  { what: 'Google: backend', status: 503, body: google(503, 'backendError', 'Backend Error'), type: 'unavailable', resolver: 'time' },
  { what: 'Google: deadline', status: 504, body: rpc(504, 'DEADLINE_EXCEEDED', 'Deadline expired before operation could complete.'), type: 'timeout', resolver: 'time' },
  { what: 'Sheets: quota of the minute', status: 429, body: rpc(429, 'RESOURCE_EXHAUSTED', "Quota exceeded for quota metric 'Read requests' and limit 'Read requests per minute per user' of service 'sheets.googleapis.com'"), type: 'rate_limit_exceeded', resolver: 'time' },
  { what: 'Sheets: bad range', status: 400, body: rpc(400, 'INVALID_ARGUMENT', 'Unable to parse range: Sheet9!A1'), type: 'invalid_value', resolver: 'model' },
  { what: 'Sheets: sheet exists', status: 400, body: rpc(400, 'INVALID_ARGUMENT', 'Invalid requests[0].addSheet: A sheet with the name "X" already exists. Please enter another name.'), type: 'conflict', resolver: 'model' },
  { what: 'Gemini: quota of the day', status: 429, body: rpc(429, 'RESOURCE_EXHAUSTED', 'You exceeded your current quota, please check your plan and billing details.', [{ '@type': 'type.googleapis.com/google.rpc.QuotaFailure', violations: [{ quotaId: 'GenerateRequestsPerDayPerProjectPerModel-FreeTier' }] }, { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '20s' }]), type: 'quota_exceeded', resolver: 'user' },
  { what: 'Gemini: overloaded', status: 503, body: rpc(503, 'UNAVAILABLE', 'The model is overloaded. Please try again later.'), type: 'unavailable', resolver: 'time' },
  { what: 'Gemini: region', status: 400, body: rpc(400, 'FAILED_PRECONDITION', 'User location is not supported for the API use.'), type: 'permission_denied', resolver: 'user' },
]

export const languageModelErrors: ProviderError[] = [
  { what: 'OpenAI: bad key', status: 401, body: openai('Incorrect API key provided: sk-proj-abcdef1234567890. You can find your API key at https://platform.openai.com/account/api-keys.', 'invalid_request_error', 'invalid_api_key'), type: 'authentication_error', resolver: 'user' },
  { what: 'OpenAI: no money', status: 429, body: openai('You exceeded your current quota, please check your plan and billing details.', 'insufficient_quota', 'insufficient_quota'), type: 'quota_exceeded', resolver: 'user' },
  { what: 'OpenAI: rate limit in words', status: 429, body: openai('Rate limit reached for gpt-4o in organization org-1 on tokens per min (TPM): Limit 30000, Used 29000, Requested 3000. Please try again in 4.2s.', 'tokens', 'rate_limit_exceeded'), type: 'rate_limit_exceeded', resolver: 'time', waitMs: 4200 },
  { what: 'OpenAI: requests of the day', status: 429, body: openai('Rate limit reached for gpt-4o on requests per day (RPD): Limit 200, Used 200, Requested 1. Please try again in 7m12s.', 'requests', 'rate_limit_exceeded'), type: ['quota_exceeded', 'rate_limit_exceeded'], resolver: ['user', 'time'] },
  { what: 'OpenAI: request larger than the limit', status: 429, body: openai('Request too large for gpt-4o on tokens per min (TPM): Limit 30000, Requested 50000.', 'tokens', 'rate_limit_exceeded'), type: ['invalid_value', 'rate_limit_exceeded'], resolver: ['model', 'nobody', 'time'] },
  { what: 'OpenAI: unknown parameter', status: 400, body: openai("Unknown parameter: 'temprature'.", 'invalid_request_error', 'unknown_parameter', 'temprature'), type: 'unknown_parameter', resolver: 'model', parameter: 'temprature' },
  { what: 'OpenAI: missing parameter', status: 400, body: openai("Missing required parameter: 'messages'.", 'invalid_request_error', 'missing_required_parameter', 'messages'), type: 'missing_parameter', resolver: 'model', parameter: 'messages' },
  { what: 'OpenAI: wrong type', status: 400, body: openai("Invalid type for 'temperature': expected a decimal, but got a string instead.", 'invalid_request_error', 'invalid_type', 'temperature'), type: ['invalid_type', 'invalid_value'], resolver: 'model', parameter: 'temperature' },
  { what: 'OpenAI: overloaded', status: 503, body: openai('That model is currently overloaded with other requests. You can retry your request.', 'server_error'), type: 'unavailable', resolver: 'time' },
  { what: 'OpenAI: history', status: 400, body: openai("An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'.", 'invalid_request_error', null, 'messages'), type: 'execution_error', resolver: 'nobody' },
  { what: 'Anthropic: overloaded', status: 529, body: anthropic('overloaded_error', 'Overloaded'), type: 'unavailable', resolver: 'time' },
  { what: 'Anthropic: bad key', status: 401, body: anthropic('authentication_error', 'invalid x-api-key'), type: 'authentication_error', resolver: 'user' },
  { what: 'Anthropic: no money as 400', status: 400, body: anthropic('invalid_request_error', 'Your credit balance is too low to access the Anthropic API. Please go to Plans & Billing to upgrade or purchase credits.'), type: 'quota_exceeded', resolver: 'user' },
  { what: 'Anthropic: history', status: 400, body: anthropic('invalid_request_error', 'messages.1: `tool_use` ids were found without `tool_result` blocks immediately after: toolu_1.'), type: 'execution_error', resolver: 'nobody' },
  { what: 'Anthropic: missing field', status: 400, body: anthropic('invalid_request_error', 'max_tokens: Field required'), type: 'missing_parameter', resolver: 'model' },
  { what: 'Anthropic: extra field', status: 400, body: anthropic('invalid_request_error', 'metadata.foo: Extra inputs are not permitted'), type: 'unknown_parameter', resolver: 'model' },
  { what: 'Anthropic: permission', status: 403, body: anthropic('permission_error', 'Your API key does not have permission to use the specified resource.'), type: 'permission_denied', resolver: 'user' },
  { what: 'Anthropic: too large', status: 413, body: anthropic('request_too_large', 'Request exceeds the maximum size'), type: 'invalid_value', resolver: 'model' },
  { what: 'Anthropic: reset header', status: 429, headers: { date: 'Sat, 21 Nov 2026 10:00:00 GMT', 'anthropic-ratelimit-requests-remaining': '0', 'anthropic-ratelimit-requests-reset': '2026-11-21T10:00:09Z' }, body: anthropic('rate_limit_error', 'This request would exceed your rate limit.'), type: 'rate_limit_exceeded', resolver: 'time', waitMs: 9000 },
  { what: 'Bedrock: throttled', status: 429, thrown: thrown('Too many requests, please wait before trying again.', { name: 'ThrottlingException', $metadata: { httpStatusCode: 429 } }), type: 'rate_limit_exceeded', resolver: 'time' },
  { what: 'Bedrock: no access', status: 403, thrown: thrown("You don't have access to the model with the specified model ID.", { name: 'AccessDeniedException' }), type: 'permission_denied', resolver: 'user' },
  { what: 'OpenRouter: no credits', status: 402, body: { error: { message: 'Insufficient credits. Add more using https://openrouter.ai/settings/credits', code: 402 } }, type: 'quota_exceeded', resolver: 'user' },
  { what: 'OpenRouter: no provider', status: 404, body: { error: { message: 'No endpoints found that support tool use.', code: 404 } }, type: 'not_found', resolver: ['model', 'user'] },
  { what: 'xAI: bad key as 400', status: 400, body: { code: 'Client specified an invalid argument', error: 'Incorrect API key provided: xa***.' }, type: 'authentication_error', resolver: 'user' },
  { what: 'Mistral: validation', status: 422, body: { object: 'error', message: { detail: [{ type: 'missing', loc: ['body', 'messages'], msg: 'Field required', input: {} }] }, type: 'invalid_request_error' }, type: 'missing_parameter', resolver: 'model', parameter: 'messages' },
  { what: 'Python client text', thrown: "Error code: 402 - {'error': {'message': 'Insufficient Balance', 'type': 'unknown_error', 'code': 'invalid_request_error'}}", type: 'quota_exceeded', resolver: 'user' },
]

export const searchErrors: ProviderError[] = [
  { what: 'Serper: bad key as 403', status: 403, body: { message: 'Unauthorized.', statusCode: 403 }, type: 'authentication_error', resolver: 'user' },
  { what: 'Serper: no credits as 400', status: 400, body: { message: 'Not enough credits', statusCode: 400 }, type: 'quota_exceeded', resolver: 'user' },
  { what: 'Serper: missing query', status: 400, body: { message: 'Missing query parameter', statusCode: 400 }, type: 'missing_parameter', resolver: 'model' },
  { what: 'SerpAPI: bad key', status: 401, body: { error: 'Invalid API key. Your API key should be here: https://serpapi.com/manage-api-key' }, type: 'authentication_error', resolver: 'user' },
  { what: 'SerpAPI: out of searches', status: 429, body: { error: 'Your account has run out of searches.' }, type: 'quota_exceeded', resolver: 'user' },
  { what: 'SerpAPI: missing q', status: 400, body: { error: 'Missing query `q` parameter.' }, type: 'missing_parameter', resolver: 'model' },
  { what: 'SerpAPI: unsupported location', status: 400, body: { error: 'Unsupported `Atlantis` location - location parameter.' }, type: 'invalid_value', resolver: 'model' },
  { what: 'SerpAPI: hourly limit', status: 429, body: { error: 'You are exceeding 200 searches per hour. Our team has been notified, and we will be in touch shortly.' }, type: 'rate_limit_exceeded', resolver: 'time' },
  { what: 'Brave: rate', status: 429, headers: { 'x-ratelimit-remaining': '0, 1842', 'x-ratelimit-reset': '1, 419704' }, body: { type: 'ErrorResponse', error: { id: 'x', status: 429, code: 'RATE_LIMITED', detail: 'Request rate limit exceeded for plan.', meta: { plan: 'Free', rate_limit: 1, quota_limit: 2000 } } }, type: 'rate_limit_exceeded', resolver: 'time', waitMs: 1000 },
  { what: 'Brave: month used up', status: 429, headers: { 'x-ratelimit-remaining': '0, 0', 'x-ratelimit-reset': '1, 419704' }, body: { type: 'ErrorResponse', error: { id: 'x', status: 429, code: 'RATE_LIMITED', detail: 'Request rate limit exceeded for plan.' } }, type: 'quota_exceeded', resolver: 'user' },
  { what: 'Brave: bad key as 422', status: 422, body: { type: 'ErrorResponse', error: { id: 'x', status: 422, detail: 'The provided subscription token is invalid.', code: 'SUBSCRIPTION_TOKEN_INVALID', meta: { component: 'authentication' } } }, type: 'authentication_error', resolver: 'user' },
  { what: 'Brave: bad count', status: 422, body: { type: 'ErrorResponse', error: { id: 'x', status: 422, detail: 'Unable to validate request parameter(s)', meta: { errors: [{ type: 'less_than_equal', loc: ['query', 'count'], msg: 'Input should be less than or equal to 20', input: '50', ctx: { le: 20 } }] }, code: 'VALIDATION' } }, type: 'invalid_value', resolver: 'model', parameter: 'count' },
  { what: 'Tavily: bad key', status: 401, body: { detail: { error: 'Unauthorized: missing or invalid API key.' } }, type: 'authentication_error', resolver: 'user' },
  { what: 'Tavily: plan limit', status: 432, body: { detail: { error: "This request exceeds your plan's set usage limit. Please upgrade your plan or contact support@tavily.com" } }, type: 'quota_exceeded', resolver: 'user' },
  { what: 'Tavily: rate', status: 429, body: { detail: { error: 'Your request has been blocked due to excessive requests. Please reduce rate of requests.' } }, type: 'rate_limit_exceeded', resolver: 'time' },
  { what: 'Tavily: bad topic', status: 400, body: { detail: { error: "Invalid topic. Must be 'general' or 'news'." } }, type: 'invalid_value', resolver: 'model' },
]

export const workspaceErrors: ProviderError[] = [
  { what: 'Notion: not shared', status: 404, body: notion(404, 'object_not_found', 'Could not find page with ID: 5331da24. Make sure the relevant pages and databases are shared with your integration.'), type: 'not_found', resolver: 'model' },
  { what: 'Notion: bad token', status: 401, body: notion(401, 'unauthorized', 'API token is invalid.'), type: 'authentication_error', resolver: 'user' },
  { what: 'Notion: restricted', status: 403, body: notion(403, 'restricted_resource', 'Insufficient permissions for this endpoint.'), type: 'permission_denied', resolver: 'user' },
  { what: 'Notion: missing property', status: 400, body: notion(400, 'validation_error', 'body failed validation: body.parent.page_id should be defined, instead was `undefined`.'), type: ['missing_parameter', 'invalid_value'], resolver: 'model' },
  { what: 'Notion: wrong type', status: 400, body: notion(400, 'validation_error', 'body failed validation: body.page_size should be a number or `undefined`, instead was `"ten"`.'), type: ['invalid_type', 'invalid_value'], resolver: 'model' },
  { what: 'Notion: conflict', status: 409, body: notion(409, 'conflict_error', 'Conflict occurred while saving. Please try again.'), type: 'conflict', resolver: 'model' },
  { what: 'Notion: limited', status: 429, headers: { 'retry-after': '3' }, body: notion(429, 'rate_limited', 'You have been rate limited. Please try again in a few minutes.'), type: 'rate_limit_exceeded', resolver: 'time', waitMs: 3000 },
  { what: 'Slack: channel', status: 200, body: slack('channel_not_found'), type: 'not_found', resolver: 'model' },
  { what: 'Slack: token', status: 200, body: slack('token_revoked'), type: 'authentication_error', resolver: 'user' },
  { what: 'Slack: scope', status: 200, body: slack('missing_scope', { needed: 'chat:write', provided: 'identify' }), type: 'permission_denied', resolver: 'user' },
  { what: 'Slack: not a member', status: 200, body: slack('not_in_channel'), type: 'permission_denied', resolver: ['user', 'model'] },
  { what: 'Slack: too long', status: 200, body: slack('msg_too_long'), type: 'invalid_value', resolver: 'model' },
  { what: 'Slack: name taken', status: 200, body: slack('name_taken'), type: 'conflict', resolver: 'model' },
  { what: 'Slack: internal', status: 200, body: slack('internal_error'), type: 'unavailable', resolver: 'time' },
  { what: 'Slack: arguments', status: 200, body: slack('invalid_arguments', { response_metadata: { messages: ['[ERROR] missing required field: channel'] } }), type: ['invalid_value', 'missing_parameter'], resolver: 'model' },
  { what: 'Slack: undocumented code', status: 200, body: slack('restricted_thread_locked'), type: ['permission_denied', 'conflict'], resolver: ['user', 'model'] },
  { what: 'Slack SDK', thrown: thrown('An API error occurred: invalid_auth', { code: 'slack_webapi_platform_error', data: { ok: false, error: 'invalid_auth' } }), type: 'authentication_error', resolver: 'user' },
  { what: 'Graph: token', status: 401, body: graph('InvalidAuthenticationToken', 'Access token has expired or is not yet valid.'), type: 'authentication_error', resolver: 'user' },
  { what: 'Graph: rights', status: 403, body: graph('Authorization_RequestDenied', 'Insufficient privileges to complete the operation.'), type: 'permission_denied', resolver: 'user' },
  { what: 'Graph: item', status: 404, body: graph('itemNotFound', 'The resource could not be found.'), type: 'not_found', resolver: 'model' },
  { what: 'Graph: user', status: 404, body: graph('Request_ResourceNotFound', "Resource 'x' does not exist or one of its queried reference-property objects are not present."), type: 'not_found', resolver: 'model' },
  { what: 'Graph: name exists', status: 409, body: graph('nameAlreadyExists', 'The specified item name already exists.'), type: 'conflict', resolver: 'model' },
  { what: 'Graph: throttled', status: 429, headers: { 'Retry-After': '10' }, body: graph('TooManyRequests', 'Please retry again later.'), type: 'rate_limit_exceeded', resolver: 'time', waitMs: 10000 },
  { what: 'Graph: mailbox', status: 404, body: graph('MailboxNotEnabledForRESTAPI', 'The mailbox is either inactive, soft-deleted, or is hosted on-premise.'), type: ['not_configured', 'not_found', 'permission_denied'], resolver: 'user' },
  { what: 'Graph: recipients', status: 400, body: graph('ErrorInvalidRecipients', 'At least one recipient is not valid.'), type: 'invalid_value', resolver: 'model' },
  { what: 'Graph: quota', status: 507, body: graph('quotaLimitReached', 'The user has reached their quota limit.'), type: 'quota_exceeded', resolver: 'user' },
  { what: 'Graph: invalid filter', status: 400, body: graph('BadRequest', "Invalid filter clause: Syntax error at position 4 in 'a eqq b'."), type: 'invalid_value', resolver: 'model' },
  { what: 'Graph: property missing', status: 400, body: graph('Request_BadRequest', "A value is required for property 'displayName' of resource 'User'."), type: ['missing_parameter', 'invalid_value'], resolver: 'model' },
  { what: 'Entra: consent', status: 400, body: { error: 'invalid_grant', error_description: 'AADSTS65001: The user or administrator has not consented to use the application.', error_codes: [65001] }, type: ['authentication_error', 'permission_denied'], resolver: 'user' },
  { what: 'SharePoint: locked', status: 423, body: graph('resourceLocked', 'The resource you are attempting to access is locked'), type: 'conflict', resolver: ['model', 'time'] },
  { what: 'GitHub: bad credentials', status: 401, body: { message: 'Bad credentials', documentation_url: 'https://docs.github.com/rest' }, type: 'authentication_error', resolver: 'user' },
  { what: 'GitHub: secondary limit', status: 403, headers: { 'retry-after': '60' }, body: { message: 'You have exceeded a secondary rate limit. Please wait a few minutes before you try again.', documentation_url: 'https://docs.github.com/rest' }, type: 'rate_limit_exceeded', resolver: 'time', waitMs: 60000 },
  { what: 'GitHub: token lacks access', status: 403, body: { message: 'Resource not accessible by personal access token', documentation_url: 'https://docs.github.com/rest' }, type: 'permission_denied', resolver: 'user' },
  { what: 'GitHub: missing field', status: 422, body: { message: 'Validation Failed', errors: [{ resource: 'Issue', field: 'title', code: 'missing_field' }] }, type: 'missing_parameter', resolver: 'model', parameter: 'title' },
  { what: 'GitHub: exists', status: 422, body: { message: 'Repository creation failed.', errors: [{ resource: 'Repository', code: 'custom', field: 'name', message: 'name already exists on this account' }] }, type: 'conflict', resolver: 'model', parameter: 'name' },
  { what: 'GitHub: merge conflict', status: 409, body: { message: 'Merge conflict' }, type: 'conflict', resolver: 'model' },
  { what: 'GitHub: bad JSON', status: 400, body: { message: 'Problems parsing JSON', documentation_url: 'https://docs.github.com/rest' }, type: ['invalid_value', 'malformed_arguments'], resolver: ['model', 'nobody'] },
  { what: 'GitHub: repository blocked', status: 451, body: { message: 'Repository access blocked', block: { reason: 'dmca' } }, type: 'permission_denied', resolver: ['user', 'nobody'] },
]

export const messagingErrors: ProviderError[] = [
  { what: 'Stripe: missing', status: 400, body: stripe('invalid_request_error', 'parameter_missing', 'Missing required param: amount.', 'amount'), type: 'missing_parameter', resolver: 'model', parameter: 'amount' },
  { what: 'Stripe: unknown', status: 400, body: stripe('invalid_request_error', 'parameter_unknown', 'Received unknown parameter: amuont', 'amuont'), type: 'unknown_parameter', resolver: 'model', parameter: 'amuont' },
  { what: 'Stripe: no such customer', status: 404, body: stripe('invalid_request_error', 'resource_missing', "No such customer: 'cus_1'", 'customer'), type: 'not_found', resolver: 'model', parameter: 'customer' },
  { what: 'Stripe: bad integer', status: 400, body: stripe('invalid_request_error', 'parameter_invalid_integer', 'Invalid integer: 10.5', 'amount'), type: ['invalid_value', 'invalid_type'], resolver: 'model' },
  { what: 'Stripe: bad key', status: 401, body: stripe('invalid_request_error', undefined, 'Invalid API Key provided: sk_test_****1234'), type: 'authentication_error', resolver: 'user' },
  { what: 'Stripe: card', status: 402, body: stripe('card_error', 'card_declined', 'Your card was declined.'), type: ['permission_denied', 'quota_exceeded', 'invalid_value'], resolver: 'user' },
  { what: 'Stripe: too many', status: 429, body: stripe('invalid_request_error', 'rate_limit', 'Too many requests hit the API too quickly.'), type: 'rate_limit_exceeded', resolver: 'time' },
  { what: 'Stripe: idempotency', status: 400, body: stripe('idempotency_error', undefined, 'Keys for idempotent requests can only be used with the same parameters they were first used with.'), type: ['conflict', 'invalid_value'], resolver: 'model' },
  { what: 'Twilio: number', status: 400, body: { code: 21211, message: "The 'To' number +1555 is not a valid phone number.", more_info: 'https://www.twilio.com/docs/errors/21211', status: 400 }, type: 'invalid_value', resolver: 'model' },
  { what: 'Twilio: auth', status: 401, body: { code: 20003, message: 'Authenticate', more_info: 'https://www.twilio.com/docs/errors/20003', status: 401 }, type: 'authentication_error', resolver: 'user' },
  { what: 'Twilio: no body', status: 400, body: { code: 21602, message: 'Message body is required.', status: 400 }, type: 'missing_parameter', resolver: 'model' },
  { what: 'Twilio: too many', status: 429, body: { code: 20429, message: 'Too Many Requests', status: 429 }, type: 'rate_limit_exceeded', resolver: 'time' },
  { what: 'SendGrid: sender', status: 403, body: { errors: [{ message: 'The from address does not match a verified Sender Identity.', field: 'from', help: null }] }, type: 'permission_denied', resolver: 'user' },
  { what: 'SendGrid: no recipients', status: 400, body: { errors: [{ message: 'The personalizations field is required and must have at least one personalization.', field: 'personalizations', help: 'http://sendgrid.com/docs' }] }, type: 'missing_parameter', resolver: 'model', parameter: 'personalizations' },
  { what: 'SendGrid: bad address', status: 400, body: { errors: [{ message: 'Does not contain a valid address.', field: 'personalizations.0.to.0.email', help: null }] }, type: 'invalid_value', resolver: 'model', parameter: 'personalizations[0].to[0].email' },
  { what: 'SendGrid: credits', status: 401, body: { errors: [{ message: 'Maximum credits exceeded', field: null, help: null }] }, type: 'quota_exceeded', resolver: 'user' },
  { what: 'SendGrid: too large', status: 413, body: { errors: [{ message: 'Payload too large', field: null }] }, type: 'invalid_value', resolver: 'model' },
  { what: 'Mailgun: key as text', status: 401, body: 'Forbidden', type: 'authentication_error', resolver: 'user' },
  { what: 'Mailgun: to', status: 400, body: { message: "'to' parameter is not a valid address. please check documentation" }, type: 'invalid_value', resolver: 'model' },
  { what: 'Mailgun: missing', status: 400, body: { message: 'from parameter is missing' }, type: 'missing_parameter', resolver: 'model' },
  { what: 'Mailgun: domain', status: 404, body: { message: 'Domain not found: mg.example.com' }, type: 'not_found', resolver: ['model', 'user'] },
  { what: 'Mailgun: probation', status: 420, body: { message: 'Domain mg.example.com is not allowed to send: recipient limit exceeded, try again after Sat, 21 Nov 2026 11:00:00 UTC' }, type: ['quota_exceeded', 'rate_limit_exceeded', 'permission_denied'], resolver: ['user', 'time'] },
  { what: 'Resend: missing field', status: 422, body: { statusCode: 422, message: 'Missing `to` field.', name: 'missing_required_field' }, type: 'missing_parameter', resolver: 'model' },
  { what: 'Resend: bad key', status: 400, body: { statusCode: 400, message: 'API key is invalid', name: 'validation_error' }, type: 'authentication_error', resolver: 'user' },
  { what: 'Resend: domain', status: 403, body: { statusCode: 403, message: 'The example.com domain is not verified. Please, add and verify your domain.', name: 'validation_error' }, type: ['permission_denied', 'not_configured'], resolver: 'user' },
  { what: 'Resend: day', status: 429, body: { statusCode: 429, message: 'You have reached your daily email sending quota.', name: 'daily_quota_exceeded' }, type: 'quota_exceeded', resolver: 'user' },
  { what: 'Resend: rate', status: 429, headers: { 'retry-after': '1' }, body: { statusCode: 429, message: 'Too many requests. You can only make 2 requests per second.', name: 'rate_limit_exceeded' }, type: 'rate_limit_exceeded', resolver: 'time', waitMs: 1000 },
]

export const runtimeErrors: ProviderError[] = [
  { what: 'a socket: refused', thrown: thrown('connect ECONNREFUSED 127.0.0.1:25', { code: 'ESOCKET', errno: -111, syscall: 'connect' }), type: 'unavailable', resolver: 'time' },
  { what: 'Node: refused inside fetch', thrown: new TypeError('fetch failed', { cause: thrown('connect ECONNREFUSED 127.0.0.1:1', { code: 'ECONNREFUSED', errno: -111, syscall: 'connect' }) }), type: 'unavailable', resolver: 'time' },
  { what: 'Node: several addresses refused', thrown: new TypeError('fetch failed', { cause: Object.assign(new AggregateError([thrown('connect ECONNREFUSED ::1:1', { code: 'ECONNREFUSED' })]), { code: 'ECONNREFUSED' }) }), type: 'unavailable', resolver: 'time' },
  { what: 'undici: headers timeout', thrown: new TypeError('fetch failed', { cause: thrown('Headers Timeout Error', { name: 'HeadersTimeoutError', code: 'UND_ERR_HEADERS_TIMEOUT' }) }), type: 'timeout', resolver: 'time' },
  { what: 'undici: other side closed', thrown: new TypeError('fetch failed', { cause: thrown('other side closed', { name: 'SocketError', code: 'UND_ERR_SOCKET' }) }), type: 'unavailable', resolver: 'time' },
  { what: 'Node: reset', thrown: thrown('read ECONNRESET', { code: 'ECONNRESET', errno: -104, syscall: 'read' }), type: 'unavailable', resolver: 'time' },
  { what: 'Node: hang up', thrown: thrown('socket hang up', { code: 'ECONNRESET' }), type: 'unavailable', resolver: 'time' },
  { what: 'Node: DNS later', thrown: thrown('getaddrinfo EAI_AGAIN api.example.com', { code: 'EAI_AGAIN', syscall: 'getaddrinfo' }), type: 'unavailable', resolver: 'time' },
  { what: 'Node: certificate', thrown: new TypeError('fetch failed', { cause: thrown('certificate has expired', { code: 'CERT_HAS_EXPIRED' }) }), type: ['execution_error', 'unavailable'], resolver: ['nobody', 'user'] },
  { what: 'Deno: refused', thrown: new TypeError('error sending request for url (http://127.0.0.1:1/): client error (Connect): tcp connect error: Connection refused (os error 111)'), type: 'unavailable', resolver: 'time' },
  { what: 'Deno: DNS', thrown: new TypeError('error sending request for url (http://nope.invalid/): client error (Connect): dns error: failed to lookup address information: Name or service not known'), type: ['not_found', 'unavailable'], resolver: ['model', 'time'] },
  { what: 'Deno: refused by name', thrown: thrown('Connection refused (os error 111)', { name: 'ConnectionRefused' }), type: 'unavailable', resolver: 'time' },
  { what: 'Deno: no file', thrown: thrown("No such file or directory (os error 2): readfile '/srv/app/notes.txt'", { name: 'NotFound' }), type: 'not_found', resolver: 'model' },
  { what: 'Deno: not allowed', thrown: thrown('Requires net access to "example.com:443", run again with the --allow-net flag', { name: 'NotCapable' }), type: 'permission_denied', resolver: ['user', 'nobody'] },
  { what: 'web: timeout', thrown: new DOMException('The operation timed out.', 'TimeoutError'), type: 'timeout', resolver: 'time' },
  { what: 'web: abort', thrown: new DOMException('This operation was aborted', 'AbortError'), type: 'cancelled', resolver: 'nobody' },
  { what: 'axios: 404', thrown: thrown('Request failed with status code 404', { name: 'AxiosError', code: 'ERR_BAD_REQUEST', response: { status: 404, data: { message: 'no such thing' }, headers: {} } }), type: 'not_found', resolver: 'model' },
  { what: 'axios: timeout', thrown: thrown('timeout of 1000ms exceeded', { name: 'AxiosError', code: 'ECONNABORTED' }), type: ['timeout', 'unavailable'], resolver: 'time' },
  { what: 'Node: no file', thrown: thrown("ENOENT: no such file or directory, open '/var/task/data/notes.txt'", { code: 'ENOENT', errno: -2, syscall: 'open' }), type: 'not_found', resolver: 'model' },
  { what: 'Node: no rights', thrown: thrown("EACCES: permission denied, open '/etc/shadow'", { code: 'EACCES', errno: -13 }), type: 'permission_denied', resolver: 'user' },
  { what: 'Node: exists', thrown: thrown("EEXIST: file already exists, mkdir 'x'", { code: 'EEXIST' }), type: 'conflict', resolver: 'model' },
  { what: 'Node: disk full', thrown: thrown('ENOSPC: no space left on device, write', { code: 'ENOSPC' }), type: 'quota_exceeded', resolver: ['user', 'nobody'] },
  { what: 'a bug', thrown: new TypeError("Cannot read properties of undefined (reading 'map')"), type: 'execution_error', resolver: 'nobody' },
  { what: 'a bug of another kind', thrown: new ReferenceError('foo is not defined'), type: 'execution_error', resolver: 'nobody' },
  { what: 'a page instead of JSON', thrown: new SyntaxError('Unexpected token \'<\', "<!DOCTYPE "... is not valid JSON'), type: 'unavailable', resolver: 'time' },
  { what: 'HTML of a proxy', status: 502, body: '<html>\n<head><title>502 Bad Gateway</title></head>\n<body><center><h1>502 Bad Gateway</h1></center><hr><center>nginx</center></body></html>', type: 'unavailable', resolver: 'time' },
  { what: 'HTML without a status', thrown: '<!DOCTYPE html><html><head><title>503 Service Temporarily Unavailable</title></head><body></body></html>', type: 'unavailable', resolver: 'time' },
  { what: 'HTML of a sign-in page', status: 200, body: '<!doctype html><html><head><title>Just a moment...</title></head><body></body></html>', type: ['unavailable', 'execution_error'], resolver: ['time', 'nobody'] },
  { what: 'HTTP line', thrown: new Error('HTTP 404 Not Found'), type: 'not_found', resolver: 'model' },
  { what: 'status and JSON in a text', thrown: new Error('HTTP 429: {"error":{"message":"slow down","code":"rate_limited"}}'), type: 'rate_limit_exceeded', resolver: 'time' },
  { what: 'nothing but an exit code', thrown: { exitCode: 1, stdout: '', stderr: 'fatal: repository not found' }, type: 'not_found', resolver: 'model' },
]

export const databaseErrors: ProviderError[] = [
  { what: 'unique', thrown: thrown('duplicate key value violates unique constraint "users_email_key"', { name: 'PostgresError', code: '23505', severity: 'ERROR', detail: 'Key (email)=(a@b.c) already exists.' }), type: 'conflict', resolver: 'model' },
  { what: 'not null', thrown: thrown('null value in column "title" of relation "docs" violates not-null constraint', { code: '23502', column: 'title' }), type: 'missing_parameter', resolver: 'model', parameter: 'title' },
  { what: 'foreign key', status: 409, body: postgrest('23503', 'insert or update on table "a" violates foreign key constraint', 'Key (b_id)=(9) is not present in table "b".'), type: ['conflict', 'not_found', 'invalid_value'], resolver: 'model' },
  { what: 'check', status: 400, body: postgrest('23514', 'new row for relation "a" violates check constraint "positive"'), type: ['invalid_value', 'conflict'], resolver: 'model' },
  { what: 'bad uuid', status: 400, body: postgrest('22P02', 'invalid input syntax for type uuid: "abc"'), type: ['invalid_value', 'invalid_type'], resolver: 'model' },
  { what: 'row level security', status: 403, body: postgrest('42501', 'new row violates row-level security policy for table "notes"'), type: 'permission_denied', resolver: 'user' },
  { what: 'no table', status: 404, body: postgrest('PGRST205', "Could not find the table 'public.note' in the schema cache"), type: 'not_found', resolver: ['model', 'nobody'] },
  { what: 'no row', status: 406, body: postgrest('PGRST116', 'JSON object requested, multiple (or no) rows returned', 'The result contains 0 rows'), type: 'not_found', resolver: 'model' },
  { what: 'JWT expired', status: 401, body: postgrest('PGRST303', 'JWT expired'), type: 'authentication_error', resolver: 'user' },
  { what: 'statement timeout', status: 500, body: postgrest('57014', 'canceling statement due to statement timeout'), type: 'timeout', resolver: 'time' },
  { what: 'too many connections', thrown: thrown('sorry, too many clients already', { code: '53300', severity: 'FATAL' }), type: ['unavailable', 'rate_limit_exceeded'], resolver: 'time' },
  { what: 'deadlock', thrown: thrown('deadlock detected', { code: '40P01', severity: 'ERROR' }), type: ['unavailable', 'conflict'], resolver: 'time' },
  { what: 'date out of range', thrown: thrown('date/time field value out of range: "2025-13-01"', { code: '22008', severity: 'ERROR' }), type: 'invalid_value', resolver: 'model' },
  { what: 'Supabase auth', status: 400, thrown: thrown('Invalid login credentials', { name: 'AuthApiError', status: 400, code: 'invalid_credentials' }), type: 'authentication_error', resolver: 'user' },
  { what: 'Supabase storage: exists', status: 400, body: { statusCode: '409', error: 'Duplicate', message: 'The resource already exists' }, type: 'conflict', resolver: 'model' },
  { what: 'Supabase storage: missing', status: 400, body: { statusCode: '404', error: 'not_found', message: 'Object not found' }, type: 'not_found', resolver: 'model' },
]

export const protocolErrors: ProviderError[] = [
  { what: 'MCP: tool text', thrown: { isError: true, content: [{ type: 'text', text: 'Error: Issue #42 not found in acme/app' }] }, type: 'not_found', resolver: 'model' },
  { what: 'MCP: invalid params', thrown: thrown('MCP error -32602: Invalid arguments for tool send: [{"code":"invalid_type","expected":"string","path":["to"],"message":"Invalid input: expected string, received undefined"}]', { name: 'McpError', code: -32602 }), type: 'missing_parameter', resolver: 'model', parameter: 'to' },
  { what: 'MCP: unknown tool', thrown: thrown('MCP error -32602: Tool sendd not found', { name: 'McpError', code: -32602 }), type: ['not_found', 'tool_not_found'], resolver: 'model' },
  { what: 'MCP: timeout', thrown: thrown('MCP error -32001: Request timed out', { name: 'McpError', code: -32001 }), type: 'timeout', resolver: 'time' },
  { what: 'MCP: closed', thrown: thrown('MCP error -32000: Connection closed', { name: 'McpError', code: -32000 }), type: 'unavailable', resolver: 'time' },
  { what: 'MCP: internal', thrown: thrown('MCP error -32603: Internal error', { name: 'McpError', code: -32603 }), type: ['execution_error', 'unavailable'], resolver: ['nobody', 'time'] },
  { what: 'JSON-RPC body', status: 200, body: { jsonrpc: '2.0', id: 1, error: { code: -32601, message: 'Method not found' } }, type: ['not_found', 'execution_error'], resolver: ['model', 'nobody'] },
  { what: 'RFC 9457', status: 400, body: { type: 'https://example.com/probs/out-of-range', title: 'Value out of range', detail: 'count must be between 1 and 10', status: 400 }, type: 'invalid_value', resolver: 'model' },
  { what: 'FastAPI: type', status: 422, body: { detail: [{ type: 'int_parsing', loc: ['query', 'limit'], msg: 'Input should be a valid integer, unable to parse string as an integer', input: 'x' }] }, type: 'invalid_type', resolver: 'model', parameter: 'limit' },
  { what: 'FastAPI: text', status: 401, body: { detail: 'Not authenticated' }, type: 'authentication_error', resolver: 'user' },
  { what: 'GraphQL', status: 200, body: { data: null, errors: [{ message: 'Cannot query field "nme" on type "User".', extensions: { code: 'GRAPHQL_VALIDATION_FAILED' } }] }, type: ['invalid_value', 'unknown_parameter'], resolver: 'model' },
  { what: 'ajv', thrown: { errors: [{ instancePath: '/to/0', keyword: 'type', params: { type: 'string' }, message: 'must be string' }] }, type: 'invalid_type', resolver: 'model', parameter: 'to[0]' },
  { what: 'Discord', status: 429, body: { message: 'You are being rate limited.', retry_after: 0.65, global: false }, type: 'rate_limit_exceeded', resolver: 'time', waitMs: 650 },
  { what: 'Telegram', status: 400, body: { ok: false, error_code: 400, description: 'Bad Request: chat not found' }, type: 'not_found', resolver: 'model' },
  { what: 'Telegram: limited', status: 429, body: { ok: false, error_code: 429, description: 'Too Many Requests: retry after 35', parameters: { retry_after: 35 } }, type: 'rate_limit_exceeded', resolver: 'time', waitMs: 35000 },
  { what: 'AWS S3', status: 404, thrown: thrown('The specified key does not exist.', { name: 'NoSuchKey', $metadata: { httpStatusCode: 404 } }), type: 'not_found', resolver: 'model' },
  { what: 'AWS SES', status: 400, thrown: thrown('Email address is not verified. The following identities failed the check in region EU-WEST-1: a@b.c', { name: 'MessageRejected' }), type: ['permission_denied', 'invalid_value', 'not_configured'], resolver: ['user', 'model'] },
  { what: 'Maps: denied', status: 200, body: { error_message: 'The provided API key is invalid.', results: [], status: 'REQUEST_DENIED' }, type: 'authentication_error', resolver: 'user' },
]
