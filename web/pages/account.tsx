import '../styles/pages.css'
import { isAuthError } from '@supabase/auth-js/dist/module/lib/errors.js'
import { useState } from 'react'
import { DigestChoice } from '../../client/react/settings/digest-choice.tsx'
import { authSentence } from '../base/auth-words.ts'
import { failureSentence } from '../base/failure-sentence.ts'
import { useSession } from '../base/session.tsx'
import { PageTitle } from '../shell/page-title.tsx'
import { useToast } from '../shell/toasts.tsx'
import { DeleteAccount } from './account/delete-account.tsx'
import { LanguageChoice } from './account/language-choice.tsx'
import { PasswordForm } from './account/password-form.tsx'
import { accountWords } from './account/words.ts'

/** The account: address, password, language, mails, signing out and deleting it. */
export function AccountPage() {
  const { askback, session, signOut } = useSession()
  const toast = useToast()
  const words = accountWords()
  const [isLeaving, setLeaving] = useState(false)
  const email = session?.user.email ?? ''
  // Anonymous users have neither.
  const name = email || session?.user.phone
  const leaveEverywhere = async () => {
    setLeaving(true)
    try {
      // First, while there is a session to do it with.
      await askback.tokens.revokeAll()
      await signOut({ everywhere: true, words: words.signedOutEverywhere })
    } catch (error) {
      toast(isAuthError(error) ? authSentence(error) : failureSentence(error), 'failed')
      setLeaving(false)
    }
  }
  return (
    <main className="page narrow">
      <PageTitle>{words.title}</PageTitle>
      <header>
        <h1>{words.title}</h1>
        <p className="quiet">{name ? words.signedInAs(name) : words.signedInWithoutAddress}</p>
      </header>
      {email !== '' && <PasswordForm email={email} />}
      <LanguageChoice />
      <DigestChoice askback={askback} onNote={toast} />
      <section className="panel" aria-label={words.devices}>
        <div>
          <h2>{words.devices}</h2>
          <p className="quiet">{words.devicesNote}</p>
        </div>
        <div className="actions">
          <button type="button" disabled={isLeaving} onClick={() => void leaveEverywhere()}>
            {words.signOutEverywhere}
          </button>
        </div>
      </section>
      <DeleteAccount email={email} />
    </main>
  )
}
