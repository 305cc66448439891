import type { CodeTable } from '../rules/verdict.ts'

/** Microsoft Graph, OneDrive, Exchange and Entra: `error.code`, refined by `error.innerError.code`. */
export const microsoftCodes: CodeTable = [
  [
    { as: 429 },
    'activityLimitReached TooManyRequests ApplicationThrottled MailboxConcurrency ErrorServerBusy ErrorExceededConnectionCount throttledRequest',
  ],
  [
    { type: 'quota_exceeded' },
    'quotaLimitReached insufficientStorage ErrorQuotaExceeded Directory_QuotaExceeded ErrorMessageSubmissionBlocked ErrorExceededMessageLimit',
  ],
  [
    { type: 'authentication_error' },
    `InvalidAuthenticationToken unauthenticated CompactTokenParsingFailed Authentication_ExpiredToken
     Authentication_MissingOrMalformed TokenNotFound AuthenticationError ErrorInvalidUserOauthToken interaction_required
     invalid_grant consent_required`,
  ],
  [
    { type: 'permission_denied' },
    `accessDenied Authorization_RequestDenied ErrorAccessDenied Authorization_IdentityNotFound notAllowed ErrorSendAsDenied
     InsufficientPermissions ErrorAccountDisabled Authorization_Denied ErrorInsufficientPermissionsInAccessToken
     UnauthorizedAccess virusSuspicious`,
  ],
  [
    { type: 'not_configured' },
    'MailboxNotEnabledForRESTAPI MailboxNotSupportedForRESTAPI ResourceNotProvisioned',
  ],
  [
    { type: 'not_found' },
    `itemNotFound Request_ResourceNotFound ErrorItemNotFound ErrorFolderNotFound ResourceNotFound ErrorInvalidUser
     ErrorNonExistentMailbox ErrorMailRecipientNotFound MailboxNotFound UnknownError_ItemNotFound`,
  ],
  [
    { type: 'conflict' },
    `nameAlreadyExists resourceModified ErrorItemSave ErrorFolderExists ErrorIrresolvableConflict
     Request_MultipleObjectsWithSameKeyValue Directory_ConcurrencyViolation ObjectConflict editConflict lockMismatch
     resourceLocked resourceCheckedOut ErrorDuplicateInput`,
  ],
  [
    { type: 'invalid_value' },
    `invalidRange malformedEntityTag notSupported ErrorInvalidRecipients ErrorInvalidIdMalformed ErrorInvalidRequest
     pathIsTooLong nameContainsInvalidCharacters maxFileSizeExceeded ErrorMessageSizeExceeded Request_UnsupportedQuery
     ErrorInvalidPropertySet ErrorParsingFilterQuery-ParseUri`,
  ],
  [{ type: 'timeout' }, 'ErrorTimeoutExpired gatewayTimeout UnknownErrorTimeout'],
  [
    { type: 'unavailable' },
    'serviceNotAvailable ErrorMailboxStoreUnavailable ErrorInternalServerTransientError Service_ServiceUnavailable MailboxMoveInProgress',
  ],
  [{ as: 400 }, 'Request_BadRequest invalidRequest BadRequest RequestBodyRead ErrorInvalidArgument'],
  [
    { as: 500 },
    'generalException InternalServerError UnknownError ErrorInternalServerError Service_InternalServerError',
  ],
]
