// Everything a conversation needs once it has messages.

export { OpenLine } from '../../../client/react/cards/open-line.tsx'
export { ConversationLog } from './conversation-log.tsx'
export { DockedCard } from './docked-card.tsx'
