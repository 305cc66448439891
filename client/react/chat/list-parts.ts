// What stands around a conversation, loaded once the composer takes text.

export { ChatBar } from './chat-bar.tsx'
export { ChatHeading } from './chat-heading.tsx'
export { ChatList } from './chat-list.tsx'
export { Greeting } from './greeting.tsx'
export { ShownProblem } from './shown-problem.tsx'
