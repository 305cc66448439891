import { type ChatLabels, englishChat } from '../../labels/en-chat.ts'
import { labelsBeside } from './labels.tsx'

const useGiven = labelsBeside({ chat: englishChat })

/** The labels of `<AskbackChat>` from the nearest provider. They are loaded with its parts, not with the page. */
export function useChatLabels(): ChatLabels {
  return useGiven().chat
}
