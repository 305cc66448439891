import { useEffect } from 'react'
import type { Connection, Provider } from '../../api/connection.ts'
import type { Askback } from '../../askback.ts'
import { describeFailure } from '../../labels/failure.ts'
import { useIntegrationLabels } from '../labels/use-integration-labels.ts'
import { useLabels } from '../labels/use-labels.ts'
import type { ShowNote } from './show-note.ts'

/** Handles the return from a provider's page: with a one-time code or an error, which leave the address at once. */
export function useSignInReturn(
  askback: Askback,
  providers: readonly Provider[] | undefined,
  {
    onNote,
    onChange,
    onConnected,
  }: { onNote: ShowNote; onChange(): Promise<unknown>; onConnected(connection: Connection): void },
): void {
  const labels = useLabels()
  const words = useIntegrationLabels()
  const isKnown = providers !== undefined
  useEffect(() => {
    const search = new URLSearchParams(location.search)
    const { connecting, code, error } = Object.fromEntries(search)
    // Without `connecting` the code is not ours: other sign-ins use that name, too.
    if (!isKnown || connecting === undefined || (!code && !error)) return
    for (const name of ['code', 'error', 'connecting']) search.delete(name)
    const rest = search.size > 0 ? `?${search}` : ''
    history.replaceState(history.state, '', `${location.pathname}${rest}${location.hash}`)
    const name = providers?.find(({ id }) => id === connecting)?.name
    if (error === 'access_denied') onNote(words.notAllowed, 'failed')
    else if (error) onNote(words.notConnectedBack(name ?? words.theAccount), 'failed')
    else if (code)
      askback.connections
        .completeSignIn(code)
        .then(({ connection }) => {
          const account = connection.account ?? connection.label
          onNote(words.connectedBack(name ?? account, name === undefined ? null : account), 'done')
          onConnected(connection)
        })
        .catch((cause) => onNote(describeFailure(cause, labels), 'failed'))
        .finally(onChange)
  })
}
