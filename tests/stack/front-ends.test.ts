import { expect, it } from 'vitest'
import { play } from '../../lab/front-ends/play.ts'
import { describeVerdict, isWrong } from '../../lab/front-ends/report.ts'
import { scenes } from '../../lab/front-ends/scenes.ts'

// The short form of `npm run lab -- front-ends`.
const short = [
  'openai: timeout 2 s, mail 5 s, retries 2, plain, unnamed',
  'Stop in Open WebUI before the mail, unnamed',
  'Stop, and the same request within 10 s, named: it goes on',
  'Open WebUI as installed: two turns, five requests of its own after each',
  'Open WebUI with its chats named: two turns, five requests of its own after each',
  'Open WebUI as installed: follow-ups of tomorrow after the answer',
  'Open WebUI as installed: Continue Response',
  'the same request again, by a proxy that drops x-stainless-retry-count',
  'the weekly report, without a name, 13 hours later',
  'approved in the app, then any message, named: the outcome comes first',
  'an address in an attached plan.txt',
  'fork, Regenerate, rewords all, named',
  '"Thanks!" an hour later, rewords all, unnamed',
  'something new an hour later, obeys, named',
  'Edit, Send, rewords all, named',
  'the history left out, "Thanks!", rewords all, named',
  'small talk, LibreChat title under its id, Regenerate',
  'merge after the answer, unnamed, rewords all',
  'temporary chats of one tab are two, and none is listed',
]

it('front ends repeat, stop and ask for themselves: each mail that was asked for is sent once', async () => {
  const chosen = scenes.filter(({ name }) => short.includes(name))
  expect(chosen.map(({ name }) => name).sort()).toEqual([...short].sort())
  const verdicts = await play(chosen, { atOnce: 6 })
  expect(verdicts.filter(isWrong).map(describeVerdict)).toEqual([])
}, 180_000)
