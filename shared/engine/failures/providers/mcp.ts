import type { CodeTable } from '../rules/verdict.ts'

/** JSON-RPC and MCP error codes. -32603 and -32000 say only that a server threw: the words say more. */
export const mcpCodes: CodeTable = [
  // A client's timeout; servers say with it that a session is gone.
  [{ as: 408 }, '#-32001'],
  [{ type: 'not_found' }, '#-32002 #-32601'],
  [{ type: 'authentication_error' }, '#-32042'],
  [{ type: 'execution_error' }, '#-32700 #-32600'],
  [{ as: 400 }, '#-32602'],
]
