// What a conversation needs as soon as something was said in it.
export { ConversationLog } from './conversation-log.tsx'
export { DockedCard } from './docked-card.tsx'
export { OpenLine } from './open-line.tsx'
