import '../styles/pages.css'
import { authSentence } from '../auth-words.ts'
import { useSession } from '../session.tsx'
import { PageTitle } from '../shell/page-title.tsx'
import { useToast } from '../shell/toasts.tsx'
import { DeleteAccount } from './account/delete-account.tsx'
import { LanguageChoice } from './account/language-choice.tsx'
import { PasswordForm } from './account/password-form.tsx'
import { accountWords } from './account/words.ts'

/** The account: address, password, language, signing out and deleting it. */
export function AccountPage() {
  const { session, signOut } = useSession()
  const toast = useToast()
  const words = accountWords()
  const email = session?.user.email ?? ''
  const leaveEverywhere = () =>
    signOut({ everywhere: true, words: words.signedOutEverywhere }).catch((error) =>
      toast(authSentence(error), 'failed'),
    )
  return (
    <main className="page narrow">
      <PageTitle>{words.title}</PageTitle>
      <header>
        <h1>{words.title}</h1>
        <p className="quiet">{words.signedInAs(email)}</p>
      </header>
      <PasswordForm email={email} />
      <LanguageChoice />
      <section className="panel" aria-label={words.devices}>
        <div>
          <h2>{words.devices}</h2>
          <p className="quiet">{words.devicesNote}</p>
        </div>
        <div className="actions">
          <button type="button" onClick={() => void leaveEverywhere()}>
            {words.signOutEverywhere}
          </button>
        </div>
      </section>
      <DeleteAccount email={email} />
    </main>
  )
}
