import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

/** The stack started by `npm run dev`. */
const stack = process.env.ASKBACK_STACK_URL
/** Paths served by the stack; everything else is the app. */
const served = ['/auth/', '/rest/', '/functions/', '/inbox/messages', '/config.json', '/status']

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))

export default defineConfig({
  root: here('.'),
  plugins: [react(), preloadSignIn()],
  resolve: {
    // JavaScript until the composer takes text, by `npm run lab -- measure:web` with a goal of 130 KiB: 129 with all three,
    // 132.4 without the first, 130.3 without the second, 130.2 without the third, 134.8 without any.
    // Only in auth-js.
    alias: [
      { find: /^\.\/lib\/(webauthn|web3\/ethereum|polyfills)$/, replacement: here('unused-auth.ts') },
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
        // The first scripts name all parts: a letter less of each is 0.1 KiB. Rolldown takes no fewer.
        entryFileNames: 'assets/[name]-[hash:7].js',
        chunkFileNames: 'assets/[name]-[hash:7].js',
        codeSplitting: {
          groups: [
            {
              name: 'react',
              test: /node_modules\/(react|react-dom|scheduler|use-sync-external-store|wouter|regexparam)\//,
            },
            {
              // What the frame of every page needs, and the composer.
              name: 'frame',
              test: /\/(web\/(shell\/(back-closes|conversation-row|conversations|found-message|new-chat|page-focus|page-title|shortcuts|sidebar|skeleton|toasts)|waiting\/open-count|base\/(conversation-pages|frame-words|icons|language|link-session|locale|queries|session|use-folded|with-link)|pages\/integrations\/way-back)|client\/(api\/open-items|chat-store|conversation-pages|kept-store|shown-messages|values\/(capitalise|json-text)|react\/(chat\/(composer-field|conversation-pane|tell|use-docked|use-edited|use-models|user-chat)|conversation\/[\w-]+|forms\/(problem|use-kept)|icons\/(composer-icons|drawing)|interaction\/(allowed-frames|is-composing|use-focus-back|use-narrow)|lists\/(conversation-list|conversation-row|day-groups|more-rows|roving-list)|messages\/when-idle)))\.tsx?$|\/auth-js\/dist\/module\/lib\/errors\.js$/,
            },
          ],
        },
      },
    },
  },
  server: {
    port: Number(process.env.ASKBACK_WEB_PORT || 5173),
    strictPort: true,
    proxy: stack ? Object.fromEntries(served.map((path) => [path, { target: stack }])) : undefined,
  },
})

/**
 * The sign-in page is a part of its own, which the first scripts ask for only once they run: on a slow network two more
 * seconds. `base/signed-out.ts` preloads the links that are written here for whoever has no session.
 */
function preloadSignIn(): Plugin {
  return {
    name: 'preload-sign-in',
    apply: 'build',
    buildStart() {
      this.emitFile({ type: 'chunk', id: here('base/signed-out.ts') })
    },
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle = {} }) {
        const chunks = Object.values(bundle).filter((part) => part.type === 'chunk')
        const named = new Map(chunks.map((chunk) => [chunk.fileName, chunk]))
        const page = chunks.find(({ facadeModuleId }) => facadeModuleId === here('pages/sign-in.tsx'))
        const early = chunks.find(({ facadeModuleId }) => facadeModuleId === here('base/signed-out.ts'))
        const needed = new Set<string>()
        const add = (name: string) => {
          if (needed.has(name) || html.includes(name)) return
          needed.add(name)
          named.get(name)?.imports.forEach(add)
        }
        if (page) add(page.fileName)
        const links = [...needed].map((name) => ({
          tag: 'link',
          attrs: { rel: 'signed-out', href: `/${name}`, crossorigin: true },
        }))
        // A browser has six connections to a server of HTTP/1.1: this file is the smallest, and the first that is needed.
        const attrs = { type: 'module', async: true, fetchpriority: 'high', src: `/${early?.fileName}` }
        return [
          { tag: 'script', attrs, injectTo: 'head-prepend' },
          ...links.map((link) => ({ ...link, injectTo: 'head' as const })),
        ]
      },
    },
  }
}
