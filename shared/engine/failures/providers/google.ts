import type { CodeTable } from '../rules/verdict.ts'

/**
 * Google: `error.errors[].reason` of the older APIs, `error.status` and `error.details[].reason` of the newer ones
 * (google.rpc.Code, ErrorInfo), OAuth's `error`. A 403 may be a rate limit, a quota or a bad value.
 */
export const googleCodes: CodeTable = [
  [
    { as: 429 },
    'rateLimitExceeded userRateLimitExceeded sharingRateLimitExceeded RESOURCE_EXHAUSTED concurrentLimitExceeded tooManyRequests',
  ],
  // Which window it is, words say: `Requests per minute per user`.
  [{ as: 402 }, 'quotaExceeded limitExceeded QUOTA_EXHAUSTED'],
  [
    { type: 'quota_exceeded' },
    `dailyLimitExceeded dailyLimitExceededUnreg userRateLimitExceededUnreg variableTermLimitExceeded
     downloadQuotaExceeded storageQuotaExceeded teamDriveFileLimitExceeded teamDrivesParentLimit
     numChildrenInNonRootLimitExceeded insufficientArchivedUserLicenses serviceLimit billingNotEnabled BILLING_DISABLED
     insufficientLicenses CONSUMER_SUSPENDED`,
  ],
  [
    { type: 'authentication_error' },
    `authError UNAUTHENTICATED API_KEY_INVALID API_KEY_EXPIRED keyInvalid keyExpired expired loginRequired required_login
     ACCESS_TOKEN_EXPIRED ACCESS_TOKEN_TYPE_UNSUPPORTED CREDENTIALS_MISSING ACCOUNT_STATE_INVALID SESSION_COOKIE_INVALID
     invalid_grant invalid_token invalid_client unauthorized_client`,
  ],
  [
    { type: 'permission_denied' },
    `insufficientPermissions ACCESS_TOKEN_SCOPE_INSUFFICIENT insufficientFilePermissions insufficientParentPermissions
     appNotAuthorizedToFile domainPolicy requiredAccessLevel queryRequiresAdminCredentials notACalendarUser
     API_KEY_SERVICE_BLOCKED API_KEY_HTTP_REFERRER_BLOCKED API_KEY_IP_ADDRESS_BLOCKED USER_PROJECT_DENIED userAccess
     accountDisabled delegationDenied fileNotDownloadable abusiveContentRestriction shareOutNotPermitted
     shareInNotPermitted publishOutNotPermitted fileNeverWritable VALIDATION_REQUIRED TOS_VIOLATION`,
  ],
  [
    { type: 'not_configured' },
    'accessNotConfigured SERVICE_DISABLED serviceNotAvailableForUser API_NOT_ENABLED projectNotLinked mailServiceNotEnabled',
  ],
  [{ type: 'missing_parameter' }, 'required parameterMissing'],
  [{ type: 'unknown_parameter' }, 'unknownParameter unexpectedParameter'],
  [{ type: 'invalid_value', parameter: 'parent' }, 'parentNotAFolder'],
  [
    { type: 'invalid_value' },
    'timeRangeEmpty invalidSharingRequest OUT_OF_RANGE responseTooLarge fieldNotWritable',
  ],
  [{ type: 'conflict' }, 'duplicate conflict ALREADY_EXISTS ABORTED fieldInUse'],
  [{ type: 'not_found' }, 'notFound deleted resourceNotFound'],
  [{ type: 'timeout' }, 'DEADLINE_EXCEEDED gatewayTimeout'],
  [{ type: 'cancelled' }, 'CANCELLED'],
  [{ type: 'unavailable' }, 'UNAVAILABLE transientError badGateway serviceNotAvailable'],
  [{ type: 'execution_error' }, 'UNIMPLEMENTED notImplemented unimplementedError DATA_LOSS'],
  [{ as: 403 }, 'PERMISSION_DENIED forbidden'],
  [
    { as: 400 },
    'INVALID_ARGUMENT FAILED_PRECONDITION badRequest invalid invalidParameter invalidArgument failedPrecondition',
  ],
  [{ as: 500 }, 'INTERNAL internalError systemError unknownError backendError'],
]
