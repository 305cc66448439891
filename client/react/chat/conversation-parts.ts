// Everything a conversation needs once it has messages.

export { OpenLine } from '../cards/open-line.tsx'
export { ConversationLog } from './conversation-log.tsx'
export { DockedCard } from './docked-card.tsx'
