// The only file that imports the SDK of MCP for clients, which changes every month.

export type {
  CallToolResult,
  ElicitRequestParams,
  ElicitResult,
  FetchLike,
  OAuthClientProvider,
  OAuthDiscoveryState,
  StoredOAuthClientInformation,
  StoredOAuthTokens,
  Tool,
} from '@modelcontextprotocol/client'
export {
  AuthorizationServerMismatchError,
  auth,
  Client,
  checkResourceAllowed,
  extractWWWAuthenticateParams,
  IssuerMismatchError,
  OAuthError,
  ProtocolError,
  refreshAuthorization,
  SdkError,
  SdkErrorCode,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client'
