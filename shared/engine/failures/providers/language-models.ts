import type { CodeTable } from '../rules/verdict.ts'

/** OpenAI and the servers that answer like it (`error.code`, `error.type`), Anthropic (`error.type`), Bedrock. */
export const languageModelCodes: CodeTable = [
  [
    { as: 429 },
    `rate_limit_exceeded rate_limit_error rate_limited rate_limit tokens requests tokens_per_minute ThrottlingException
     too_many_requests 1302 1303`,
  ],
  [{ as: 402 }, 'quota_exceeded'],
  [
    { type: 'quota_exceeded' },
    `insufficient_quota billing_hard_limit_reached billing_not_active billing_error insufficient_balance
     insufficient_credits credits_exhausted access_terminated_error exceeded_current_quota_error
     ServiceQuotaExceededException`,
  ],
  [
    { type: 'authentication_error' },
    `invalid_api_key authentication_error invalid_authentication incorrect_api_key account_deactivated
     token_expired UnrecognizedClientException ExpiredTokenException InvalidSignatureException`,
  ],
  [
    { type: 'permission_denied' },
    `permission_error unsupported_country_region_territory model_not_available AccessDeniedException access_denied
     organization_restricted`,
  ],
  [
    { type: 'not_found' },
    'model_not_found not_found_error resource_not_found ResourceNotFoundException ModelNotFound',
  ],
  [
    { type: 'invalid_value' },
    `context_length_exceeded string_above_max_length content_policy_violation content_filter moderation_blocked
     unsupported_value unsupported_parameter unsupported_file invalid_image request_too_large invalid_prompt
     image_parse_error integer_above_max_value integer_below_min_value array_above_max_length`,
  ],
  [{ type: 'tool_not_found' }, 'AI_NoSuchToolError NoSuchToolError'],
  [{ type: 'malformed_arguments' }, 'AI_InvalidToolInputError InvalidToolInputError'],
  [{ type: 'invalid_type' }, 'invalid_type'],
  [{ type: 'missing_parameter' }, 'missing_required_parameter'],
  [{ type: 'unknown_parameter' }, 'unknown_parameter'],
  [{ type: 'timeout' }, 'timeout_error request_timeout ModelTimeoutException'],
  [
    { type: 'unavailable' },
    `overloaded_error server_error internal_server_error api_connection_error service_unavailable model_not_ready
     ModelNotReadyException ServiceUnavailableException engine_overloaded_error ModelErrorException`,
  ],
  [{ as: 400 }, 'invalid_request_error invalid_request ValidationException bad_request invalid_parameter'],
  [{ as: 500 }, 'api_error internal_error InternalServerException'],
]
