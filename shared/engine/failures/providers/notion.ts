import type { CodeTable } from '../rules/verdict.ts'

/** Notion: `code` beside `object: "error"`. */
export const notionCodes: CodeTable = [
  [{ as: 429 }, 'rate_limited'],
  [{ as: 401 }, 'unauthorized'],
  [{ type: 'permission_denied' }, 'restricted_resource'],
  [{ type: 'not_found' }, 'object_not_found database_connection_not_found'],
  [{ type: 'conflict' }, 'conflict_error'],
  [{ type: 'missing_parameter' }, 'missing_version'],
  [{ type: 'invalid_value' }, 'invalid_json invalid_request_url'],
  [{ type: 'unavailable' }, 'database_connection_unavailable service_unavailable internal_server_error'],
  [{ type: 'timeout' }, 'gateway_timeout notionhq_client_request_timeout'],
  [{ as: 400 }, 'validation_error invalid_request'],
]
