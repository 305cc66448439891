import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { readEmailAddress } from '../../shared/engine/schema/email-format.ts'

interface Case {
  id: string
  address: string
  verdict: 'valid' | 'invalid' | 'policy'
}

/** Which texts are a single email address: labelled texts against `readEmailAddress`. */
export async function measureEmail(dir: string) {
  const text = await readFile(join(dir, 'bad-input/email-dev.json'), 'utf8')
  const cases = (JSON.parse(text) as Case[]).filter((one) => one.verdict !== 'policy')
  const missed = cases
    .filter((one) => readEmailAddress(one.address).ok !== (one.verdict === 'valid'))
    .map((one) => `${one.id}: ${JSON.stringify(one.address)} is ${one.verdict}`)
  const total = cases.length
  const hits = total - missed.length
  return [
    {
      name: 'email addresses: right verdict',
      goal: '>= 97 %',
      value: `${((100 * hits) / total).toFixed(1)} %`,
      hits,
      total,
      missed,
    },
  ]
}
