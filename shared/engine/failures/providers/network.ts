import type { CodeTable, Meaning } from '../rules/verdict.ts'

/** Errno of Node, causes of undici, names of Deno's and the web's errors, axios and TLS codes. */
export const networkCodes: CodeTable = [
  [
    { type: 'unavailable' },
    `ECONNREFUSED ECONNRESET EPIPE EHOSTUNREACH EHOSTDOWN ENETUNREACH ENETDOWN EAI_AGAIN ESERVFAIL EREFUSED ENOTCONN ENETRESET
     UND_ERR_SOCKET UND_ERR_CLOSED UND_ERR_DESTROYED ERR_NETWORK ERR_STREAM_PREMATURE_CLOSE ERR_HTTP2_STREAM_ERROR
     ERR_HTTP2_GOAWAY_SESSION EBUSY EMFILE ENFILE ENOMEM EAGAIN
     ConnectionRefused ConnectionReset ConnectionAborted NotConnected BrokenPipe UnexpectedEof NetworkUnreachable
     HostUnreachable Busy NetworkError`,
  ],
  [
    { type: 'timeout' },
    `ETIMEDOUT ETIMEOUT ESOCKETTIMEDOUT ETIME UND_ERR_CONNECT_TIMEOUT UND_ERR_HEADERS_TIMEOUT UND_ERR_BODY_TIMEOUT TimedOut
     TimeoutError ERR_SOCKET_CONNECTION_TIMEOUT`,
  ],
  [{ type: 'not_found' }, 'ENOTFOUND EAI_NONAME EAI_NODATA ENODATA ENOENT ESRCH ENXIO'],
  [{ type: 'permission_denied' }, 'EACCES EPERM EROFS NotCapable ERR_ACCESS_DENIED'],
  [{ type: 'conflict' }, 'EEXIST ENOTEMPTY AlreadyExists EADDRINUSE AddrInUse'],
  [{ type: 'quota_exceeded' }, 'ENOSPC EDQUOT'],
  [{ as: 402 }, 'QuotaExceededError'],
  [
    { type: 'invalid_value', parameter: 'url' },
    'ERR_INVALID_URL ERR_INVALID_PROTOCOL ERR_UNESCAPED_CHARACTERS ERR_FR_TOO_MANY_REDIRECTS ERR_INVALID_URL_SCHEME',
  ],
  [
    { type: 'invalid_value' },
    'EISDIR ENOTDIR EINVAL ENAMETOOLONG ELOOP EFBIG IsADirectory NotADirectory InvalidData EILSEQ',
  ],
  [{ type: 'invalid_type' }, 'ERR_INVALID_ARG_TYPE'],
  [
    { type: 'cancelled' },
    'AbortError ABORT_ERR ERR_CANCELED ERR_ABORTED UND_ERR_ABORTED ECANCELED Interrupted',
  ],
  [
    { type: 'execution_error' },
    `CERT_HAS_EXPIRED DEPTH_ZERO_SELF_SIGNED_CERT SELF_SIGNED_CERT_IN_CHAIN UNABLE_TO_VERIFY_LEAF_SIGNATURE
     UNABLE_TO_GET_ISSUER_CERT UNABLE_TO_GET_ISSUER_CERT_LOCALLY ERR_TLS_CERT_ALTNAME_INVALID CERT_NOT_YET_VALID CERT_REVOKED
     EPROTO ERR__ERROR_FORMAT_PADDING UND_ERR_HEADERS_OVERFLOW UND_ERR_RES_CONTENT_LENGTH_MISMATCH UND_ERR_RESPONSE
     ERR_STRING_TOO_LONG`,
  ],
  [{ as: 400 }, 'ERR_BAD_REQUEST'],
  [{ as: 403 }, 'PermissionDenied'],
  // axios gives its own timeouts this code.
  [{ as: 503 }, 'ECONNABORTED'],
]

/** Codes by family, where the table does not list them. */
export const networkFamilies: readonly (readonly [RegExp, Meaning])[] = [
  [/^ERR_(?:SSL|TLS)_\S*(?:BAD_RECORD|DECRYPT|UNEXPECTED_EOF)/, { type: 'unavailable' }],
  [/^(?:ERR_(?:SSL|TLS|OSSL)|HPE|Z)_|^CERT_|_CERT(?:_|$)/, { type: 'execution_error' }],
  [/^(?:UND_ERR|ERR_HTTP2)_/, { type: 'unavailable' }],
]

/** The request never left: a write that failed like this has not happened. */
export const neverConnected =
  /^(?:ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EAI_NONAME|EAI_NODATA|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT|ConnectionRefused|ERR_INVALID_URL|CERT_\w+|\w+_CERT\w*|ERR_TLS_CERT_ALTNAME_INVALID|ERR_SOCKET_CONNECTION_TIMEOUT|UNABLE_TO_VERIFY_LEAF_SIGNATURE)$/
