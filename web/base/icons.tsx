import { closeIcon } from '../../client/react/icons/composer-icons.ts'
import { Drawing as Lines } from '../../client/react/icons/drawing.tsx'

/** Icons of Lucide 1.75 (https://lucide.dev, ISC licence), copied because the whole package is 51 MB. */
const drawings = {
  plus: ['M5 12h14', 'M12 5v14'],
  bell: [
    'M10.268 21a2 2 0 0 0 3.464 0',
    'M3.262 15.326A1 1 0 0 0 4 17h16a1 1 0 0 0 .74-1.673C19.41 13.956 18 12.499 18 8A6 6 0 0 0 6 8c0 4.499-1.411 5.956-2.738 7.326',
  ],
  archive: [
    'M3 3h18a1 1 0 0 1 1 1v3a1 1 0 0 1 -1 1h-18a1 1 0 0 1 -1 -1v-3a1 1 0 0 1 1 -1',
    'M4 8v11a2 2 0 0 0 2 2h12a2 2 0 0 0 2-2V8',
    'M10 12h4',
  ],
  menu: ['M4 5h16', 'M4 12h16', 'M4 19h16'],
  close: closeIcon,
  search: ['m21 21-4.34-4.34', 'M3 11a8 8 0 1 0 16 0a8 8 0 1 0 -16 0'],
  integrations: [
    'M12 22v-5',
    'M15 8V2',
    'M17 8a1 1 0 0 1 1 1v4a4 4 0 0 1-4 4h-4a4 4 0 0 1-4-4V9a1 1 0 0 1 1-1z',
    'M9 8V2',
  ],
  agents: [
    'M12 8V4H8',
    'M6 8h12a2 2 0 0 1 2 2v8a2 2 0 0 1 -2 2h-12a2 2 0 0 1 -2 -2v-8a2 2 0 0 1 2 -2',
    'M2 14h2',
    'M20 14h2',
    'M15 13v2',
    'M9 13v2',
  ],
  schedules: ['M12 6v6l4 2', 'M2 12a10 10 0 1 0 20 0a10 10 0 1 0 -20 0'],
  insights: ['M3 3v16a2 2 0 0 0 2 2h16', 'M18 17V9', 'M13 17V5', 'M8 17v-3'],
  chat: [
    'M22 17a2 2 0 0 1-2 2H6.828a2 2 0 0 0-1.414.586l-2.202 2.202A.71.71 0 0 1 2 21.286V5a2 2 0 0 1 2-2h16a2 2 0 0 1 2 2z',
  ],
  more: [
    'M11 12a1 1 0 1 0 2 0a1 1 0 1 0 -2 0',
    'M18 12a1 1 0 1 0 2 0a1 1 0 1 0 -2 0',
    'M4 12a1 1 0 1 0 2 0a1 1 0 1 0 -2 0',
  ],
  signOut: ['m16 17 5-5-5-5', 'M21 12H9', 'M9 21H5a2 2 0 0 1-2-2V5a2 2 0 0 1 2-2h4'],
  inbox: [
    'M22 12 16 12 14 15 10 15 8 12 2 12',
    'M5.45 5.11 2 12v6a2 2 0 0 0 2 2h16a2 2 0 0 0 2-2v-6l-3.45-6.89A2 2 0 0 0 16.76 4H7.24a2 2 0 0 0-1.79 1.11z',
  ],
  keyboard: [
    'M4 4h16a2 2 0 0 1 2 2v12a2 2 0 0 1 -2 2h-16a2 2 0 0 1 -2 -2v-12a2 2 0 0 1 2 -2',
    'M6 8h.01',
    'M10 8h.01',
    'M14 8h.01',
    'M18 8h.01',
    'M8 12h.01',
    'M12 12h.01',
    'M16 12h.01',
    'M7 16h10',
  ],
  system: ['M12 3a9 9 0 1 0 0 18z', 'M12 3a9 9 0 0 1 0 18'],
  light: [
    'M8 12a4 4 0 1 0 8 0a4 4 0 1 0 -8 0',
    'M12 2v2M12 20v2M5 5l1.4 1.4M17.6 17.6l1.4 1.4M2 12h2M20 12h2M6.4 17.6l-1.4 1.4M19 5l-1.4 1.4',
  ],
  dark: [
    'M20.985 12.486a9 9 0 1 1-9.473-9.472c.405-.022.617.46.402.803a6 6 0 0 0 8.268 8.268c.344-.215.825-.004.803.401',
  ],
} as const

export type IconName = keyof typeof drawings

/** Decorative: its meaning is always written beside it. */
export function Icon({ name }: { name: IconName }) {
  // An arrow: mirrored in right-to-left languages.
  const className = name === 'signOut' ? 'icon pointing' : 'icon'
  return <Lines lines={drawings[name]} className={className} />
}

/** An icon that the first page does not need. */
export function Drawing({ lines }: { lines: readonly string[] }) {
  return <Lines lines={lines} className="icon" />
}

/** The app's logo, as in `public/icon.svg`; the name is shown beside it. */
export function Logo() {
  return (
    <svg className="logo" viewBox="0 0 32 32" aria-hidden="true" focusable="false">
      <path fill="#0b6e4f" d="M8 0h16a8 8 0 0 1 8 8v16a8 8 0 0 1-8 8H8a8 8 0 0 1-8-8V8a8 8 0 0 1 8-8" />
      <g fill="none" stroke="#fff" strokeWidth="2.6" strokeLinecap="round">
        <path d="M11.5 12.2a4.6 4.6 0 1 1 6.6 4.1c-1.4.7-2.1 1.4-2.1 2.9M16 23.6v0" />
      </g>
    </svg>
  )
}
