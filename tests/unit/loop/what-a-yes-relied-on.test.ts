import { expect, test } from 'vitest'
import { changesBetween, type Seen } from '../../../shared/engine/core/seen.ts'
import { Changed } from '../../../shared/engine/core/tool-error.ts'
import type { LookContext } from '../../../shared/engine/core/tool-specification.ts'
import { recordingTool, startScenario } from '../../../support/agent-scenario.ts'
import { gate } from '../../../support/gate.ts'
import { callTool, callTools, say } from '../../../support/model-server.ts'
import { approvalOf, decide, stored } from './decide.ts'
import { plainAndStreamed } from './plain-and-streamed.ts'

const plain = { type: 'string' }

/** A text in which a tool replaces words, and that others change. */
function page(content: string, more: Partial<Parameters<typeof recordingTool>[0]> = {}) {
  const looks: LookContext[] = []
  const see = (find: string): Seen => ({ places: content.split(find).length - 1 })
  const replace = recordingTool({
    name: 'replace_text',
    parameters: {
      type: 'object',
      properties: { find: plain, replace: plain },
      required: ['find', 'replace'],
    },
    approval: 'always',
    repeats: true,
    looks: true,
    look: async ({ find }, context) => {
      looks.push(context)
      return { seen: see(String(find)) }
    },
    execute: ({ find, replace: by }, { seen }) => {
      const changed = seen ? changesBetween(seen, see(String(find))) : []
      if (changed.length > 0) throw new Changed(changed)
      content = content.replaceAll(String(find), String(by))
      return { content }
    },
    ...more,
  })
  return {
    replace,
    looks,
    write: (more: string) => {
      content += more
    },
    get content() {
      return content
    },
  }
}

const change = { find: 'cat', replace: 'dog' }

