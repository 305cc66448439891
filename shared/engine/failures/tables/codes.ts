import { defaultResolver, type ToolErrorType } from '../../core/tool-error.ts'
import { meaningOfCodeWords } from './code-words.ts'
import { type Meaning, normaliseCode } from './verdict.ts'

/** Codes by meaning, separated by blanks; case, underscores and dashes do not matter. */
type CodeTable = readonly (readonly [Meaning, string])[]

/**
 * The registry of provider errors: what a code means that its own words do not say (see `code-words.ts`). Where two
 * providers use one code, the earlier one holds. Numeric codes are written `#21211`.
 */
const codesByProvider: Readonly<Record<string, CodeTable>> = {
  /** Errno of Node, causes of undici, names of Deno’s and the web’s errors, axios and TLS codes. */
  network: [
    [
      { type: 'unavailable' },
      `ECONNREFUSED ECONNRESET EPIPE EHOSTUNREACH EHOSTDOWN ENETUNREACH ENETDOWN EAI_AGAIN ESERVFAIL
       EREFUSED ENOTCONN ENETRESET ERR_NETWORK ERR_STREAM_PREMATURE_CLOSE EBUSY EMFILE ENFILE ENOMEM EAGAIN
       ConnectionRefused ConnectionReset ConnectionAborted NotConnected BrokenPipe UnexpectedEof
       NetworkUnreachable HostUnreachable Busy NetworkError`,
    ],
    [
      { type: 'timeout' },
      `ETIMEDOUT ETIMEOUT ESOCKETTIMEDOUT ETIME UND_ERR_CONNECT_TIMEOUT UND_ERR_HEADERS_TIMEOUT
       UND_ERR_BODY_TIMEOUT`,
    ],
    [{ type: 'not_found' }, 'ENOTFOUND EAI_NONAME EAI_NODATA ENODATA ENOENT ESRCH ENXIO'],
    [{ type: 'permission_denied' }, 'EACCES EPERM EROFS NotCapable ERR_ACCESS_DENIED'],
    [{ type: 'conflict' }, 'EEXIST ENOTEMPTY EADDRINUSE'],
    [{ type: 'quota_exceeded' }, 'ENOSPC EDQUOT'],
    [{ as: 402 }, 'QuotaExceededError'],
    [
      { type: 'invalid_value', parameter: 'url' },
      `ERR_INVALID_URL ERR_INVALID_PROTOCOL ERR_UNESCAPED_CHARACTERS ERR_FR_TOO_MANY_REDIRECTS
       ERR_INVALID_URL_SCHEME`,
    ],
    [
      { type: 'invalid_value' },
      `EISDIR ENOTDIR EINVAL ENAMETOOLONG ELOOP EFBIG IsADirectory NotADirectory InvalidData EILSEQ`,
    ],
    [{ type: 'invalid_type' }, 'ERR_INVALID_ARG_TYPE'],
    [
      { type: 'cancelled' },
      `AbortError ABORT_ERR ERR_CANCELED ERR_ABORTED UND_ERR_ABORTED ECANCELED Interrupted`,
    ],
    [
      { type: 'execution_error' },
      `UNABLE_TO_VERIFY_LEAF_SIGNATURE EPROTO ERR__ERROR_FORMAT_PADDING UND_ERR_HEADERS_OVERFLOW
       UND_ERR_RES_CONTENT_LENGTH_MISMATCH UND_ERR_RESPONSE ERR_STRING_TOO_LONG`,
    ],
    [{ as: 400 }, 'ERR_BAD_REQUEST'],
    [{ as: 503 }, 'ECONNABORTED'],
  ],
  /** nodemailer’s `code`, for errors without a reply of the server. */
  mailClient: [
    [{ type: 'authentication_error' }, 'EAUTH ENOAUTH EOAUTH2'],
    [{ type: 'not_found', resolver: 'user' }, 'EDNS'],
    [{ type: 'unavailable' }, 'ECONNECTION ESOCKET EPROTOCOL EPROXY'],
    [{ type: 'not_configured' }, 'ECONFIG'],
    [{ type: 'execution_error' }, 'ETLS EREQUIRETLS ESTREAM'],
    [{ as: 400 }, 'EENVELOPE EMESSAGE EFILEACCESS EURLACCESS EMAXLIMIT'],
  ],
  /** JSON-RPC and MCP. -32603 and -32000 say only that a server threw: the words say more. */
  mcp: [
    [{ as: 408 }, '#-32001'],
    [{ type: 'not_found' }, '#-32002 #-32601'],
    [{ type: 'authentication_error' }, '#-32042'],
    [{ type: 'execution_error' }, '#-32700 #-32600'],
    [{ as: 400 }, '#-32602'],
  ],
  /** SQLSTATE, PostgREST’s PGRST codes, and codes of Supabase’s auth and storage. */
  postgres: [
    [{ type: 'conflict' }, '23505 23P01 42P07 42710 email_exists phone_exists'],
    [{ type: 'missing_parameter' }, '23502'],
    [
      { type: 'not_found' },
      `42P01 42703 42883 42704 3D000 3F000 P0002 PGRST116 PGRST200 PGRST202 PGRST204 PGRST205 PGRST125
       NoSuchKey NoSuchBucket NoSuchUpload flow_state_not_found identity_not_found`,
    ],
    [
      { type: 'invalid_value' },
      `PGRST100 PGRST102 PGRST103 PGRST106 PGRST108 PGRST118 PGRST201 PGRST203 42601 42P02 42P18 42804
       weak_password same_password EntityTooLarge InvalidKey InvalidMimeType`,
    ],
    [
      { type: 'permission_denied' },
      `42501 25006 signup_disabled email_provider_disabled AccessDenied SignatureDoesNotMatch`,
    ],
    [
      { type: 'authentication_error' },
      `PGRST301 PGRST302 PGRST303 email_not_confirmed bad_jwt no_authorization session_not_found
       refresh_token_not_found refresh_token_already_used InvalidJWT`,
    ],
    [{ type: 'not_configured', resolver: 'nobody' }, 'PGRST300'],
    [{ type: 'timeout' }, '57014 25P03 PGRST003'],
    [{ type: 'unavailable' }, '40001 40P01 55P03 55006 57P01 57P02 57P03 PGRST000 PGRST001 PGRST002'],
    [{ type: 'execution_error' }, 'PGRST101 PGRST117 PGRST121 PGRST127 PGRSTX00'],
    [{ as: 429 }, 'SlowDown'],
    [{ as: 400 }, 'validation_failed bad_json P0001'],
  ],
  /** `error.errors[].reason` of the older APIs, `error.status` and `error.details[].reason` of the newer ones, OAuth’s `error`. */
  google: [
    [{ as: 429 }, 'RESOURCE_EXHAUSTED concurrentLimitExceeded'],
    [{ as: 402 }, 'limitExceeded QUOTA_EXHAUSTED'],
    [
      { type: 'quota_exceeded' },
      `userRateLimitExceededUnreg teamDrivesParentLimit insufficientArchivedUserLicenses serviceLimit
       insufficientLicenses CONSUMER_SUSPENDED`,
    ],
    [
      { type: 'authentication_error' },
      `UNAUTHENTICATED expired required_login ACCESS_TOKEN_TYPE_UNSUPPORTED ACCOUNT_STATE_INVALID
       SESSION_COOKIE_INVALID invalid_client`,
    ],
    [
      { type: 'permission_denied' },
      `insufficientPermissions ACCESS_TOKEN_SCOPE_INSUFFICIENT insufficientFilePermissions
       insufficientParentPermissions appNotAuthorizedToFile domainPolicy requiredAccessLevel
       queryRequiresAdminCredentials notACalendarUser API_KEY_SERVICE_BLOCKED API_KEY_HTTP_REFERRER_BLOCKED
       API_KEY_IP_ADDRESS_BLOCKED USER_PROJECT_DENIED userAccess accountDisabled delegationDenied
       fileNotDownloadable abusiveContentRestriction shareOutNotPermitted shareInNotPermitted
       publishOutNotPermitted fileNeverWritable VALIDATION_REQUIRED TOS_VIOLATION`,
    ],
    [{ type: 'not_configured' }, 'serviceNotAvailableForUser projectNotLinked'],
    [{ type: 'missing_parameter' }, 'required'],
    [{ type: 'invalid_value', parameter: 'parent' }, 'parentNotAFolder'],
    [
      { type: 'invalid_value' },
      `timeRangeEmpty invalidSharingRequest OUT_OF_RANGE responseTooLarge fieldNotWritable`,
    ],
    [{ type: 'conflict' }, 'duplicate conflict ABORTED'],
    [{ type: 'not_found' }, 'notFound deleted resourceNotFound'],
    [{ type: 'cancelled' }, 'CANCELLED'],
    [{ type: 'unavailable' }, 'UNAVAILABLE transientError badGateway serviceNotAvailable'],
    [{ type: 'execution_error' }, 'UNIMPLEMENTED notImplemented DATA_LOSS'],
    [{ as: 403 }, 'forbidden'],
    [{ as: 400 }, 'INVALID_ARGUMENT FAILED_PRECONDITION badRequest invalid invalidParameter'],
    [{ as: 500 }, 'INTERNAL systemError unknownError'],
  ],
  /** OpenAI and the servers that answer like it, Anthropic, Bedrock. */
  languageModels: [
    [{ as: 429 }, 'rate_limited tokens_per_minute 1302 1303'],
    [{ type: 'quota_exceeded' }, 'access_terminated_error insufficient_quota'],
    [
      { type: 'authentication_error' },
      `incorrect_api_key account_deactivated UnrecognizedClientException InvalidSignatureException`,
    ],
    [
      { type: 'permission_denied' },
      `permission_error unsupported_country_region_territory model_not_available organization_restricted`,
    ],
    [{ type: 'not_found' }, 'model_not_found'],
    [
      { type: 'invalid_value' },
      `context_length_exceeded string_above_max_length content_policy_violation content_filter
       moderation_blocked unsupported_value unsupported_parameter unsupported_file invalid_image
       request_too_large invalid_prompt image_parse_error integer_above_max_value integer_below_min_value
       array_above_max_length`,
    ],
    [{ type: 'tool_not_found' }, 'AI_NoSuchToolError NoSuchToolError'],
    [{ type: 'malformed_arguments' }, 'AI_InvalidToolInputError InvalidToolInputError'],
    [
      { type: 'unavailable' },
      `overloaded_error server_error internal_server_error api_connection_error service_unavailable
       model_not_ready engine_overloaded_error ModelErrorException`,
    ],
    [{ as: 400 }, 'invalid_request_error ValidationException'],
    [{ as: 500 }, 'api_error'],
  ],
  /** Brave, Tavily, Serper, SerpAPI, Bing. */
  search: [
    [{ type: 'quota_exceeded' }, 'OPTION_NOT_IN_PLAN'],
    [{ type: 'authentication_error' }, 'SUBSCRIPTION_NOT_FOUND AuthorizationMissing'],
    [{ type: 'permission_denied' }, 'RESOURCE_NOT_ALLOWED InsufficientAuthorization'],
    [{ as: 400 }, 'ParameterInvalidValue'],
  ],
  /** `code` beside `object: "error"`. */
  notion: [
    [{ as: 401 }, 'unauthorized'],
    [{ type: 'permission_denied' }, 'restricted_resource'],
    [{ type: 'not_found' }, 'object_not_found database_connection_not_found'],
    [{ type: 'invalid_value' }, 'invalid_json invalid_request_url'],
    [{ type: 'unavailable' }, 'database_connection_unavailable'],
  ],
  /** HTTP 200 with `ok: false` and `error`. */
  slack: [
    [{ as: 429 }, 'accesslimited message_limit_exceeded'],
    [{ type: 'authentication_error' }, 'account_inactive bad_client_secret'],
    [
      { type: 'permission_denied' },
      `missing_scope no_permission not_in_channel restricted_action restricted_action_read_only_channel
       is_archived ekm_access_denied not_allowed_token_type team_access_not_granted cant_update_message
       cant_delete_message channel_is_limited_access user_is_restricted posting_to_general_channel_denied
       two_factor_setup_required cannot_dm_bot user_is_bot edit_window_closed`,
    ],
    [
      { type: 'not_found' },
      `channel_not_found user_not_found users_not_found message_not_found thread_not_found file_not_found
       team_not_found bot_not_found`,
    ],
    [{ type: 'missing_parameter', parameter: 'text' }, 'no_text'],
    [{ type: 'missing_parameter' }, 'no_channel users_list_not_supplied'],
    [
      { type: 'invalid_value' },
      `msg_too_long invalid_blocks invalid_blocks_format too_many_attachments cant_invite_self time_in_past
       time_too_far user_disabled`,
    ],
    [{ type: 'execution_error' }, 'method_deprecated deprecated_endpoint unknown_method'],
    [{ type: 'unavailable' }, 'fatal_error team_added_to_org'],
    [{ as: 400 }, 'invalid_arguments invalid_arg_name invalid_array_arg invalid_form_data invalid_charset'],
  ],
  /** Graph, OneDrive, Exchange and Entra: `error.code`, refined by `error.innerError.code`. */
  microsoft: [
    [{ as: 429 }, 'activityLimitReached MailboxConcurrency ErrorServerBusy ErrorExceededConnectionCount'],
    [{ type: 'quota_exceeded' }, 'ErrorMessageSubmissionBlocked ErrorExceededMessageLimit'],
    [
      { type: 'authentication_error' },
      `CompactTokenParsingFailed Authentication_MissingOrMalformed TokenNotFound ErrorInvalidUserOauthToken
       interaction_required consent_required`,
    ],
    [
      { type: 'permission_denied' },
      `Authorization_RequestDenied ErrorAccessDenied Authorization_IdentityNotFound notAllowed
       ErrorSendAsDenied ErrorAccountDisabled Authorization_Denied
       ErrorInsufficientPermissionsInAccessToken UnauthorizedAccess virusSuspicious`,
    ],
    [{ type: 'not_configured' }, 'MailboxNotSupportedForRESTAPI ResourceNotProvisioned'],
    [
      { type: 'not_found' },
      `itemNotFound Request_ResourceNotFound ErrorItemNotFound ErrorFolderNotFound ErrorInvalidUser
       ErrorNonExistentMailbox ErrorMailRecipientNotFound MailboxNotFound UnknownError_ItemNotFound`,
    ],
    [
      { type: 'conflict' },
      `resourceModified ErrorItemSave ErrorFolderExists Request_MultipleObjectsWithSameKeyValue
       Directory_ConcurrencyViolation lockMismatch resourceCheckedOut`,
    ],
    [
      { type: 'invalid_value' },
      `invalidRange malformedEntityTag notSupported ErrorInvalidRecipients ErrorInvalidIdMalformed
       ErrorInvalidRequest pathIsTooLong nameContainsInvalidCharacters maxFileSizeExceeded
       ErrorMessageSizeExceeded Request_UnsupportedQuery ErrorInvalidPropertySet ErrorParsingFilterQuery-
       ParseUri`,
    ],
    [{ type: 'timeout' }, 'ErrorTimeoutExpired'],
    [
      { type: 'unavailable' },
      `ErrorMailboxStoreUnavailable ErrorInternalServerTransientError Service_ServiceUnavailable
       MailboxMoveInProgress`,
    ],
    [{ as: 400 }, 'Request_BadRequest RequestBodyRead ErrorInvalidArgument'],
    [{ as: 500 }, 'generalException'],
  ],
  /** Twilio (numeric), SendGrid, Mailgun, Resend (`name`). */
  messaging: [
    [{ as: 429 }, '#20429 #14107 #63018'],
    [{ type: 'quota_exceeded' }, '#30001 #20005 #63038'],
    [{ type: 'authentication_error' }, '#20003 #20104'],
    [{ type: 'permission_denied' }, '#21408 #21608 #21610 #21612 #30007 #20008 restricted_api_key'],
    [{ type: 'not_found' }, '#20404 #21606 #30003 #30005'],
    [{ type: 'missing_parameter' }, '#21602 #21603 #21604'],
    [
      { type: 'invalid_value' },
      `#21211 #21212 #21214 #21217 #21401 #21614 #21617 #60200 invalid_attachment invalid_from_address
       invalid_region invalid_access invalid_idempotency_key`,
    ],
    [{ type: 'conflict' }, 'invalid_idempotent_request concurrent_idempotent_requests'],
    [{ type: 'execution_error' }, 'method_not_allowed'],
    [{ type: 'unavailable' }, 'application_error #20500 #20503'],
  ],
  /** Stripe and APIs that answer like it. */
  payments: [
    [{ type: 'authentication_error' }, 'secret_key_required testmode_charges_only'],
    [{ type: 'permission_denied' }, 'account_invalid platform_account_required more_permissions_required'],
    [{ type: 'not_found' }, 'resource_missing no_account'],
    [{ type: 'unknown_parameter' }, 'parameter_unknown'],
    [{ type: 'conflict' }, 'idempotency_error payment_intent_unexpected_state lock_timeout'],
    [
      { type: 'invalid_value' },
      `amount_too_large amount_too_small parameter_invalid_empty parameter_invalid_integer
       parameter_invalid_string_empty email_invalid url_invalid currency_not_supported`,
    ],
    [{ type: 'permission_denied' }, `card_declined expired_card incorrect_cvc insufficient_funds card_error`],
  ],
  /** `errors[].code` of a 422; rate limits are words and headers. */
  github: [
    [{ type: 'not_found' }, 'missing'],
    [{ type: 'invalid_value' }, 'unprocessable'],
  ],
}

