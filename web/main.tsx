import './no-eval.ts'
import './styles/tokens.css'
import './styles/base.css'
import './styles/shell.css'
import '../client/react/askback.css'
import '../client/react/chat.css'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { StrictMode, useMemo } from 'react'
import { createRoot } from 'react-dom/client'
import { LabelsProvider } from '../client/react/labels/labels.tsx'
import { App } from './app.tsx'
import { canStore } from './base/can-store.ts'
import { type Config, loadConfig } from './base/config.ts'
import { frameWords } from './base/frame-words.ts'
import { loadLanguage, spokenLanguage, useLanguage } from './base/language.ts'
import { SessionProvider } from './base/session.tsx'
import { openSupabase, type Supabase } from './base/supabase.ts'
import { PageErrors } from './shell/page-errors.tsx'
import { applyTheme } from './shell/theme.ts'

const isAllowed = canStore()
if (isAllowed) applyTheme()
const root = createRoot(document.getElementById('app') as HTMLElement)
const openQueries = () =>
  new QueryClient({
    defaultOptions: { queries: { staleTime: 10_000, retry: 1, refetchOnWindowFocus: true } },
  })

interface Opened {
  config: Config
  supabase: Supabase
  failedLink: string | undefined
}

/** The whole app, rendered again in each language: what was read of the server in another one is read again. */
function Page({ config, supabase, failedLink }: Opened) {
  const language = useLanguage()
  const queries = useMemo(openQueries, [language])
  return (
    <StrictMode key={language}>
      <PageErrors path="">
        <QueryClientProvider client={queries}>
          <SessionProvider config={config} supabase={supabase} linkFailure={failedLink}>
            <LabelsProvider labels={spokenLanguage()?.client ?? {}}>
              <App />
            </LabelsProvider>
          </SessionProvider>
        </QueryClientProvider>
      </PageErrors>
    </StrictMode>
  )
}

const [config] = await Promise.all([loadConfig(), loadLanguage()])
if (config && isAllowed) {
  // Read before the Supabase Auth client removes it from the URL.
  const { hash } = location
  const failedLink = hash.includes('error')
    ? (await import('./base/auth-words.ts')).linkFailure(hash)
    : undefined
  root.render(<Page config={config} supabase={openSupabase(config)} failedLink={failedLink} />)
} else {
  root.render(
    <main className="page narrow">
      <h1>Askback</h1>
      <p role="alert">{isAllowed ? frameWords().noServer : frameWords().noStorage}</p>
    </main>,
  )
}
