import { type ReactNode, useRef, useState } from 'react'
import type { Askback } from '../../askback.ts'
import { createConnectedApps } from '../../connected-apps.ts'
import { describeFailure } from '../../labels/failure.ts'
import { Problem } from '../forms/problem.tsx'
import { useAppLabels } from '../labels/use-app-labels.ts'
import { useIntegrationLabels } from '../labels/use-integration-labels.ts'
import { useLabels } from '../labels/use-labels.ts'
import { useScheduleLabels } from '../labels/use-schedule-labels.ts'
import { AskFirst } from './ask-first.tsx'
import type { ShowNote } from './show-note.ts'
import { useUnaskedFacts } from './unasked-facts.ts'
import { UnaskedRow, UnaskedSection } from './unasked-row.tsx'
import { useUnasked } from './use-unasked.ts'

/** What ends for good only after a question. */
interface Question {
  title: string
  note: string
  action: string
  end(): Promise<void>
}

/**
 * All that happens without asking: what the user has always allowed, tools that never ask, schedules, tokens of other apps,
 * apps that connect over MCP and links that decide, each with its age and its uses, to be taken back. Put it on the page that `withoutAskingHref` leads
 * to.
 */
export function WithoutAsking({
  askback,
  loading,
  onNote,
}: {
  askback: Askback
  /** Shown until it is loaded. */
  loading?: ReactNode
  onNote: ShowNote
}) {
  const labels = useLabels()
  const { unasked: words } = useIntegrationLabels()
  const scheduled = useScheduleLabels()
  const ofApps = useAppLabels()
  const { known, failure, refresh } = useUnasked(askback)
  const [question, setQuestion] = useState<Question>()
  const place = useRef<HTMLDivElement>(null)
  const { toolTitle, agentName, agentsOf, ...facts } = useUnaskedFacts(known)

  const act = async (work: Promise<unknown>, done: string) => {
    const [sentence, kind] = await work.then(
      () => [done, 'done'] as const,
      (error: unknown) => [describeFailure(error, labels), 'failed'] as const,
    )
    await refresh()
    onNote(sentence, kind)
    return kind
  }
  /** What was pressed goes with its row: the focus stays in the settings. */
  const take = async (work: Promise<unknown>, done: string) => {
    if ((await act(work, done)) === 'done') place.current?.focus({ preventScroll: true })
  }
  const { permissions = [], tools = [], schedules = [], tokens = [], apps = [], links = [] } = known ?? {}
  /** Of an app that was given it; undefined for what the agent may do in the chat. */
  const appName = (grantId: string | null) => {
    const app = grantId === null ? undefined : apps.find(({ id }) => id === grantId)
    return app && ofApps.name(app.clientName)
  }
  const isNothing =
    known && [permissions, tools, schedules, tokens, apps, links].every((all) => all.length === 0)
  return (
    <section ref={place} tabIndex={-1} aria-label={labels.withoutAsking} className="askback-settings">
      <Problem>{failure === undefined ? undefined : describeFailure(failure, labels)}</Problem>
      {!known && failure === undefined && loading}
      {isNothing && failure === undefined && <p className="askback-quiet">{words.nothing}</p>}
      <UnaskedSection title={words.standing} note={words.standingNote}>
        {permissions.map((one) => {
          const sentence = labels.permission({ ...one, tool: toolTitle(one.toolName) })
          return (
            <UnaskedRow
              key={one.id}
              what={toolTitle(one.toolName)}
              sentence={sentence}
              facts={[
                appName(one.grantId) ?? agentName(one.agentId),
                facts.since(one.createdAt),
                ...facts.uses(one.total, one.lastUsedAt),
                facts.inWindow(one),
              ]}
              actions={[
                {
                  text: words.revoke,
                  label: words.revokeThis(sentence),
                  onPress: () => take(askback.permissions.revoke(one.id), words.revoked(sentence)),
                },
              ]}
            />
          )
        })}
      </UnaskedSection>
      <UnaskedSection title={words.never} note={words.neverNote}>
        {tools.map((one) => {
          const title = toolTitle(one.toolName)
          return (
            <UnaskedRow
              key={`${one.agentId} ${one.toolName}`}
              what={title}
              facts={[
                agentName(one.agentId),
                one.since === null ? words.ownRule : facts.since(one.since),
                ...facts.uses(one.used, one.lastUsedAt),
              ]}
              actions={[
                {
                  text: words.askFirst,
                  label: words.askFirstThis(title),
                  onPress: () => take(askback.unaskedTools.askFirst(one), words.asksFirst(title)),
                },
              ]}
            />
          )
        })}
      </UnaskedSection>
      <UnaskedSection title={scheduled.title} note={words.schedulesNote}>
        {schedules.map((one) => {
          const { id, message, pausedAs, nextAt } = one
          const isPaused = pausedAs === 'user' || pausedAs === 'failures'
          return (
            <UnaskedRow
              key={id}
              what={message}
              facts={[
                agentName(one.agentId),
                facts.since(one.createdAt),
                ...facts.runs(one),
                facts.next(one),
              ]}
              actions={[
                ...(isPaused || nextAt !== null
                  ? [
                      {
                        text: isPaused ? scheduled.resume : scheduled.pause,
                        label: isPaused ? scheduled.resumeThis(message) : scheduled.pauseThis(message),
                        onPress: async () =>
                          void (await act(
                            askback.schedules.change(id, { paused: !isPaused }),
                            isPaused ? words.resumed(message) : words.paused(message),
                          )),
                      },
                    ]
                  : []),
                {
                  text: scheduled.remove,
                  label: scheduled.removeThis(message),
                  onPress: async () =>
                    setQuestion({
                      title: scheduled.removeQuestion,
                      note: scheduled.removeNote,
                      action: scheduled.remove,
                      end: () => take(askback.schedules.delete(id), scheduled.removed),
                    }),
                },
              ]}
            />
          )
        })}
      </UnaskedSection>
      <UnaskedSection title={words.tokens} note={words.tokensNote}>
        {tokens.map((one) => (
          <UnaskedRow
            key={one.id}
            what={one.name}
            facts={[
              agentsOf(one),
              facts.since(one.createdAt),
              ...facts.uses(one.used, one.lastUsedAt),
              facts.ends(one.expiresAt),
            ]}
            actions={[
              {
                text: words.revoke,
                label: words.revokeThis(one.name),
                onPress: async () =>
                  setQuestion({
                    title: words.revokeQuestion(one.name),
                    note: words.revokeNote,
                    action: words.revoke,
                    end: () => take(askback.tokens.revoke(one.id), words.revoked(one.name)),
                  }),
              },
            ]}
          />
        ))}
      </UnaskedSection>
      <UnaskedSection title={ofApps.title} note={ofApps.unaskedNote}>
        {apps.map(({ id, clientName, agentId, createdAt, used, lastUsedAt }) => (
          <UnaskedRow
            key={id}
            what={ofApps.name(clientName)}
            facts={[agentName(agentId), facts.since(createdAt), ...facts.uses(used, lastUsedAt)]}
            actions={[
              {
                text: ofApps.disconnect,
                label: ofApps.disconnectThis(clientName),
                onPress: async () =>
                  setQuestion({
                    title: ofApps.disconnectQuestion(clientName),
                    note: ofApps.disconnectNote,
                    action: ofApps.disconnect,
                    end: () => take(createConnectedApps(askback).revoke(id), ofApps.disconnected(clientName)),
                  }),
              },
            ]}
          />
        ))}
      </UnaskedSection>
      <UnaskedSection title={words.links} note={words.linksNote}>
        {links.map(({ id, sentence, name, createdAt, expiresAt }) => (
          <UnaskedRow
            key={id}
            what={sentence}
            facts={[
              name !== undefined && labels.openItem.madeFor(name),
              facts.since(createdAt),
              facts.ends(expiresAt, 'moment'),
            ]}
            actions={[
              {
                text: words.revoke,
                label: words.revokeThis(sentence),
                onPress: () => take(askback.links.revoke(id), words.revoked(sentence)),
              },
            ]}
          />
        ))}
      </UnaskedSection>
      {question && (
        <AskFirst
          title={question.title}
          action={question.action}
          onKeep={() => setQuestion(undefined)}
          onConfirm={() => {
            setQuestion(undefined)
            void question.end()
          }}
        >
          <p>{question.note}</p>
        </AskFirst>
      )}
    </section>
  )
}
