import { describe, expect, it } from 'vitest'
import { readPublicUrl } from '../../../shared/integrations/network/public-url.ts'
import { RefusedPage } from '../../../shared/integrations/network/refused-page.ts'

function refusalOf(url: string, allowLoopback = false): string | undefined {
  try {
    readPublicUrl(url, allowLoopback)
    return undefined
  } catch (error) {
    return error instanceof RefusedPage ? error.refusal : String(error)
  }
}

describe('readPublicUrl', () => {
  it.each([
    'https://example.com/',
    'http://example.com.:80/a?b=c#d',
    'https://example.com:443',
    'https://127.0.0.1.example.com/',
    'https://localhost.example.com/',
    'https://user.example.com/@b:c',
    'http://8.8.8.8/',
    'http://[2606:4700::1111]/',
    'http://0x08080808/',
    'http://bücher.example.com/',
  ])('lets %s pass', (url) => {
    expect(refusalOf(url)).toBeUndefined()
  })

  it.each([
    'http://localhost/',
    'http://LOCALHOST./',
    'http://a.localhost/',
    'http://loc\u200balhost/',
    'http://ⓛⓞⓒⓐⓛⓗⓞⓢⓣ/',
    'http://127.0.0.1/',
    'http://127.1/',
    'http://0/',
    'http://0x7f.1/',
    'http://0177.0.0.01/',
    'http://2130706433/',
    'http://017700000001/',
    'http://0x7f000001/',
    'http://１２７.０.０.１/',
    'http://127。0。0。1/',
    'http://①②⑦.⓪.⓪.①/',
    'http://12\t7.0.0.1/',
    'http://%31%32%37.0.0.1/',
    'http:\\\\127.0.0.1\\',
    'http:127.0.0.1',
    'http://127.0.0.1?.example.com',
    'http://127.0.0.1#.example.com',
    'http://10.0.0.1/',
    'http://172.31.255.254/',
    'http://192.168.0.1/',
    'http://100.100.100.200/latest/meta-data/',
    'http://169.254.169.254/latest/meta-data/',
    'http://0xa9fea9fe/',
    'http://2852039166/',
    'http://168.63.129.16/machine',
    'http://192.0.0.192/opc/v2/',
    'http://metadata.google.internal/',
    'http://metadata/',
    'http://instance-data/',
    'http://printer.local/',
    'http://nas.home.arpa/',
    'http://kubernetes.default.svc.cluster.local/',
    'http://intranet/',
    'http://[::]/',
    'http://[::1]/',
    'http://[0:0:0:0:0:0:0:1]/',
    'http://[::127.0.0.1]/',
    'http://[::ffff:127.0.0.1]/',
    'http://[::ffff:7f00:1]/',
    'http://[::ffff:0:127.0.0.1]/',
    'http://[64:ff9b::127.0.0.1]/',
    'http://[64:ff9b:1::a00:1]/',
    'http://[2002:7f00:1::]/',
    'http://[2001:0:7f00:1::]/',
    'http://[fe80::1]/',
    'http://[fd00:ec2::254]/',
    'http://[fd20:ce::254]/',
    'http://[ff02::1]/',
    'http://[100::1]/',
    'http://[5f00::1]/',
  ])('takes %j for no public place', (url) => {
    expect(refusalOf(url)).toBe('private')
  })

  it.each([
    ['file:///etc/passwd', 'scheme'],
    ['ftp://example.com/', 'scheme'],
    ['gopher://example.com/_x', 'scheme'],
    ['dict://example.com:11111/', 'scheme'],
    ['javascript:alert(1)', 'scheme'],
    ['data:text/html,x', 'scheme'],
    ['blob:https://example.com/1', 'scheme'],
    ['ws://example.com/', 'scheme'],
    ['view-source:https://example.com/', 'scheme'],
    ['jar:https://example.com!/', 'scheme'],
    ['https://user@example.com/', 'userinfo'],
    ['https://user:secret@example.com/', 'userinfo'],
    ['https://example.com@127.0.0.1/', 'userinfo'],
    ['https://:@example.com:22/', 'port'],
    ['https://example.com:22/', 'port'],
    ['https://example.com:80/', 'port'],
    ['http://example.com:443/', 'port'],
    ['http://example.com:6379/', 'port'],
    ['', 'not_a_url'],
    ['example.com', 'not_a_url'],
    ['http://', 'not_a_url'],
    ['http://[::1', 'not_a_url'],
    ['http://1.2.3.4.5/', 'not_a_url'],
    ['http://256.256.256.256/', 'not_a_url'],
    ['http://exa mple.com/', 'not_a_url'],
    ['https://example.com:99999/', 'not_a_url'],
  ])('refuses %j: %s', (url, refusal) => {
    expect(refusalOf(url)).toBe(refusal)
  })

  it.each([
    'http://127.0.0.1:8080/',
    'http://localhost:54321/a',
    'http://a.localhost/',
    'http://[::1]:80/',
    'http://[::ffff:127.0.0.1]/',
    'http://2130706433:8080/',
    'https://example.com:8443/',
  ])('lets %s pass where this machine itself may be read', (url) => {
    expect(refusalOf(url, true)).toBeUndefined()
  })

  it.each([
    ['http://169.254.169.254/latest/meta-data/', 'private'],
    ['http://10.0.0.1/', 'private'],
    ['http://192.168.0.1:8080/', 'private'],
    ['http://[fd00:ec2::254]/', 'private'],
    ['http://[64:ff9b::127.0.0.1]/', 'private'],
    ['http://0.0.0.0/', 'private'],
    ['http://metadata.google.internal/', 'private'],
    ['http://printer/', 'private'],
    ['file:///etc/passwd', 'scheme'],
    ['http://a:b@127.0.0.1/', 'userinfo'],
  ])('refuses %s there too: %s', (url, refusal) => {
    expect(refusalOf(url, true)).toBe(refusal)
  })

  it('says what to do, with the host alone', () => {
    expect(() => readPublicUrl('http://169.254.169.254/a/secret?b', false)).toThrow(
      'Question: 169.254.169.254 is not on the public internet, so it is not read. Which public page should I read instead?',
    )
  })
})
