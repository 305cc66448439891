import postgres from 'postgres'
import { type ModelServer, startModelServer } from '../../support/model-server.ts'
import { pause, type SlowMailServer, startSlowMailServer } from '../../support/slow-mail-server.ts'
import { startStack, type TestStack } from '../../support/stack.ts'
import type { ScriptedModel } from './model.ts'
import { type CompanyProxy, startProxy } from './proxy.ts'

/** A scene as the fake servers around the stack know it. */
export interface OnStage {
  model: ScriptedModel
  /** Milliseconds that the mail server takes to respond. */
  mailMs: number
  /** Called when a mail has arrived and is not acknowledged yet. */
  onMail(): void
}

/** The stack and everything that it talks to. */
export interface Stage {
  stack: TestStack
  mail: SlowMailServer
  proxy: CompanyProxy
  sql: postgres.Sql
  /** By mark. */
  scenes: Map<string, OnStage>
  close(): Promise<void>
}

/** A mark in every address of a scene, and in no other. */
export const markOf = (number: number): string => `scene${number}`
export const addressOf = (name: string, number: number): string => `${name}-${markOf(number)}@example.com`
export const addressesOf = (number: number): RegExp =>
  new RegExp(`\\b\\w+-${markOf(number)}@example\\.com`, 'g')
const markIn = (text: string) => /scene\d+(?=@example\.com)/.exec(text)?.[0] ?? ''

export async function openStage(): Promise<Stage> {
  const scenes: Stage['scenes'] = new Map()
  const model: ModelServer = await startModelServer(
    async (request) =>
      (await scenes.get(markIn(JSON.stringify(request.body.messages)))?.model.answer(request)) ?? {
        text: 'What can I do for you?',
      },
  )
  const mail = await startSlowMailServer(async (stage, { to }) => {
    const scene = scenes.get(markIn(to.join()))
    if (!scene || stage !== 'message') return
    scene.onMail()
    await pause(scene.mailMs)
  })
  const stack = await startStack({
    env: {
      ASKBACK_CLOCK_SECONDS: '1',
      LLM_PROVIDER: 'any',
      OPENAI_BASE_URL: model.url,
      OPENAI_API_KEY: 'any',
      OPENAI_MODEL: 'scripted-model',
    },
  })
  mail.trustIn(stack)
  const proxy = await startProxy(stack.url)
  const sql = postgres(stack.databaseUrl, { max: 3, onnotice: () => {} })
  return {
    stack,
    mail,
    proxy,
    sql,
    scenes,
    async close() {
      await sql.end({ timeout: 5 })
      await stack.stop()
      await Promise.all([proxy.close(), model.close(), mail.close()])
    },
  }
}
