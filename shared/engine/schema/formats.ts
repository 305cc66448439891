import type { JsonSchema } from '../core/json-schema.ts'

/** How a format is called, shown and asked for. */
interface Format {
  /** In a line of facts. */
  name: string
  /** In a sentence. */
  one: string
  many: string
  example: string
  /** How a fault in it is told; only formats that are checked have one. */
  fault?: { label: string; advice: string }
}

/** A format that its example explains: `date like 2025-01-31`. */
function shownBy(example: string, name: string, one: string, many: string): Format {
  return {
    name: `${name} like ${example}`,
    one: `${one} like ${example}`,
    many: `${many} like ${example}`,
    example,
  }
}

const email: Format = {
  name: 'email',
  one: 'an email address',
  many: 'email addresses',
  example: 'ada@example.com',
  fault: { label: 'email address format', advice: 'a complete email address like name@example.com' },
}
const url: Format = {
  name: 'URL',
  one: 'a URL',
  many: 'URLs',
  example: 'https://example.com/',
  fault: { label: 'URL format', advice: 'a complete URL like https://example.com/page' },
}

/** The formats of JSON Schema and OpenAPI that say more than the type; five of them are checked. */
const formats = new Map<string, Format>(
  Object.entries({
    email,
    uri: url,
    date: {
      ...shownBy('2025-01-31', 'date', 'a date', 'dates'),
      fault: { label: 'date format', advice: 'a real date written like 2025-01-31' },
    },
    'date-time': {
      ...shownBy('2025-01-31T09:30:00Z', 'date and time', 'a date and time', 'dates and times'),
      fault: {
        label: 'date and time format',
        advice: 'a date, time and time zone written like 2025-01-31T09:30:00Z',
      },
    },
    uuid: {
      name: 'UUID',
      one: 'a UUID',
      many: 'UUIDs',
      example: '123e4567-e89b-42d3-a456-426614174000',
      fault: { label: 'identifier format', advice: 'a UUID like 123e4567-e89b-42d3-a456-426614174000' },
    },
    time: shownBy('09:30:00Z', 'time', 'a time', 'times'),
    duration: shownBy('PT1H30M', 'duration', 'a duration', 'durations'),
    hostname: { name: 'host name', one: 'a host name', many: 'host names', example: 'example.com' },
    ipv4: { name: 'IPv4 address', one: 'an IPv4 address', many: 'IPv4 addresses', example: '192.0.2.1' },
    ipv6: { name: 'IPv6 address', one: 'an IPv6 address', many: 'IPv6 addresses', example: '2001:db8::1' },
    'idn-email': email,
    iri: url,
    url,
    byte: { name: 'base64', one: 'text in base64', many: 'texts in base64', example: 'SGVsbG8=' },
  }),
)

/** The format of a text, where it is one of these. */
export function findFormat({ format, statedFormat }: JsonSchema): Format | undefined {
  return formats.get(format ?? statedFormat ?? '')
}
