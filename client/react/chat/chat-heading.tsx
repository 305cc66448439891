import { useChatLabels } from '../labels/use-chat-labels.ts'

/** What the headings of the list and of the conversation stand below, whichever of them is seen. It is only heard. */
export function ChatHeading() {
  return <h1 className="askback-announced">{useChatLabels().chat}</h1>
}
