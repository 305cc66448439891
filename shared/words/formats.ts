/** The names and example of a format. */
interface Format {
  /** In a line of facts: `email`, `date like 2025-01-31`. */
  name: string
  /** In a sentence, without its article: `email address`. */
  noun: string
  /** `email addresses` */
  plural: string
  example: string
}

/** The formats of JSON Schema and OpenAPI that say more than the type; some of them are checked. */
const formats = new Map<string, Format>([
  ['email', { noun: 'email address', plural: 'email addresses', example: 'name@example.com', name: 'email' }],
  [
    'idn-email',
    { noun: 'email address', plural: 'email addresses', example: 'name@example.com', name: 'email' },
  ],
  ...['uri', 'url', 'iri'].map((name): [string, Format] => [
    name,
    { noun: 'URL', plural: 'URLs', example: 'https://example.com/page', name: 'URL' },
  ]),
  ['uuid', { noun: 'UUID', plural: 'UUIDs', example: '123e4567-e89b-42d3-a456-426614174000', name: 'UUID' }],
  ['date', shownBy('date', '2025-01-31')],
  ['date-time', shownBy('date and time', '2025-01-31T09:30:00Z', 'dates and times')],
  ['time', shownBy('time', '09:30:00Z')],
  ['duration', shownBy('duration', 'PT1H30M')],
  ['hostname', shownBy('host name', 'example.com')],
  ['ipv4', shownBy('IPv4 address', '192.0.2.1', 'IPv4 addresses')],
  ['ipv6', shownBy('IPv6 address', '2001:db8::1', 'IPv6 addresses')],
  ['int64', { noun: 'whole number', plural: 'whole numbers', example: '12345', name: 'whole number' }],
  ['uint64', { noun: 'whole number', plural: 'whole numbers', example: '12345', name: 'whole number' }],
  ['decimal', { noun: 'number', plural: 'numbers', example: '12.5', name: 'number' }],
  ['byte', shownBy('base64 text', 'SGVsbG8=')],
])

function shownBy(noun: string, example: string, plural = `${noun}s`): Format {
  return { name: `${noun} like ${example}`, noun, plural, example }
}

/** The format of a string, if it is one of these. */
export function findFormat({
  format,
  statedFormat,
}: {
  format?: string | undefined
  statedFormat?: string | undefined
}): Format | undefined {
  return formats.get(format ?? statedFormat ?? '')
}