plainAndStreamed('what a yes relied on', (stream) => {
  test('one place that became six by the time of the yes is not replaced: the card comes anew and says so', async () => {
    const text = page('a cat')
    await using scenario = await startScenario({
      stream,
      tools: [text.replace],
      script: [callTool('replace_text', change), say('Replaced.')],
    })
    const parked = await scenario.run()
    text.write(' cat cat cat cat cat')
    const again = await scenario.resume(decide(parked, 'approve'))
    expect(text.content).toBe('a cat cat cat cat cat cat')
    expect(again).toMatchObject({
      status: 'needs_approval',
      toolsUsed: [],
      pending: [{ type: 'approval', values: change, changed: [{ what: 'places', before: 1, now: 6 }] }],
    })
    expect(again.text).toContain('6 places now; it was 1.')
    expect(again.pending?.[0]?.question).toContain('6 places now; it was 1.')
    expect(again.pending?.[0]?.itemId).not.toBe(parked.pending?.[0]?.itemId)
    const done = await scenario.resume(decide(again, 'approve', {}, [parked]))
    expect(done).toMatchObject({ status: 'completed', toolsUsed: [{ ok: true }] })
    expect(text.content).toBe('a dog dog dog dog dog dog')
  })

  test('what was seen is in no item that clients are shown, and in nothing that the model reads', async () => {
    const text = page('a cat')
    await using scenario = await startScenario({
      stream,
      tools: [text.replace],
      script: [callTool('replace_text', change), say('Replaced.')],
    })
    const parked = await scenario.run()
    text.write(' cat')
    const again = await scenario.resume(decide(parked, 'approve'))
    await scenario.resume(decide(again, 'approve', {}, [parked]))
    expect(JSON.stringify([parked.pending, again.pending])).not.toContain('"seen"')
    expect(JSON.stringify(scenario.requests.map(({ body }) => body))).not.toContain('places')
  })

  test('of two cards on one page, approving the first is no change to the second', async () => {
    const text = page('a cat, a hat')
    await using scenario = await startScenario({
      stream,
      tools: [text.replace],
      script: [
        callTools([
          ['replace_text', { find: 'hat', replace: 'cat' }],
          ['replace_text', { find: 'cat', replace: 'mouse' }],
        ]),
        say('Replaced.'),
      ],
    })
    const parked = await scenario.run()
    const first = await scenario.resume(decide(parked, 'approve'))
    expect(first.pending).toHaveLength(1)
    const done = await scenario.resume({
      transcript: stored(parked, first),
      approval: approvalOf(first, 'approve'),
    })
    expect(done.status).toBe('completed')
    expect(text.content).toBe('a mouse, a mouse')
  })

  test('two cards on one page can be approved at once', async () => {
    const text = page('a cat, a hat')
    await using scenario = await startScenario({
      stream,
      tools: [text.replace],
      script: [
        callTools([
          ['replace_text', { find: 'hat', replace: 'cat' }],
          ['replace_text', { find: 'cat', replace: 'mouse' }],
        ]),
        say('Replaced.'),
      ],
    })
    const parked = await scenario.run()
    const done = await scenario.resume({
      transcript: stored(parked),
      approval: [approvalOf(parked, 'approve', 0), approvalOf(parked, 'approve', 1)],
    })
    expect(done.status).toBe('completed')
    expect(text.content).toBe('a mouse, a mouse')
  })

  test('what others changed before the first yes is still a change to the second card', async () => {
    const text = page('a cat, a hat')
    await using scenario = await startScenario({
      stream,
      tools: [text.replace],
      script: [
        callTools([
          ['replace_text', { find: 'hat', replace: 'cap' }],
          ['replace_text', { find: 'cat', replace: 'mouse' }],
        ]),
        say('Replaced.'),
      ],
    })
    const parked = await scenario.run()
    text.write(', a cat')
    const first = await scenario.resume(decide(parked, 'approve'))
    const second = await scenario.resume({
      transcript: stored(parked, first),
      approval: approvalOf(first, 'approve'),
    })
    expect(text.content).toBe('a cat, a cap, a cat')
    expect(second.pending).toMatchObject([{ changed: [{ what: 'places', before: 1, now: 2 }] }])
  })

  test('several writes of one answer are no change to the card of an earlier message', async () => {
    const text = page('a cat')
    const { look } = text.replace
    const [firstWrites, looksAgain] = [gate(), gate()]
    let looks = 0
    text.replace.look = async (args, context) => {
      looks++
      // Before the second write.
      if (looks === 3) await firstWrites.opened
      if (looks === 4) looksAgain.open()
      return await look?.(args, context)
    }
    const append = recordingTool({
      name: 'append_text',
      parameters: { type: 'object', properties: { more: plain }, required: ['more'] },
      repeats: true,
      execute: async ({ more }) => {
        if (more === ', two cats') await looksAgain.opened
        text.write(String(more))
        firstWrites.open()
      },
    })
    await using scenario = await startScenario({
      stream,
      tools: [text.replace, append],
      script: [
        callTool('replace_text', change),
        callTools([
          ['append_text', { more: ', one cat' }],
          ['append_text', { more: ', two cats' }],
        ]),
        say('Added.'),
      ],
    })
    const asked = await scenario.run()
    const added = await scenario.run({ transcript: stored(asked), input: 'Add two lines.' })
    expect(added.status).toBe('completed')
    scenario.use([say('Replaced.')])
    const done = await scenario.resume({
      transcript: stored(asked, added),
      approval: approvalOf(asked, 'approve'),
    })
    expect(done.status).toBe('completed')
    expect(text.content).toBe('a dog, one dog, two dogs')
  })

  test('edited values rely on nothing that was seen', async () => {
    const text = page('a cat')
    await using scenario = await startScenario({
      stream,
      tools: [text.replace],
      script: [callTool('replace_text', change), say('Replaced.')],
    })
    const parked = await scenario.run()
    text.write(' cat')
    const input = { find: 'cat', replace: 'mouse' }
    const done = await scenario.resume(decide(parked, 'approve', { input }))
    expect(done.status).toBe('completed')
    expect(text.content).toBe('a mouse mouse')
  })

  test('a late yes is told what has changed as well', async () => {
    const text = page('a cat')
    await using scenario = await startScenario({
      stream,
      tools: [text.replace],
      script: [callTool('replace_text', change), say('Replaced.')],
    })
    const parked = await scenario.run()
    text.write(' cat')
    scenario.clock.advance(8 * 24 * 3_600_000)
    const late = await scenario.resume(decide(parked, 'approve'))
    expect(late.pending).toMatchObject([{ changed: [{ what: 'places', before: 1, now: 2 }] }])
    const done = await scenario.resume(decide(late, 'approve', {}, [parked]))
    expect(done.status).toBe('completed')
  })

  test('a look that fails or takes too long leaves a card that relies on nothing', async () => {
    for (const look of [() => Promise.reject(new Error('away')), () => new Promise<never>(() => {})]) {
      const text = page('a cat')
      text.replace.look = look
      await using scenario = await startScenario({
        stream,
        tools: [text.replace],
        script: [callTool('replace_text', change), say('Replaced.')],
      })
      const running = scenario.run()
      await scenario.waitForRequest(1)
      const expiring = setInterval(() => scenario.clock.expire(), 5)
      const parked = await running
      clearInterval(expiring)
      expect(parked.pending).toHaveLength(1)
      text.write(' cat')
      const done = await scenario.resume(decide(parked, 'approve'))
      expect(done.status).toBe('completed')
      expect(text.content).toBe('a dog dog')
    }
  })

  test('an approved call that waits for the clock relies on the same when its time has come', async () => {
    const text = page('a cat')
    let isBusy = true
    const { execute } = text.replace
    text.replace.execute = (args, context) => {
      if (!isBusy) return execute(args, context)
      isBusy = false
      return Promise.reject(
        Object.assign(new Error('busy'), { status: 429, headers: { 'retry-after': '3600' } }),
      )
    }
    await using scenario = await startScenario({
      stream,
      tools: [text.replace],
      script: [callTool('replace_text', change), say('Replaced.')],
    })
    const parked = await scenario.run()
    const waiting = await scenario.resume(decide(parked, 'approve'))
    expect(waiting.status).toBe('waiting')
    text.write(' cat')
    scenario.clock.advance(3_700_000)
    const again = await scenario.resume({ transcript: stored(parked, waiting) })
    expect(again).toMatchObject({
      status: 'needs_approval',
      pending: [{ type: 'approval', changed: [{ what: 'places', before: 1, now: 2 }] }],
    })
    expect(text.content).toBe('a cat cat')
  })

  /** Two changes of one page, which one card asks about. */
  async function shared(content: string) {
    const text = page(content, {
      approval: 'never',
      destructive: true,
      confirm: 'Replace words in {page}?',
      parameters: {
        type: 'object',
        properties: { page: plain, find: plain, replace: plain },
        required: ['find', 'replace'],
      },
    })
    const read = recordingTool({
      name: 'read_page',
      effect: 'read',
      parameters: { type: 'object', properties: {} },
      execute: () => content,
    })
    const scenario = await startScenario({
      stream,
      tools: [text.replace, read],
      script: [
        callTool('read_page', {}),
        callTools([
          ['replace_text', { page: 'Plan', find: 'cat', replace: 'dog' }],
          ['replace_text', { page: 'Plan', find: 'hat', replace: 'cap' }],
        ]),
        say('Replaced.'),
      ],
    })
    const parked = await scenario.run()
    expect(parked.pending).toHaveLength(1)
    return { text, scenario, parked }
  }

  test('of two changes that one card asks about, the second does not rely on what was seen for the first', async () => {
    const { text, scenario, parked } = await shared('a cat, a cat, a hat')
    await using _ = scenario
    const done = await scenario.resume(decide(parked, 'approve'))
    expect(done.status).toBe('completed')
    expect(text.content).toBe('a dog, a dog, a cap')
  })

  test('what one card asked about together is not asked, nor declined, again with the one that has changed', async () => {
    const { text, scenario, parked } = await shared('a cat, a hat')
    await using _ = scenario
    text.write(', a cat')
    const again = await scenario.resume(decide(parked, 'approve'))
    expect(text.content).toBe('a cat, a cap, a cat')
    expect(again.pending).toMatchObject([{ values: { find: 'cat' }, changed: [{ before: 1, now: 2 }] }])
    const declined = await scenario.resume(decide(again, 'deny', {}, [parked]))
    expect(declined.toolsUsed.filter(({ ok }) => !ok)).toMatchObject([{ input: { find: 'cat' } }])
  })
})
