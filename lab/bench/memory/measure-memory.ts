import { join } from 'node:path'
import { startChatStack } from '../../../support/chat-stack.ts'
import { signUp, withDatabase } from '../../../support/chat-user.ts'
import { storeLongConversation } from '../../../support/long-conversation.ts'
import { say } from '../../../support/model-server.ts'
import { project } from '../../../support/stack.ts'
import { startMeasured } from '../measured-process.ts'
import { longAnswer, MeasuredChat, memoryScenarios } from './scenarios.ts'

/** What a scenario came to. */
export interface MeasuredScenario {
  name: string
  statuses: number[]
  /** The highest sum of heap and external memory, in MB. */
  peak: number
  /** CPU time of the function for all of its requests, in ms. */
  cpu: number
}

/** Plays the scenarios one after the other in one process of the chat function, with the memory of a hosted one. */
export async function measureMemory(scenarios = memoryScenarios): Promise<MeasuredScenario[]> {
  const { stack, model, stop } = await startChatStack()
  try {
    const user = await signUp(stack)
    await storeLongConversation(stack, 500, user.email)
    // What is measured is what one process takes, not what one user may do.
    await withDatabase(stack, (sql) => sql`update askback.limits set value = 1000000000`)
    const megabyte = say('word '.repeat(200_000), { fragments: { size: 1000 } })
    model.use(({ body }) =>
      JSON.stringify(body.messages.at(-1)).includes(longAnswer) ? megabyte : say('I see.'),
    )
    const measured = await startMeasured(stack, join(project, 'supabase/functions/chat/index.ts'), {
      LLM_PROVIDER: 'any',
      OPENAI_BASE_URL: model.url,
      OPENAI_API_KEY: 'any',
      OPENAI_MODEL: 'scripted-model',
    })
    const chat = new MeasuredChat(measured.url, user)
    const found: MeasuredScenario[] = []
    try {
      for (const { name, run } of scenarios) {
        await measured.memory()
        const before = measured.cpu()
        const statuses = await run(chat)
        const { peak } = await measured.memory()
        found.push({ name, statuses, peak: peak / 1e6, cpu: measured.cpu() - before })
        // Otherwise their bytes are looked through for secrets at the end.
        await withDatabase(stack, (sql) => sql`truncate askback.files cascade`)
        model.requests.length = 0
      }
      return found
    } finally {
      measured.stop()
    }
  } finally {
    await stop()
  }
}