/** Codes by family, where the registry does not list them. */
const families: readonly (readonly [RegExp, Meaning])[] = [
  [/^ERR_(?:SSL|TLS)_\S*(?:BAD_RECORD|DECRYPT|UNEXPECTED_EOF)/, { type: 'unavailable' }],
  [/^(?:ERR_(?:SSL|TLS|OSSL)|HPE|Z)_|^CERT_|_CERT(?:_|$)/, { type: 'execution_error' }],
  [/^(?:UND_ERR|ERR_HTTP2)_/, { type: 'unavailable' }],
]

/** The request never left: a write that failed like this has not happened. */
export const neverConnected =
  /^(?:ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EAI_NONAME|EAI_NODATA|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT|ConnectionRefused|ERR_INVALID_URL|CERT_\w+|\w+_CERT\w*|ERR_TLS_CERT_ALTNAME_INVALID|ERR_SOCKET_CONNECTION_TIMEOUT|UNABLE_TO_VERIFY_LEAF_SIGNATURE)$/

/** Meaning of an SQLSTATE class, where the state itself says no more. */
const sqlStateClasses: Readonly<Record<string, Meaning>> = {
  '08': { type: 'unavailable' },
  '0A': { type: 'invalid_value' },
  '21': { type: 'invalid_value' },
  '22': { type: 'invalid_value' },
  '23': { as: 409 },
  '25': { type: 'conflict' },
  '28': { type: 'authentication_error' },
  '40': { type: 'unavailable' },
  '42': { type: 'invalid_value' },
  '53': { type: 'unavailable' },
  '54': { type: 'invalid_value' },
  '55': { type: 'conflict' },
  '57': { type: 'unavailable' },
  '58': { type: 'unavailable' },
  P0: { as: 400 },
  XX: { type: 'unavailable' },
}

const meanings = new Map<string, Meaning>()
for (const [meaning, codes] of Object.values(codesByProvider).flat()) {
  for (const code of codes.split(/\s+/)) {
    const key = normaliseCode(code)
    if (!meanings.has(key)) meanings.set(key, meaning)
  }
}
// Our own error types, as older tools return them, where they are no words of others.
for (const type of Object.keys(defaultResolver) as ToolErrorType[]) {
  const key = normaliseCode(type)
  if (!meanings.has(key) && !meaningOfCodeWords(type)) meanings.set(key, { type })
}

/** What a code means, if any provider documents it. */
export function meaningOfCode(code: string): Meaning | undefined {
  return (
    meanings.get(normaliseCode(code)) ??
    families.find(([family]) => family.test(code))?.[1] ??
    (/^[0-9A-Z]{5}$/.test(code) ? sqlStateClasses[code.slice(0, 2)] : undefined)
  )
}
