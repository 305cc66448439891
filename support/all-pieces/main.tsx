import { createRoot } from 'react-dom/client'
import type { Askback } from '../../client/askback.ts'
import { failureOf } from '../../client/askback-error.ts'
import { OpenLine } from '../../client/react/cards/open-line.tsx'
import { Receipt } from '../../client/react/cards/receipt.tsx'
import { Composer } from '../../client/react/conversation/composer.tsx'
import { LabelsProvider } from '../../client/react/labels/labels.tsx'
import { ConversationList } from '../../client/react/lists/conversation-list.tsx'
import { FoundConversations } from '../../client/react/lists/found-conversations.tsx'
import { MessageList } from '../../client/react/messages/message-list.tsx'
import { type Pieces, PiecesProvider } from '../../client/react/messages/pieces.tsx'
import { Schedules } from '../../client/react/schedules/schedules.tsx'
import { Integrations } from '../../client/react/settings/integrations.tsx'
import { WithoutAsking } from '../../client/react/settings/without-asking.tsx'
import * as content from './greek-content.ts'
import { markedLabels } from './marked-labels.ts'
import { WholeChat } from './whole-chat.tsx'

const refuse = () => Promise.reject(failureOf('server_silent'))
const handlers = {
  settingsHref: '/',
  withoutAskingHref: '/',
  onAnswer: refuse,
  onDecide: refuse,
  onSkip: refuse,
}
/** A server with Greek providers, which refuses to change anything. */
const askback = {
  connections: { list: async () => content.providers, test: refuse, create: refuse, delete: refuse },
  tools: async () => [],
  permissions: { list: async () => content.unasked.permissions, revoke: refuse },
  unaskedTools: { list: async () => content.unasked.tools, askFirst: refuse },
  tokens: {
    list: async () => content.unasked.tokens,
    models: async () => content.unasked.agents,
    revoke: refuse,
  },
  schedules: {
    list: async () => content.unasked.schedules,
    add: refuse,
    change: refuse,
    run: refuse,
    delete: refuse,
  },
  links: { list: async () => content.unasked.links, revoke: refuse },
  // Of connected apps.
  fetch: async () => Response.json({ grants: content.unasked.apps, agents: [] }),
} as unknown as Askback
const list = {
  conversations: content.conversations,
  more: refuse,
  openId: 'σ0',
  hrefOf: () => '/',
  onOpen() {},
}
/** Takes its time. */
const upload = () => new Promise<never>(() => {})
const talk = { ...handlers, isBusy: false, upload, onSend: refuse, onStop() {}, onProblem: show }
const edited = { text: 'Κείμενο', files: [{ type: 'file' as const, mediaType: 'text/plain', url: 'data:,' }] }

/** What pieces leave to the app to be shown. */
function show(sentence: string) {
  document.body.appendChild(document.createElement('p')).textContent = sentence
}

/** Components of an app in place of all of ours. */
const own: Pieces = {
  ApprovalCard: () => <p>own ApprovalCard</p>,
  ConnectCard: () => <p>own ConnectCard</p>,
  DoneBefore: () => <p>own DoneBefore</p>,
  FileBlock: () => <p>own FileBlock</p>,
  QuestionForm: () => <p>own QuestionForm</p>,
  ServerCard: () => <p>own ServerCard</p>,
  SeveralApprovals: () => <p>own SeveralApprovals</p>,
  Sources: () => <p>own Sources</p>,
  Thought: () => <p>own Thought</p>,
  ToolCard: () => <p>own ToolCard</p>,
  ToolRun: () => <p>own ToolRun</p>,
  WaitCard: () => <p>own WaitCard</p>,
}
const asked = new URLSearchParams(location.search)

document.documentElement.dir = asked.get('dir') ?? 'ltr'
function AllPieces() {
  return (
    <>
      <ConversationList {...list} />
      <FoundConversations {...list} />
      <PiecesProvider components={asked.has('own') ? own : {}}>
        <MessageList
          messages={[...content.messages, content.broken]}
          pending={content.pending}
          decided={content.decided}
          isBusy={false}
          onEarlier={refuse}
          handlers={handlers}
        />
      </PiecesProvider>
      <MessageList messages={content.messages.slice(0, 1)} pending={[]} isBusy handlers={handlers} />
      <Receipt made={{ itemId: 'α', decision: 'late', at: new Date().toISOString() }} />
      {content.pending.slice(2).map((one) => (
        <Composer
          key={one.itemId}
          {...talk}
          note={<OpenLine pending={[one, ...content.pending.slice(3)]} decided={[]} {...talk} />}
        />
      ))}
      <Integrations
        askback={askback}
        only={asked.get('only')?.split(',')}
        hide={asked.get('hide')?.split(',')}
        noteOf={({ available }) => (available || asked.has('bare') ? undefined : { text: 'Λείπει.' })}
        onNote={show}
      />
      <WithoutAsking askback={askback} onNote={show} />
      <Schedules askback={askback} onNote={show} />
      <Composer {...talk} />
      <Composer {...talk} isBusy edited={edited} onCancelEdit={() => {}} />
    </>
  )
}

createRoot(document.body.appendChild(document.createElement('main'))).render(
  <LabelsProvider labels={markedLabels}>{asked.has('chat') ? <WholeChat /> : <AllPieces />}</LabelsProvider>,
)
