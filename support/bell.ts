import { ringBells } from '../supabase/functions/chat/bell/ring.ts'
import { readDependencies } from '../supabase/functions/chat/turn/dependencies.ts'
import { projectEnvironment } from './chat-app.ts'
import type { TestStack } from './stack.ts'

/** What the clock has the chat function tell, to its end. */
export function bellOf(stack: Pick<TestStack, 'url' | 'dataDirectory'>): () => Promise<void> {
  const environment = { ...projectEnvironment(stack), ASKBACK_ALLOW_PRIVATE_HOSTS: 'true' }
  const dependencies = readDependencies(environment, () => {})
  return async () => void (await (await ringBells(dependencies)).told)
}
