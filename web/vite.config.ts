import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

/** The stack started by `npm run dev`. */
const stack = process.env.ASKBACK_STACK_URL
/** Paths served by the stack; everything else is the app. */
const served = ['/auth/', '/rest/', '/functions/', '/inbox/messages', '/config.json', '/status']

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))

export default defineConfig({
  root: here('.'),
  plugins: [react()],
  resolve: {
    // JavaScript until the composer takes text, by `npm run lab -- measure:web` with a goal of 130 KiB: 129 with all three,
    // 132.4 without the first, 130.3 without the second, 130.2 without the third, 134.8 without any.
    // Only in auth-js.
    alias: [
      { find: /^\.\/lib\/(webauthn|web3\/ethereum)$/, replacement: here('unused-auth.ts') },
      { find: /^\.\/GoTrueAdminApi$/, replacement: here('auth-admin.ts') },
      // Only in query-core.
      { find: /^\.\/mutationCache\.js$/, replacement: here('unused-mutations.ts') },
    ],
  },
  build: {
    target: 'es2022',
    emptyOutDir: true,
    // Inlined files would be data URLs, which the Content-Security-Policy refuses.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    // One file is smaller than several.
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            {
              name: 'react',
              test: /node_modules\/(react|react-dom|scheduler|use-sync-external-store|wouter|regexparam)\//,
            },
            {
              // What the frame of every page needs.
              name: 'frame',
              test: /\/(web\/(pages\/door\/password-field|shell\/(back-closes|conversation-row|conversations|found-message|new-chat|page-focus|page-title|shortcuts|sidebar|skeleton|toasts|words)|waiting\/open-count|conversation-pages|icons|language|link-session|locale|provider-names|queries|session|shortest-password|use-narrow)|client\/(conversation-pages|kept-store|values\/json-text|react\/(conversation\/use-decisions|forms\/(problem|use-kept)|icons\/(composer-icons|drawing)|interaction\/(is-composing|use-focus-back)|lists\/(conversation-list|conversation-row|day-groups|more-rows|roving-list)|messages\/when-idle)))\.tsx?$/,
            },
          ],
        },
      },
    },
  },
  server: {
    port: Number(process.env.ASKBACK_WEB_PORT || 5173),
    strictPort: true,
    ...(stack ? { proxy: Object.fromEntries(served.map((path) => [path, { target: stack }])) } : {}),
  },
})
