import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react'
import type { ToolDescription } from '../../api/message.ts'
import type { Permission, PermissionTerms } from '../../api/permission.ts'
import type { GrantableAgent, McpGrant, McpGrantChange } from '../../api/types.ts'
import type { Askback } from '../../askback.ts'
import { createConnectedApps } from '../../connected-apps.ts'
import { describeFailure } from '../../labels/failure.ts'
import { capitalise } from '../../values/capitalise.ts'
import { readPermissionProblems } from '../cards/permission-problems.ts'
import { Problem } from '../forms/problem.tsx'
import { useAppLabels } from '../labels/use-app-labels.ts'
import { useLabels } from '../labels/use-labels.ts'
import { AskFirst } from '../settings/ask-first.tsx'
import type { ShowNote } from '../settings/show-note.ts'
import { useUnaskedFacts } from '../settings/unasked-facts.ts'
import { AppPermissions } from './app-permissions.tsx'
import { GrantChoices } from './grant-choices.tsx'
import type { AppSignIn } from './use-app-request.ts'

interface Known {
  grants: readonly McpGrant[]
  agents: readonly GrantableAgent[]
  tools: readonly ToolDescription[]
  permissions: readonly Permission[]
}

/** The apps that use the user's agents over MCP: since when, how often, and what each may do, to be changed and ended. */
export function ConnectedApps({
  askback,
  auth,
  loading,
  onNote,
}: {
  askback: Askback
  /** `auth` of the app's supabase-js client. */
  auth: AppSignIn
  /** Shown until it is loaded. */
  loading?: ReactNode
  onNote: ShowNote
}) {
  const words = useAppLabels()
  const labels = useLabels()
  const place = useRef<HTMLDivElement>(null)
  const [known, setKnown] = useState<Known>()
  const [failure, setFailure] = useState<unknown>()
  const [asked, setAsked] = useState<McpGrant>()
  const refresh = useCallback(async () => {
    try {
      const [listed, tools, permissions] = await Promise.all([
        createConnectedApps(askback).list(),
        askback.tools(),
        askback.permissions.list(),
      ])
      setKnown({ ...listed, tools, permissions })
      setFailure(undefined)
    } catch (error) {
      setFailure(error)
    }
  }, [askback])
  useEffect(() => void refresh(), [refresh])

  const act = async (work: () => Promise<string>) => {
    try {
      onNote(await work(), 'done')
    } catch (error) {
      onNote(describeFailure(error, labels), 'failed')
    }
    await refresh()
  }
  const change = ({ id }: McpGrant, changed: McpGrantChange) =>
    act(async () => {
      await createConnectedApps(askback).change(id, changed)
      return words.saved
    })
  const allow = async ({ id: grantId, agentId }: McpGrant, toolName: string, terms: PermissionTerms) => {
    try {
      await askback.permissions.add({ agentId, grantId, toolName, ...terms })
      onNote(words.allowed, 'done')
    } catch (error) {
      // At its field, if it is about one.
      if (!readPermissionProblems(error)) onNote(describeFailure(error, labels), 'failed')
      throw error
    } finally {
      await refresh()
    }
  }
  const takeBack = ({ id }: Permission, sentence: string) =>
    act(async () => {
      await askback.permissions.revoke(id)
      return words.takenBack(sentence)
    })
  const disconnect = async (grant: McpGrant) => {
    await act(async () => {
      await createConnectedApps(askback).revoke(grant.id)
      const { clientId, clientName } = grant
      const others = known?.grants.some((one) => one.clientId === clientId && one.id !== grant.id)
      const isOut = others || (await signOutApp(auth, clientId))
      return isOut ? words.disconnected(clientName) : words.stillSignedIn(clientName)
    })
    place.current?.focus({ preventScroll: true })
  }
  return (
    <section ref={place} tabIndex={-1} aria-label={words.title} className="askback-settings">
      <Problem>{failure === undefined ? undefined : describeFailure(failure, labels)}</Problem>
      {!known && failure === undefined && loading}
      {known?.grants.length === 0 && <p className="askback-quiet">{words.none}</p>}
      {known?.grants.map((grant) => (
        <App
          key={grant.id}
          grant={grant}
          known={known}
          onChange={change}
          onAllow={(toolName, terms) => allow(grant, toolName, terms)}
          onTakeBack={takeBack}
          onDisconnect={setAsked}
        />
      ))}
      {asked && (
        <AskFirst
          title={words.disconnectQuestion(asked.clientName)}
          action={words.disconnect}
          onKeep={() => setAsked(undefined)}
          onConfirm={() => {
            setAsked(undefined)
            void disconnect(asked)
          }}
        >
          <p>{words.disconnectNote}</p>
        </AskFirst>
      )}
    </section>
  )
}

/** One app: what it is, and folded what it may do. */
function App({
  grant,
  known: { agents, tools, permissions },
  onChange,
  onAllow,
  onTakeBack,
  onDisconnect,
}: {
  grant: McpGrant
  known: Known
  onChange(grant: McpGrant, change: McpGrantChange): Promise<void>
  onAllow(toolName: string, terms: PermissionTerms): Promise<void>
  onTakeBack(permission: Permission, sentence: string): Promise<void>
  onDisconnect(grant: McpGrant): void
}) {
  const words = useAppLabels()
  const facts = useUnaskedFacts(undefined)
  /** What is being saved. */
  const [changed, setChanged] = useState<McpGrantChange>()
  const agent = agents.find(({ id }) => id === grant.agentId)
  if (!agent) return null
  const save = async (change: McpGrantChange) => {
    setChanged(change)
    await onChange(grant, change)
    setChanged(undefined)
  }
  const { clientName, redirectHost } = grant
  const shown = [
    redirectHost === 'localhost' ? words.onComputer : redirectHost,
    agents.length > 1 && agent.name,
    facts.since(grant.createdAt),
    ...facts.uses(grant.used, grant.lastUsedAt),
  ]
  return (
    <section className="askback-provider" aria-label={words.name(clientName)}>
      <div className="askback-provider-head">
        <div>
          <h2 dir="auto">{words.name(clientName)}</h2>
          <p className="askback-quiet askback-small">{capitalise(shown.filter(Boolean).join(' · '))}</p>
        </div>
        <div className="askback-actions">
          <button
            type="button"
            aria-label={words.disconnectThis(clientName)}
            onClick={() => onDisconnect(grant)}
          >
            {words.disconnect}
          </button>
        </div>
      </div>
      <details>
        <summary>{words.mayDo}</summary>
        <GrantChoices
          agent={agent}
          titleOf={(name) => tools.find((tool) => tool.name === name)?.title ?? name}
          tools={changed?.tools ?? grant.tools}
          forms={changed?.forms ?? grant.forms}
          isBusy={changed !== undefined}
          isTitled
          onTools={(tools) => void save({ tools })}
          onForms={(forms) => void save({ forms })}
        />
        <AppPermissions
          tools={tools.filter(({ name }) => grant.tools.includes(name))}
          permissions={permissions.filter(({ grantId }) => grantId === grant.id)}
          onAdd={onAllow}
          onTakeBack={onTakeBack}
        />
      </details>
    </section>
  )
}

/** Ends the app's sessions at the OAuth server; false if that did not work. Whoever is not signed in there is out already. */
async function signOutApp({ oauth }: AppSignIn, clientId: string): Promise<boolean> {
  const { error } = await oauth.revokeGrant({ clientId })
  return error === null || error.status === 404
}
