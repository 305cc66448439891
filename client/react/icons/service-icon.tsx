import { Drawing } from './drawing.tsx'

/** Icons of Lucide 1.75 (https://lucide.dev, ISC licence). */
const drawings = {
  mail: [
    'M4 4h16a2 2 0 0 1 2 2v12a2 2 0 0 1-2 2H4a2 2 0 0 1-2-2V6a2 2 0 0 1 2-2',
    'm22 7-8.991 5.727a2 2 0 0 1-2.009 0L2 7',
  ],
  document: [
    'M6 22a2 2 0 0 1-2-2V4a2 2 0 0 1 2-2h8a2.4 2.4 0 0 1 1.704.706l3.588 3.588A2.4 2.4 0 0 1 20 8v12a2 2 0 0 1-2 2z',
    'M14 2v5a1 1 0 0 0 1 1h5',
    'M16 13H8',
    'M16 17H8',
  ],
  web: [
    'M2 12a10 10 0 1 0 20 0a10 10 0 1 0-20 0',
    'M12 2a14.5 14.5 0 0 0 0 20 14.5 14.5 0 0 0 0-20',
    'M2 12h20',
  ],
  other: [
    'M14.7 6.3a1 1 0 0 0 0 1.4l1.6 1.6a1 1 0 0 0 1.4 0l3.106-3.105c.32-.322.863-.22.983.218a6 6 0 0 1-8.259 7.057l-7.91 7.91a1 1 0 0 1-2.999-3l7.91-7.91a6 6 0 0 1 7.057-8.259c.438.12.54.662.219.984z',
  ],
} as const

/** Our own services, by the prefix of their tool names. */
const services: Record<string, keyof typeof drawings> = {
  smtp: 'mail',
  gmail: 'mail',
  docs: 'document',
  web: 'web',
  news: 'web',
  scrape: 'web',
}

/** Decoration beside the name of a tool, or of a provider with such tools. */
export function ServiceIcon({ name = '' }: { name?: string | undefined }) {
  const lines = drawings[services[name.split(/[-_]/)[0] ?? ''] ?? 'other']
  return <Drawing lines={lines} />
}
