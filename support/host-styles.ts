import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { project } from './stack.ts'

/** The stylesheet of an app that has the pieces on its page. None of it knows of them. */
export interface Host {
  css: string
  /** The system is set to dark. */
  dark?: boolean
  /** A class of the page's root. */
  className?: string
}

const read = (path: string) => readFileSync(join(project, path), 'utf8')
/** Of a package that the conformance tests of clients have installed. */
const published = (path: string) => read(`tests/conformance/clients/node_modules/${path}`)
/** As Tailwind 3 writes it without a theme. */
const withoutTheme = (css: string) => css.replaceAll(/theme\('[^']*', ([^)]*?)\)(?=[;,\s])/g, '$1')

/** Each a way in which apps style `button`, `a`, `input` and `p`, by a name. None of the rules is in a layer, unless it says so. */
export const hosts: Readonly<Record<string, () => Host>> = {
  'nothing at all': () => ({ css: '/**/' }),
  'a reset': () => ({
    css: `*, ::before, ::after { margin: 0; padding: 0; border: 0; background: none; color: inherit; font: inherit; outline: none; list-style: none; text-decoration: none; }
      button, input, select, textarea { appearance: none; }
      :focus { outline: none; }`,
  }),
  'white on white': () => ({
    css: `button, input, select, textarea { border: 0; background: #fff; color: #fff; } a, p, label, h2 { color: #fff; }
      ::placeholder { color: #fff; }`,
  }),
  'small, faint buttons': () => ({
    css: `button, .btn { width: 100%; height: 18px; min-height: 0; margin: 0 0 2rem; padding: 0; border: none; background: #eef; color: #ccd; font-size: 6px; line-height: 1; opacity: 0.3; text-transform: uppercase; transform: scale(0.5); }
      button:hover { background: #fff; color: #fff; } button:focus { outline: 0; }
      input { appearance: none; height: 12px; padding: 0; border: 0; border-bottom: 1px solid #eee; font-size: 7px; }`,
  }),
  'buttons that wait for a script': () => ({
    css: 'button { position: absolute; left: -9999px; visibility: hidden; pointer-events: none; } input { opacity: 0; }',
  }),
  'coloured paragraphs': () => ({
    css: 'body { background: #fff7ed; color: #7c2d12; } p, dd, label, h2, h3 { background: #1c1917; color: #1c1917; } a { color: #fb923c; }',
  }),
  'the reboot of Bootstrap 5': () => ({
    css: read('support/host-styles/bootstrap-reboot.css'),
  }),
  'the reboot of Bootstrap 5 on a dark page': () => ({
    css: `${read('support/host-styles/bootstrap-reboot.css')} body { background: #14171c; color: #e8e8e8; }`,
  }),
  'rules that know no component but its own': () => ({
    css: `* { box-sizing: content-box; }
      html { font-size: 10px; line-height: 1; }
      body { background: #14171c; color: #e8e8e8; }
      button, a, input, p, h2, textarea { display: inline; padding: 0; border: 0; background: #fff; color: #fff; font-size: 9px; letter-spacing: 2px; text-transform: uppercase; }`,
  }),
  'everything in capitals and at the left': () => ({
    css: `body { text-transform: uppercase; } p, dl, dd, ul, ol, li, h2, h3, fieldset { float: left; margin: 0 0 3em 3em; padding-left: 2em; font-size: 3em; line-height: 0.8; text-transform: capitalize; }
      textarea { resize: both; } legend { float: left; width: 100%; font-size: 1.5rem; }`,
  }),
  'the preflight of Tailwind 3': () => ({
    css: withoutTheme(published('tailwindcss-3/lib/css/preflight.css')),
  }),
  'the preflight of Tailwind 4': () => ({ css: read('node_modules/tailwindcss/preflight.css') }),
  'the same in a later layer': () => ({
    css: `@layer base { ${read('node_modules/tailwindcss/preflight.css')} }`,
  }),
  Pico: () => ({ css: read('support/host-styles/pico.css') }),
  'Pico, dark': () => ({ css: read('support/host-styles/pico.css'), dark: true }),
  'dark as the system says': () => ({
    css: '@media (prefers-color-scheme: dark) { body { background: #0f172a; color: #e2e8f0; } button { background: #1e293b; color: #1e293b; } }',
    dark: true,
  }),
  'dark by color-scheme': () => ({ css: ':root { color-scheme: light dark; }', dark: true }),
  'dark by a class': () => ({
    css: '.dark body { background: #111; color: #ddd; } .dark button, .dark input { background: #000; color: #222; } .dark a { color: #222; }',
    className: 'dark',
  }),
  'a root font of 10 px': () => ({ css: 'html { font-size: 62.5%; } body { font-size: 1.6rem; }' }),
  'everything at 10 px': () => ({ css: 'html { font-size: 10px; } button, input { font-size: 1rem; }' }),
}
