import '../styles/pages.css'
import { authSentence } from '../auth-words.ts'
import { useSession } from '../session.tsx'
import { PageTitle } from '../shell/page-title.tsx'
import { useToast } from '../shell/toasts.tsx'
import { DeleteAccount } from './account/delete-account.tsx'
import { PasswordForm } from './account/password-form.tsx'

/** Who is signed in, with what password, where, and the way out. */
export function AccountPage() {
  const { session, signOut } = useSession()
  const toast = useToast()
  const email = session?.user.email ?? ''
  const leaveEverywhere = () =>
    signOut({ everywhere: true, words: 'You are signed out on all of your devices.' }).catch((error) =>
      toast(authSentence(error), 'failed'),
    )
  return (
    <main className="page narrow">
      <PageTitle>Account</PageTitle>
      <header>
        <h1>Account</h1>
        <p className="quiet">Signed in as {email}.</p>
      </header>
      <PasswordForm email={email} />
      <section className="panel" aria-label="Devices">
        <div>
          <h2>Devices</h2>
          <p className="quiet">
            Signs you out here and everywhere else. Other devices may take up to an hour. Tokens for OpenAI
            clients keep working.
          </p>
        </div>
        <div className="actions">
          <button type="button" onClick={() => void leaveEverywhere()}>
            Sign out everywhere
          </button>
        </div>
      </section>
      <DeleteAccount email={email} />
    </main>
  )
}
