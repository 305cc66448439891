// Loaded beside the first scripts: without a session, what the sign-in page needs is fetched with them instead of after
// them. The links to it are written by web/vite.config.ts.
export {}

let kept = ''
try {
  kept = JSON.stringify(localStorage)
} catch {
  // Nothing is kept here, so nobody is signed in.
}
if (!kept.includes('access_token'))
  for (const link of document.querySelectorAll<HTMLLinkElement>('[rel=signed-out]'))
    link.rel = 'modulepreload'
