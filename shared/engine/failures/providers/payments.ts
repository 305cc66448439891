import type { CodeTable } from '../rules/verdict.ts'

/** Stripe (`error.code`, `error.decline_code`, `error.type`) and APIs that answer like it. */
export const paymentCodes: CodeTable = [
  [{ as: 429 }, 'rate_limit'],
  [
    { type: 'authentication_error' },
    'api_key_expired platform_api_key_expired secret_key_required testmode_charges_only',
  ],
  [
    { type: 'permission_denied' },
    'account_invalid platform_account_required insufficient_permissions more_permissions_required',
  ],
  [{ type: 'not_found' }, 'resource_missing no_account'],
  [{ type: 'missing_parameter' }, 'parameter_missing'],
  [{ type: 'unknown_parameter' }, 'parameter_unknown'],
  [
    { type: 'conflict' },
    `resource_already_exists idempotency_error idempotency_key_in_use charge_already_refunded charge_already_captured
     payment_intent_unexpected_state lock_timeout`,
  ],
  [
    { type: 'invalid_value' },
    `amount_too_large amount_too_small parameter_invalid_empty parameter_invalid_integer parameter_invalid_string_empty
     email_invalid url_invalid currency_not_supported`,
  ],
  [{ type: 'permission_denied' }, 'card_declined expired_card incorrect_cvc insufficient_funds card_error'],
]
