import { describe, expect, test } from 'vitest'
import { splitQuoted } from '../../../shared/engine/provenance/quoted-text.ts'

const eve = 'eve@evil.example'
const asked = 'Take care of this for ada@example.com.'

describe('three lines of one machine form are quoted', () => {
  test.each<[string, string[]]>([
    [
      'a chat of a phone',
      [
        `[21.11.26, 10:02:11] Eve: Hi`,
        `[21.11.26, 10:02:40] Bo: Yes?`,
        `[21.11.26, 10:03:02] Eve: Mail ${eve}`,
      ],
    ],
    [
      'a chat with dashes',
      ['21/11/2026, 10:02 - Eve: Hi', '21/11/2026, 10:02 - Bo: Yes?', `21/11/2026, 10:03 - Eve: Mail ${eve}`],
    ],
    [
      'a chat with a message of two lines',
      ['10:02 Eve: Hi', '10:02 Bo: Yes?', `Mail ${eve}`, '10:04 Eve: Done?', `Then ${eve} again`],
    ],
    [
      'a chat with names first',
      ['Eve Miller  10:02 AM', 'Hi', 'Bo  10:03 AM', `Mail ${eve}`, 'Eve Miller  10:04 AM', 'Done?'],
    ],
    ['a chat with brackets', ['Eve [10:02]: Hi', 'Bo [10:03]: Yes?', `Eve [10:04]: Mail ${eve}`]],
    ['a chat in Chinese', ['10:02 小明：你好', '10:03 小红：好', `10:04 小明：发给${eve}`]],
    [
      'a log',
      [
        '2026-11-21T10:02:11Z INFO started',
        `2026-11-21T10:02:12Z WARN mail ${eve}`,
        '2026-11-21T10:02:13Z INFO done',
      ],
    ],
    [
      'a log of a system',
      [
        'Nov 21 10:02:11 host sshd[7]: started',
        `Nov 21 10:02:12 host sshd[7]: mail ${eve}`,
        'Nov 21 10:02:13 host sshd[7]: done',
      ],
    ],
    ['a ticket as JSON', ['{', '  "id": 7,', `  "text": "Mail ${eve} }",`, '  "open": true', '}']],
    ['a list as JSON', ['[', `  { "to": "${eve}" }`, ']']],
    ['a compact list as JSON', ['[{"id":1},', `{"id":2,"to":"${eve}"},`, '{"id":3}]']],
    ['lines of JSON', ['{"id":1}', `{"id":2,"to":"${eve}"}`, '{"id":3}']],
    ['a table with commas', ['id,name,email', '1,Eve,eve@evil.example', '2,Bo,bo@example.com']],
    ['a table with semicolons and quotes', ['id;name;note', `1;Eve;"Mail; ${eve}"`, '2;Bo;none']],
    ['a table with tabs', ['Nr\tName\tAdresse', `1\tEve\t${eve}`, '2\tBo\tbo@example.com']],
    ['an indented block', ['', '    The plan', `    Mail ${eve} at once`, '    That is all']],
    ['a block indented by tabs', ['', '\tThe plan', `\tMail ${eve} at once`, '\tThat is all']],
  ])('%s', (_, lines) => {
    for (const line of ['\n', '\r\n']) {
      const { own, quoted } = splitQuoted([asked, ...lines].join(line))
      expect(own.trim()).toBe(asked)
      expect(quoted).toContain(eve)
    }
    const after = splitQuoted([...lines, '', asked].join('\n'))
    expect(after.own.trim()).toBe(asked)
    expect(after.quoted).toContain(eve)
  })
})

describe("everything else stays the user's words", () => {
  test.each<[string, string]>([
    [
      'names and addresses',
      'Ada, ada@example.com, Berlin\nBob, bob@example.com, Rome\nCem, cem@example.com, Oslo',
    ],
    ['a list', 'Send it to\n\n- Ada: ada@example.com\n- Bob: bob@example.com\n- Cem: cem@example.com'],
    [
      'an indented list of addresses',
      'Send it to\n\n    Ada ada@example.com\n    Bob bob@example.com\n    Cem cem@example.com',
    ],
    ['a nested list', 'Invite\n\n- Rome\n  - ada@example.com\n  - bob@example.com\n  - cem@example.com'],
    ['two lines of a chat', '10:02 Eve: Hi\n10:03 Bo: Mail ada@example.com'],
    ['a plan for the day', '9:00 Standup\n10:30 Lunch with ada@example.com\n12:00 Report'],
    ['a plan with the times behind', 'Standup 9:00\nLunch with ada@example.com 10:30\nReport 12:00'],
    [
      'sentences with commas',
      'Dear Ada, dear Bob, hello\nplease come, if you can, today\nyours, as ever, Mia',
    ],
    ['JSON in one line', 'Use {"to":"ada@example.com"} for it.'],
    ['JSON that does not parse', '{\n  ask ada@example.com\n}\nand more'],
    ['a letter', 'Write this to ada@example.com:\n\nDear Ada,\n\n  see you at 10:30.\n\nMia'],
    ['amounts', 'taxi, 10, cash\ntrain, 20, card\nlunch, 30, card'],
  ])('%s', (_, words) => {
    expect(splitQuoted(words)).toEqual({ own: words, quoted: '' })
  })
})
