import { useChatLabels } from '../labels/use-chat-labels.ts'

/** What an empty conversation shows. */
export function Greeting() {
  return <p className="askback-greeting">{useChatLabels().greeting}</p>
}
