import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { Askback } from '../../askback.ts'
import { AskbackError } from '../../askback-error.ts'
import { createConnectedApps } from '../../connected-apps.ts'
import { describeFailure } from '../../labels/failure.ts'
import { Problem } from '../forms/problem.tsx'
import { settleCards } from '../interaction/stray-press.ts'
import { useAppLabels } from '../labels/use-app-labels.ts'
import { useLabels } from '../labels/use-labels.ts'
import { Framed, isFramed } from '../open-item/framed.tsx'
import { hostOf, mayLeaveFor } from './app-place.ts'
import { agentTool, GrantChoices } from './grant-choices.tsx'
import {
  type AppRequest,
  type AppSignIn,
  type AskedApp,
  failureOfSignIn,
  useAppRequest,
} from './use-app-request.ts'

export interface ConnectAppProps extends AskedApp {
  askback: Askback
  /** `auth` of the app's supabase-js client. */
  auth: AppSignIn
  /** The agent that the app has asked for; by default the user's first. */
  agentId?: string | undefined
  /** Shown until it is known who asks. */
  loading?: ReactNode
}

/**
 * Asks whether an app may use the user's agents over MCP, and for what. It is the page to which Supabase's OAuth server sends
 * people (`authorization_url_path`), and the one that a refused app names. In a frame it shows nothing that can be pressed.
 */
export function ConnectApp(props: ConnectAppProps) {
  const { askback, auth, loading } = props
  const words = useAppLabels()
  const labels = useLabels()
  const [isInFrame] = useState(isFramed)
  const state = useAppRequest(askback, auth, props, !isInFrame)
  useEffect(() => {
    if (state.kind === 'leaving' && mayLeaveFor(state.to)) location.assign(state.to)
  }, [state])
  if (isInFrame) return <Framed />
  if (state.kind === 'loading') return loading
  if (state.kind === 'asked') return <Question {...props} request={state.request} />
  const sentences = {
    leaving: words.goingBack,
    over: words.over,
    unknown: words.unknownApp,
    switched_off: words.switchedOff,
    nothing: words.nothingSaid,
  }
  if (state.kind === 'failed') return <Problem>{describeFailure(state.error, labels)}</Problem>
  return (
    <div className="askback-card">
      <p role="status">{sentences[state.kind]}</p>
    </div>
  )
}

function Question({
  askback,
  auth,
  authorizationId,
  agentId,
  request,
}: ConnectAppProps & { request: AppRequest }) {
  const words = useAppLabels()
  const labels = useLabels()
  const { agents, clientId, name, redirectUri, email, titles } = request
  const [agent, setAgent] = useState(agents.find(({ id }) => id === agentId) ?? agents[0])
  /** What was switched off: of another agent, the same. */
  const [off, setOff] = useState<readonly string[]>([])
  const [forms, setForms] = useState(false)
  const [failure, setFailure] = useState('')
  const [done, setDone] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  /** A second press may come before the buttons are off. */
  const isSent = useRef(false)
  // A page that opens where somebody is pressing takes no press for a moment.
  useLayoutEffect(() => {
    settleCards()
  }, [])
  if (!agent) return null
  const named = [...agent.tools.map((tool) => tool.name), agentTool]
  const tools = named.filter((one) => !off.includes(one))
  const host = redirectUri === undefined ? undefined : hostOf(redirectUri)
  const documentHost = /^https?:/i.test(clientId) ? hostOf(clientId) : undefined

  const send = async (work: () => Promise<string>) => {
    if (isSent.current) return
    isSent.current = true
    setBusy(true)
    setFailure('')
    try {
      setDone(await work())
    } catch (error) {
      setFailure(describeFailure(error, labels))
      isSent.current = false
      setBusy(false)
    }
  }
  /** Sends the user back to the app with the OAuth server's answer. */
  const answer = async (does: 'approveAuthorization' | 'denyAuthorization'): Promise<string> => {
    if (authorizationId === undefined)
      return does === 'approveAuthorization' ? words.connected : words.notConnected
    const { data, error } = await auth.oauth[does](authorizationId, { skipBrowserRedirect: true })
    if (error) throw failureOfSignIn(error) ?? new AskbackError(words.over, { code: 'over' })
    if (!mayLeaveFor(data.redirect_url)) return words.notConnected
    location.assign(data.redirect_url)
    return words.goingBack
  }
  const connect = () =>
    send(async () => {
      await createConnectedApps(askback).grant({
        clientId,
        clientName: name.trim().slice(0, 200) || host || clientId.slice(0, 200),
        redirectHost: host ?? (redirectUri === undefined ? undefined : 'localhost'),
        agentId: agent.id,
        tools,
        forms,
      })
      return await answer('approveAuthorization')
    })

  if (done !== undefined) {
    return (
      <div className="askback-card">
        <p role="status">{done}</p>
      </div>
    )
  }
  const asks =
    redirectUri === undefined
      ? words.knownAsks
      : host === undefined
        ? words.computerAsks
        : words.hostAsks(host)
  return (
    <section className="askback-card askback-connect" data-settles="" aria-label={words.connectTitle}>
      <header>
        <h1 dir="auto">{asks}</h1>
        <p dir="auto">{name.trim() === '' ? words.namesNothing : words.callsItself(name)}</p>
        {documentHost !== undefined && <p>{words.describedAt(documentHost)}</p>}
        {email && <p className="askback-quiet askback-small">{words.forAccount(email)}</p>}
      </header>
      {agents.length > 1 && (
        <div className="askback-field">
          <label>
            {words.agent}
            <select
              value={agent.id}
              disabled={isBusy}
              onChange={({ target }) => setAgent(agents.find(({ id }) => id === target.value))}
            >
              {agents.map((one) => (
                <option key={one.id} value={one.id}>
                  {one.name}
                </option>
              ))}
            </select>
          </label>
        </div>
      )}
      <GrantChoices
        agent={agent}
        titleOf={(tool) => titles.get(tool) ?? tool}
        tools={tools}
        forms={forms}
        isBusy={isBusy}
        onTools={(chosen) => setOff(named.filter((one) => !chosen.includes(one)))}
        onForms={setForms}
      />
      <Problem>{failure}</Problem>
      <div className="askback-actions">
        <button type="button" className="askback-primary" disabled={isBusy} onClick={() => void connect()}>
          {words.connect}
        </button>
        <button type="button" disabled={isBusy} onClick={() => void send(() => answer('denyAuthorization'))}>
          {words.deny}
        </button>
      </div>
    </section>
  )
}
