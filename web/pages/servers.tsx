import '../styles/pages.css'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo, useRef, useState } from 'react'
import type { McpServer, NewMcpServer } from '../../client/api/types.ts'
import { failureSentence } from '../base/failure-sentence.ts'
import { useSession } from '../base/session.tsx'
import { ConfirmDialog } from '../shell/confirm-dialog.tsx'
import { PageTitle } from '../shell/page-title.tsx'
import { Skeleton } from '../shell/skeleton.tsx'
import { useToast } from '../shell/toasts.tsx'
import { SettingsHead } from './integrations/settings-head.tsx'
import { AddServer } from './servers/add-server.tsx'
import { serverCalls } from './servers/server-calls.ts'
import { ServerPanel } from './servers/server-panel.tsx'
import { serversWords } from './servers/words.ts'

const key = ['servers']

/** The servers of MCP whose tools the user's agents can use. Sign-ins with them lead back here. */
export function ServersPage() {
  const { supabase } = useSession()
  const queries = useQueryClient()
  const toast = useToast()
  const words = serversWords()
  const calls = useMemo(() => serverCalls(supabase), [supabase])
  const servers = useQuery({ queryKey: key, queryFn: calls.list })
  const operator = useQuery({ queryKey: [...key, 'operator'], queryFn: calls.isOperator, staleTime: 300_000 })
  const heading = useRef<HTMLDivElement>(null)
  const [busy, setBusy] = useState<string>()
  const [removing, setRemoving] = useState<McpServer>()
  /** A page that the user is asked about before they go there. */
  const [page, setPage] = useState<{ url: string; host: string }>()

  const act = async (id: string | undefined, work: () => Promise<string>) => {
    setBusy(id)
    try {
      toast(await work())
    } catch (error) {
      toast(failureSentence(error), 'failed')
    }
    await queries.invalidateQueries({ queryKey: key })
    setBusy(undefined)
  }
  useEffect(() => {
    const search = new URLSearchParams(location.search)
    const { code, error } = Object.fromEntries(search)
    if (!search.has('server') || (!code && !error)) return
    // A code is good once, and of no use in the address.
    history.replaceState(history.state, '', location.pathname)
    void act(undefined, async () => {
      if (!code) return words.notSignedIn
      return words.signedIn((await calls.completeSignIn(code)).name)
    })
  })

  const add = async (server: NewMcpServer) => {
    const { name } = await calls.add(server)
    toast(words.added(name))
    await queries.invalidateQueries({ queryKey: key })
  }
  const startSignIn = async ({ id }: McpServer) => {
    try {
      setPage(await calls.startSignIn(id, location.origin + location.pathname))
    } catch (error) {
      toast(failureSentence(error), 'failed')
    }
  }
  return (
    <main className="page">
      <PageTitle>{words.title}</PageTitle>
      <SettingsHead>{words.note}</SettingsHead>
      <AddServer isOperator={operator.data === true} onAdd={add} />
      <div ref={heading} tabIndex={-1} className="stack">
        {servers.isPending && <Skeleton />}
        {servers.error && <p role="alert">{failureSentence(servers.error)}</p>}
        {servers.data?.length === 0 && <p className="empty">{words.none}</p>}
        {servers.data?.map((server) => {
          const { id, name } = server
          return (
            <ServerPanel
              key={id}
              server={server}
              calls={calls}
              isBusy={busy === id}
              onSignIn={() => void startSignIn(server)}
              onRefresh={() =>
                void act(id, async () => {
                  const { status, notes } = await calls.refresh(id)
                  return status === 'ready' ? words.refreshed(name) : (notes[0] ?? words.statuses[status])
                })
              }
              onRemove={() => setRemoving(server)}
              onChange={(change) =>
                act(id, async () => {
                  await calls.change(id, change)
                  return words.saved
                })
              }
              onAccept={(tool) =>
                void act(id, async () => {
                  await calls.accept(id, [tool])
                  return words.accepted(tool)
                })
              }
            />
          )
        })}
      </div>
      {removing && (
        <ConfirmDialog
          title={words.removeQuestion(removing.name)}
          action={words.remove}
          anchor={heading}
          onKeep={() => setRemoving(undefined)}
          onConfirm={() => {
            setRemoving(undefined)
            void act(removing.id, async () => {
              await calls.remove(removing.id)
              return words.removed(removing.name)
            })
          }}
        >
          {words.removeNote}
        </ConfirmDialog>
      )}
      {page && (
        <ConfirmDialog
          title={words.signInQuestion(page.host)}
          action={words.signIn}
          onKeep={() => setPage(undefined)}
          onConfirm={() => location.assign(page.url)}
        >
          {words.signInNote}
        </ConfirmDialog>
      )}
    </main>
  )
}
