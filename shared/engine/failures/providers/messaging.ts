import type { CodeTable } from '../rules/verdict.ts'

/** Twilio (numeric `code`), SendGrid, Mailgun and Resend (`name`). */
export const messagingCodes: CodeTable = [
  [{ as: 429 }, '#20429 #14107 #63018 rate_limit_exceeded'],
  [{ type: 'quota_exceeded' }, '#30001 #20005 #63038 monthly_quota_exceeded daily_quota_exceeded'],
  [{ type: 'authentication_error' }, '#20003 #20104 missing_api_key invalid_api_key'],
  [
    { type: 'permission_denied' },
    '#21408 #21608 #21610 #21612 #30007 #20008 restricted_api_key security_error',
  ],
  [{ type: 'not_found' }, '#20404 #21606 #30003 #30005'],
  [{ type: 'missing_parameter' }, '#21602 #21603 #21604 missing_required_field missing_required_fields'],
  [
    { type: 'invalid_value' },
    `#21211 #21212 #21214 #21217 #21401 #21614 #21617 #60200 invalid_attachment invalid_from_address invalid_region
     invalid_access invalid_idempotency_key`,
  ],
  [{ type: 'conflict' }, 'invalid_idempotent_request concurrent_idempotent_requests'],
  [{ type: 'execution_error' }, 'method_not_allowed'],
  [{ type: 'unavailable' }, 'application_error #20500 #20503'],
]
