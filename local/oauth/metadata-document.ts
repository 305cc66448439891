import { request } from 'undici'
import { collectBytes } from '../../shared/engine/core/outside-body.ts'
import { createCheckedAgent } from '../../shared/integrations/network/public-connection.ts'
import { mayConnect, readPublicUrl } from '../../shared/integrations/network/public-url.ts'
import { resolveBySystem } from '../../shared/integrations/network/resolve.ts'
import { type Client, clientFacts, isLoopback, makeClient, redirectFault } from './client.ts'

const limits = { bytes: 10 * 1024, ms: 5000 }

/**
 * The client whose id is the URL of a document that describes it (draft-ietf-oauth-client-id-metadata-document). It is
 * fetched from a public address, or from this machine itself. Rejects with an Error that says what is wrong with it.
 */
export async function readMetadataDocument(clientId: string): Promise<Client> {
  const url = readPublicUrl(clientId, true)
  if (url.protocol !== 'https:' && !isLoopback(url.hostname)) throw new Error('it is not an https address')
  if (url.pathname === '/' || url.hash !== '') throw new Error('it is not the address of a document')
  const dispatcher = createCheckedAgent(mayConnect(true), resolveBySystem)
  try {
    const response = await request(url, {
      dispatcher,
      signal: AbortSignal.timeout(limits.ms),
      headers: { accept: 'application/json' },
    })
    if (response.statusCode !== 200) throw new Error(`it answered with status ${response.statusCode}`)
    const document = JSON.parse(Buffer.from(await collectBytes(response.body, limits)).toString())
    if (document.client_id !== clientId) throw new Error('it names another client_id')
    const facts = clientFacts.parse(document)
    const fault = redirectFault(facts)
    if (fault !== undefined) throw new Error(fault)
    return makeClient(clientId, facts, 'none')
  } finally {
    dispatcher.destroy().catch(() => {})
  }
}
