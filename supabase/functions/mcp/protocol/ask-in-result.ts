import type { AskClient } from './make-server.ts'

/** Since the revision 2026-07-28 a result asks, and the client sends the same request again with its answers. */
export const askInResult: AskClient = async ({ ask, state }, _again, { sign }) => ({
  resultType: 'input_required',
  inputRequests: ask,
  ...(state !== undefined && { requestState: await sign(state) }),
})
