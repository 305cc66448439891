/** A request that is refused before it is one of the protocol's: it has no id yet. */
export function protocolError(status: number, code: number, message: string): Response {
  return Response.json({ jsonrpc: '2.0', error: { code, message }, id: null }, { status })
}
