import type { CodeTable } from '../verdict.ts'

/** JSON-RPC and MCP error codes. -32603 says only that a server threw: the words say more. */
export const mcpCodes: CodeTable = [
  [{ type: 'unavailable' }, '#-32000'],
  [{ type: 'timeout' }, '#-32001'],
  [{ type: 'not_found' }, '#-32002 #-32601'],
  [{ type: 'authentication_error' }, '#-32042'],
  [{ type: 'execution_error' }, '#-32700 #-32600'],
  [{ as: 400 }, '#-32602'],
]
