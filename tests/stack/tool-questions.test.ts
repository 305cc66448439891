import { beforeAll, expect, it } from 'vitest'
import { startChatStack } from '../../support/chat-stack.ts'
import { type ChatUser, giveAgent, signUp, withDatabase } from '../../support/chat-user.ts'
import { callTool, type ModelServerRequest, say } from '../../support/model-server.ts'
import { isTestAll } from '../../support/test-all.ts'
import { firstQuestions, firstUnmarked, otherQuestions } from '../../support/tool-questions.ts'
import { useStarted } from '../../support/use-started.ts'
import { withoutTime } from '../../support/without-time.ts'

/** A function of the app that refuses, in one of these manners, until it is told how to go on. */
const statements = `
  create function public.refuse(phrase text, manner text, reply text default '') returns json
    language plpgsql as $$ begin
      if reply <> '' then return json_build_object('done', reply); end if;
      return case manner
        when 'success' then json_build_object('success', false, 'error', phrase)
        when 'ok' then json_build_object('ok', false, 'error', phrase)
        when 'error' then json_build_object('error', true, 'message', phrase)
        when 'mcp' then json_build_object('isError', true, 'content', json_build_array(json_build_object('type', 'text', 'text', phrase)))
      end;
    end $$;
  create function public.refuse_loudly(phrase text, reply text default '') returns json
    language plpgsql as $$ begin
      if reply = '' then raise exception '%', phrase; end if;
      return json_build_object('done', reply);
    end $$;
  select askback.offer_function('refuse', approval => 'never');
  select askback.offer_function('refuse_loudly', approval => 'never')`

const manners = ['success', 'ok', 'error', 'mcp']
const atOnce = 6

const chat = useStarted(() => startChatStack())
let user: ChatUser
beforeAll(async () => {
  await withDatabase(chat.stack, (sql) => sql.unsafe(statements))
  user = await signUp(chat.stack)
  await giveAgent(chat.stack, user.id, 'never')
})

/** Calls what the user's message says, and again with a reply as soon as it has read what the tool said. */
function answerAsAsked({ body }: ModelServerRequest) {
  const from = body.messages.findLastIndex(({ role }) => role === 'user')
  const { name, args } = JSON.parse(withoutTime(body.messages[from]?.content))
  const told = body.messages.slice(from).filter(({ role }) => role === 'tool')
  if (told.length > 1) return say('Done.')
  if (told.length === 0) return callTool(name, args)
  read.set(name + args.phrase, String(told[0]?.content))
  return callTool(name, { ...args, reply: 'This one.' })
}
/** What the model was told first, by tool and sentence. */
const read = new Map<string, string>()

const all = [...firstQuestions, ...firstUnmarked, ...otherQuestions]
// A third of each kind, and of each manner.
const sentences = isTestAll ? all : all.filter((_, index) => index % 3 === 0)
const calls = sentences.flatMap((phrase, index) => [
  { name: 'refuse_loudly', args: { phrase } },
  { name: 'refuse', args: { phrase, manner: manners[index % manners.length] } },
])

it(`of ${calls.length} questions and refusals of functions the model reads each first and answers it at once`, async () => {
  chat.model.use(answerAsAsked)
  const wrong: object[] = []
  const waiting = [...calls]
  const work = async () => {
    for (let call = waiting.pop(); call; call = waiting.pop()) {
      const { answer } = await user.post({ message: JSON.stringify(call) })
      const second = answer.toolsUsed?.[1]
      const isRead = read.get(call.name + call.args.phrase)?.includes(call.args.phrase.replace(/[.]$/, ''))
      if (!isRead || answer.status !== 'completed' || !second?.ok || second.attempt !== 2) {
        wrong.push({ call, status: answer.status, read: read.get(call.name + call.args.phrase) })
      }
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  expect(wrong).toEqual([])
}, 180_000)
