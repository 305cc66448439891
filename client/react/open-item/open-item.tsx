import { useMemo, useState } from 'react'
import { showMomentOfYear } from '../../../shared/words/locale.ts'
import type { ToolDescription } from '../../api/message.ts'
import type { LinkedDecision, LinkedItem } from '../../api/types.ts'
import type { Askback } from '../../askback.ts'
import type { AskbackError } from '../../askback-error.ts'
import type { Labels } from '../../labels/en.ts'
import { describeFailure } from '../../labels/failure.ts'
import { AskedAt } from '../cards/asked-at.tsx'
import { QuestionText } from '../cards/question-text.tsx'
import { type Made, sayWho } from '../cards/receipt.tsx'
import { Problem } from '../forms/problem.tsx'
import { useKeyboardHeight } from '../interaction/use-keyboard-height.ts'
import { ToolNamesProvider } from '../labels/tool-names.tsx'
import { useLabels } from '../labels/use-labels.ts'
import { type CardHandlers, PendingCard } from '../messages/pending-card.tsx'
import { EndDigests, endsDigests } from './end-digests.tsx'
import { Framed, isFramedByOthers } from './framed.tsx'
import { useLinkedItem } from './use-linked-item.ts'

export interface OpenItemProps {
  askback: Askback
  /** What stands behind the `#` of the link. */
  token: string
  /** The settings page, for connections. */
  settingsHref: string
  /** Who is signed in, if anybody is: when that changes, the item is read again. */
  userId?: string | undefined
  /** Shows the app's sign-in, which a link without authority takes. */
  onSignIn?: (() => void) | undefined
}

/**
 * One open item on a page of its own, for whoever has its link: what is asked, by which agent and since when, to decide it
 * here; then what became of it. Nothing else of its conversation. For the link by which a mail's reader ends such mails, that
 * question instead.
 */
export function OpenItem(props: OpenItemProps) {
  return endsDigests(props.token) ? <EndDigests {...props} /> : <Item {...props} />
}

function Item({ askback, token, settingsHref, userId, onSignIn }: OpenItemProps) {
  const labels = useLabels()
  const isFramed = useMemo(isFramedByOthers, [])
  const { linked, failure, decide } = useLinkedItem(askback, token, { isShown: !isFramed, userId })
  const [mine, setMine] = useState<Made>()
  useKeyboardHeight()
  if (isFramed) return <Framed />
  if (!linked) return failure ? <Problem>{describeFailure(failure, labels)}</Problem> : null

  const { item, agent, name, signIn, decided } = linked
  const post = async (decision: Made['decision'], body: LinkedDecision) => {
    const { itemId, messageId, toolCallId } = item
    setMine({ itemId, messageId, toolCallId, decision, at: new Date().toISOString() })
    try {
      // It may wait for somebody else's approval as well.
      if (!(await decide(body)).decided) setMine(undefined)
    } catch (error) {
      setMine(undefined)
      // The item itself says how it was decided.
      if ((error as AskbackError).code !== 'already_decided') throw error
    }
  }
  const handlers: CardHandlers = {
    settingsHref,
    onAnswer: (_, values) => post('answer', { values }),
    onDecide: (_, { decision, values, input, reason }) =>
      post(decision, {
        decision,
        values,
        ...(input ? { input } : {}),
        ...(reason ? { reason } : {}),
      }),
    onSkip: () => post('skip', { decision: 'skip' }),
  }
  const outcome =
    linked.outcome && linked.outcome.status !== 'working' ? sayOutcome(labels, linked) : undefined
  return (
    <section className="askback-open-item" aria-label={labels.openItem.title}>
      <header>
        <h1 dir="auto">{agent === null ? labels.openItem.somebodyAsks : labels.openItem.asks(agent)}</h1>
        {item.type !== 'approval' && item.approvalId === undefined && <AskedAt pending={item} />}
        {name !== undefined && <p className="askback-quiet">{labels.openItem.madeFor(name)}</p>}
      </header>
      {signIn && !decided ? (
        <SignInFirst item={item} signIn={signIn} onSignIn={onSignIn} />
      ) : decided && !mine ? (
        <Decided linked={linked} />
      ) : (
        <ToolNamesProvider tools={toolOf(linked)}>
          <PendingCard
            pending={item}
            made={mine && { ...mine, ...(outcome === undefined ? {} : { outcome }) }}
            handlers={handlers}
          />
        </ToolNamesProvider>
      )}
    </section>
  )
}

/** What is asked, without the values of the call: they are for whoever may decide. */
function SignInFirst({
  item,
  signIn,
  onSignIn,
}: {
  item: LinkedItem['item']
  signIn: NonNullable<LinkedItem['signIn']>
  onSignIn: (() => void) | undefined
}) {
  const labels = useLabels()
  return (
    <div className="askback-card askback-question">
      <QuestionText
        pending={{ ...item, question: item.confirm ?? item.asked, asked: item.confirm ?? item.asked }}
      />
      <p>{signIn === 'other' ? labels.openItem.otherAccount : labels.openItem.signInFirst}</p>
      {onSignIn && (
        <div className="askback-actions">
          <button type="button" className="askback-primary" onClick={onSignIn}>
            {labels.openItem.signIn}
          </button>
        </div>
      )}
    </div>
  )
}

/** What was decided before, by whom and when, and what became of it. */
function Decided({ linked }: { linked: LinkedItem }) {
  const labels = useLabels()
  const { item, decided, outcome } = linked
  if (!decided) return null
  const { as, at } = decided
  const { openItem } = labels
  const how = openItem.how[as] ?? as
  const who = sayWho(labels, decided)
  const said = who === undefined ? how : openItem.decidedBy(how, who)
  return (
    <div className="askback-card">
      <p role="status">
        <strong dir="auto">{openItem.alreadyDecided(said)}</strong>
        {at && (
          <>
            {' · '}
            <time dateTime={at}>{showMomentOfYear(new Date(at), labels.locale)}</time>
          </>
        )}
      </p>
      <p className="askback-quiet" dir="auto">
        {item.confirm ?? item.asked}
      </p>
      {outcome && (
        <p aria-live="polite" dir="auto">
          {sayOutcome(labels, linked)}
        </p>
      )}
    </div>
  )
}

function sayOutcome({ openItem }: Labels, { outcome }: LinkedItem): string {
  if (!outcome) return ''
  return outcome.text ?? openItem.outcomes[outcome.status]
}

/** The call's own tool, so that its fields can be edited by whoever may not list the agent's tools. */
function toolOf({ item, parameters }: LinkedItem): ToolDescription[] {
  if (!parameters) return []
  const { toolName: name, title } = item
  const rest = { description: '', providers: [], function: '', action: '', offReason: null }
  return [{ ...rest, name, title, parameters, effect: 'write', approval: 'always' }]
}
