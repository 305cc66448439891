// What a conversation needs as soon as something was said in it.

export { OpenLine } from '../../../client/react/open-line.tsx'
export { ConversationLog } from './conversation-log.tsx'
export { DockedCard } from './docked-card.tsx'
