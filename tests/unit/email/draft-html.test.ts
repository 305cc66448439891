import { describe, expect, test } from 'vitest'
import { inertHtml } from '../../../supabase/functions/gmail-api/draft-html.ts'
import { remoteHtml } from '../../../support/remote-html.ts'

/** The HTML that is saved, or what is asked instead. */
function read(html: string): { saved: string } | { asked: string } {
  try {
    return { saved: inertHtml(html) }
  } catch (error) {
    expect(error).toMatchObject({ toolError: { details: { parameter: 'html' } } })
    return { asked: (error as Error).message }
  }
}

describe('the HTML of a draft', () => {
  test.each(remoteHtml('https://evil.example'))('asks what to write instead of %s', (source) => {
    expect(read(`<b>Before.</b> ${source}`)).toEqual({ asked: expect.stringContaining('must not load') })
  })
  test('leaves out comments, which some readers take for HTML', () => {
    const source =
      'a<!--[if mso]><img src="https://evil.example/1"><![endif]-->b<![CDATA[<img src="https://evil.example/65">]]><?xml-stylesheet href="https://evil.example/66"?>'
    expect(read(source)).toEqual({ saved: 'ab' })
  })
  test.each([
    '<p>Hello <b>Ada</b>,<br />see <a href="https://example.com/?a=1&amp;b=2">the plan</a> or <a href="mailto:a@b.c">write</a>.</p>',
    '<html><head><meta charset="utf-8" /><title>Hi</title></head><body style="margin:0"><p class="a" id="b" data-x="1">x</p></body></html>',
    '<table width="600" cellpadding="0"><tbody><tr><td style="color:#333;background:rgb(1,2,3);font:12px/1.5 \'Noto Sans\', メイリオ">x</td></tr></tbody></table>',
    '<img src="cid:logo@x" alt="" /><img src="data:image/png;base64,AA" />',
    '<p style>1 &lt; 2 &amp; "so"</p>',
    'no tags at all',
  ])('is kept as it is when nothing in it loads anything: %s', (source) => {
    expect(read(source)).toEqual({ saved: source })
  })
  test.each([
    ['<!doctype html><p>x', '<p>x</p>'],
    ['<P>x<p>y', '<p>x</p><p>y</p>'],
    ['<br><hr/>', '<br /><hr />'],
    ['&nbsp;&eacute;', '\u00A0é'],
    ["<p title='a\"b'>x", '<p title="a&quot;b">x</p>'],
  ])('means the same however it is written: %s', (source, saved) => expect(read(source)).toEqual({ saved }))
  test('asks for less where tags never end', () => {
    expect(read('<b>'.repeat(300_000))).toEqual({ asked: expect.stringContaining('nested too deeply') })
  })
})
