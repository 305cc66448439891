import './no-eval.ts'
import './styles/tokens.css'
import './styles/base.css'
import './styles/shell.css'
import '../client/react/askback.css'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { LabelsProvider } from '../client/react/labels.tsx'
import { App } from './app.tsx'
import { linkFailure } from './auth-words.ts'
import { loadConfig } from './config.ts'
import { loadLanguage, spokenLanguage } from './language.ts'
import { SessionProvider } from './session.tsx'
import { applyTheme } from './shell/theme.ts'
import { openSupabase } from './supabase.ts'

applyTheme()
// Read before the client of Supabase Auth takes it out of the address.
const failedLink = linkFailure(location.hash)
const root = createRoot(document.getElementById('app') as HTMLElement)
const queries = new QueryClient({
  defaultOptions: { queries: { staleTime: 10_000, retry: 1, refetchOnWindowFocus: true } },
})

try {
  const [config] = await Promise.all([loadConfig(), loadLanguage()])
  const supabase = openSupabase(config)
  root.render(
    <StrictMode>
      <QueryClientProvider client={queries}>
        <SessionProvider config={config} supabase={supabase} linkFailure={failedLink}>
          <LabelsProvider labels={spokenLanguage()?.client ?? {}}>
            <App />
          </LabelsProvider>
        </SessionProvider>
      </QueryClientProvider>
    </StrictMode>,
  )
} catch (error) {
  root.render(
    <main className="page narrow">
      <h1>Askback</h1>
      <p role="alert">{(error as Error).message}</p>
    </main>,
  )
}
