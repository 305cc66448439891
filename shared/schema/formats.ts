/** How a format is called, shown and asked for. */
export interface Format {
  /** In a line of facts. */
  name: string
  /** In a sentence. */
  one: string
  many: string
  example: string
}

/** The formats of JSON Schema and OpenAPI that say more than the type; five of them are checked. */
export const formats: Readonly<Record<string, Format>> = {
  email: { name: 'email', one: 'an email address', many: 'email addresses', example: 'ada@example.com' },
  uri: { name: 'URL', one: 'a URL', many: 'URLs', example: 'https://example.com/' },
  date: {
    name: 'date like 2025-01-31',
    one: 'a date like 2025-01-31',
    many: 'dates like 2025-01-31',
    example: '2025-01-31',
  },
  'date-time': {
    name: 'date and time like 2025-01-31T09:30:00Z',
    one: 'a date and time like 2025-01-31T09:30:00Z',
    many: 'dates and times like 2025-01-31T09:30:00Z',
    example: '2025-01-31T09:30:00Z',
  },
  uuid: { name: 'UUID', one: 'a UUID', many: 'UUIDs', example: '123e4567-e89b-42d3-a456-426614174000' },
  time: {
    name: 'time like 09:30:00Z',
    one: 'a time like 09:30:00Z',
    many: 'times like 09:30:00Z',
    example: '09:30:00Z',
  },
  duration: {
    name: 'duration like PT1H30M',
    one: 'a duration like PT1H30M',
    many: 'durations like PT1H30M',
    example: 'PT1H30M',
  },
  hostname: { name: 'host name', one: 'a host name', many: 'host names', example: 'example.com' },
  ipv4: { name: 'IPv4 address', one: 'an IPv4 address', many: 'IPv4 addresses', example: '192.0.2.1' },
  ipv6: { name: 'IPv6 address', one: 'an IPv6 address', many: 'IPv6 addresses', example: '2001:db8::1' },
  'idn-email': {
    name: 'email',
    one: 'an email address',
    many: 'email addresses',
    example: 'ada@example.com',
  },
  iri: { name: 'URL', one: 'a URL', many: 'URLs', example: 'https://example.com/' },
  url: { name: 'URL', one: 'a URL', many: 'URLs', example: 'https://example.com/' },
  byte: { name: 'base64', one: 'text in base64', many: 'texts in base64', example: 'SGVsbG8=' },
}

/** The format of a text, where it is one of these. */
export function formatOf({
  format,
  statedFormat,
}: {
  format?: string
  statedFormat?: string
}): Format | undefined {
  const name = format ?? statedFormat
  return name !== undefined && Object.hasOwn(formats, name) ? formats[name] : undefined
}
