import { failureSentence } from '../base/failure-sentence.ts'
import '../styles/pages.css'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { ApiToken, NewApiToken } from '../../client/api/api-token.ts'
import { givenPath } from '../../client/function-call.ts'
import { useSession } from '../base/session.tsx'
import { PageTitle } from '../shell/page-title.tsx'
import { useToast } from '../shell/toasts.tsx'
import { SettingsHead } from './integrations/settings-head.tsx'
import { ChatHeaders } from './tokens/chat-headers.tsx'
import { NewToken } from './tokens/new-token.tsx'
import { TokenForm } from './tokens/token-form.tsx'
import { TokenList } from './tokens/token-list.tsx'
import { tokensWords } from './tokens/words.ts'

const key = ['tokens']

/** Tokens that let OpenAI clients use the agents. */
export function TokensPage() {
  const { askback, config } = useSession()
  const queries = useQueryClient()
  const toast = useToast()
  const words = tokensWords()
  const tokens = useQuery({ queryKey: key, queryFn: askback.tokens.list })
  const models = useQuery({ queryKey: ['models'], queryFn: askback.tokens.models })
  const [made, setMade] = useState<ApiToken & { value: string }>()
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState('')
  const changed = () => queries.invalidateQueries({ queryKey: key })
  const baseUrl = `${config.url}/functions/v1/${givenPath('chat/v1', config.functions ?? {})}`
  const problem = tokens.error ?? models.error

  const make = async (token: NewApiToken) => {
    setBusy(true)
    setFailure('')
    try {
      setMade(await askback.tokens.create(token))
    } catch (error) {
      setFailure(failureSentence(error))
    }
    // Also if only the response was lost.
    await changed()
    setBusy(false)
  }
  const revoke = async ({ id, name }: ApiToken) => {
    try {
      await askback.tokens.revoke(id)
      if (made?.id === id) setMade(undefined)
      toast(words.revoked(name))
    } catch (error) {
      toast(failureSentence(error), 'failed')
    }
    await changed()
  }

  return (
    <main className="page">
      <PageTitle>{words.title}</PageTitle>
      <SettingsHead>{words.note}</SettingsHead>
      {problem && <p role="alert">{failureSentence(problem)}</p>}
      {made ? (
        <NewToken
          token={made}
          models={models.data ?? []}
          baseUrl={baseUrl}
          onDone={() => setMade(undefined)}
        />
      ) : (
        <TokenForm agents={models.data ?? []} isBusy={isBusy} failure={failure} onMake={make} />
      )}
      <ChatHeaders baseUrl={baseUrl} />
      {tokens.data && <TokenList tokens={tokens.data} agents={models.data ?? []} onRevoke={revoke} />}
    </main>
  )
}
