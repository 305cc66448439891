import { describe, expect, test } from 'vitest'
import { inertMail } from '../../../client/values/inert-mail.ts'
import { remoteHtml } from '../../../support/remote-html.ts'

/** What is in the page, without the words of titles, which only say where a link led. */
const shown = (html: string) =>
  inertMail(html)
    .replace(/^.*?<meta http-equiv[^>]*>/s, '')
    .replace(/ title="[^"]*"/g, '')

describe('the HTML of a mail as a page that only shows it', () => {
  test.each(remoteHtml('https://evil.example'))('loads nothing of %s', (html) => {
    const page = shown(`<b>Before.</b> ${html}`)
    expect(page).toContain('<b>Before.</b>')
    // What stands in text loads nothing.
    expect(page.replace(/>[^<]*/g, '>')).not.toMatch(
      /evil\.example|on\w+=|<(?!\/?(?:b|p|img|table|tr|td|a|tbody)\b)/i,
    )
  })
  test('keeps how it looks', () => {
    const html =
      '<table width="600" bgcolor="#fff"><tbody><tr><td style="color:rgb(1, 2, 3);font-family:\'Noto Sans\', メイリオ" align="center">Hi &amp; <b>bye</b></td></tr></tbody></table>'
    expect(shown(html)).toBe(html)
    expect(shown('<p style="margin:0;background:url(x);color:red">a</p>')).toBe(
      '<p style="margin:0;color:red">a</p>',
    )
  })
  test('shows a picture that it holds itself, and says where a link led', () => {
    expect(shown('<img src="data:image/png;base64,AA" alt="logo">')).toBe(
      '<img src="data:image/png;base64,AA" alt="logo" />',
    )
    expect(inertMail('<a href="https://evil.example/?a=1&b">bank.example</a>')).toContain(
      '<a title="https://evil.example/?a=1&amp;b">bank.example</a>',
    )
  })
  test('reads nothing that is nested too deeply', () => {
    expect(() => inertMail('<b>'.repeat(300_000))).toThrow('nested too deeply')
  })
  test.each([
    ['tags side by side', '<b></b>'.repeat(140_000)],
    ['paragraphs that never end', '<p><i>'.repeat(200).concat('<p>x'.repeat(200_000))],
    ['closing tags alone', '</b></p>'.repeat(120_000)],
    ['text that is left out', '<p><noscript></p>'.repeat(60_000)],
    ['pages in pages', '<iframe><b>'.repeat(90_000)],
    ['attributes', `<p ${Array.from({ length: 100_000 }, (_, at) => `a${at}=1`).join(' ')}>`],
    ['a style', `<p style="${'a:b;'.repeat(200_000)}(">`],
    ['a style of colours', `<p style="${'rgb(1'.repeat(200_000)}">`],
  ])('reads much of %s in little time', (_, html) => {
    const began = performance.now()
    try {
      inertMail(html)
    } catch (error) {
      expect((error as Error).message).toContain('nested too deeply')
    }
    // What grows with the square takes far longer.
    expect(performance.now() - began).toBeLessThan(20_000)
  })
})
