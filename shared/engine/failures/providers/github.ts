import type { CodeTable } from '../rules/verdict.ts'

/** GitHub: `errors[].code` of a 422; rate limits are a 403 or 429 with words and `x-ratelimit-*` headers. */
export const githubCodes: CodeTable = [
  [{ type: 'missing_parameter' }, 'missing_field'],
  [{ type: 'conflict' }, 'already_exists'],
  [{ type: 'not_found' }, 'missing'],
  [{ type: 'invalid_value' }, 'unprocessable'],
]
