import { isPublicAddress } from '../../shared/integrations/network/public-address.ts'
import { readPublicUrl } from '../../shared/integrations/network/public-url.ts'
import { type Measurement, readCases, Tally } from './measurement.ts'

interface Case {
  id: string
  url: string
  verdict: 'allow' | 'block' | 'invalid' | 'block_after_dns' | 'block_after_redirect' | 'policy'
  /** What the name resolves to; several responses, if it changes. */
  dns?: string[] | string[][]
  /** `location` of the responses. */
  redirects?: string[]
}

const right = 'web addresses: right verdict'

/** Which URLs may be read: labelled URLs, with what their names resolve to and where they redirect. */
export async function measureWebAddresses(dir: string): Promise<Measurement[]> {
  const tally = new Tally()
  for (const one of await readCases<Case>(dir, 'bad-input/ssrf')) {
    if (one.verdict === 'policy') continue
    const isRead = mayBeRead(one)
    tally.add(
      right,
      isRead === (one.verdict === 'allow'),
      `${one.id}: ${JSON.stringify(one.url)} is ${one.verdict}`,
    )
  }
  return [tally.share(right, '>= 100 %')]
}

function mayBeRead({ url, dns = [], redirects = [] }: Case): boolean {
  try {
    let place = readPublicUrl(url, false)
    for (const location of redirects) place = readPublicUrl(new URL(location, place), false)
  } catch {
    return false
  }
  return dns.flat().every(isPublicAddress)
}
